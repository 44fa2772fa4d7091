// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferModel

/// A cache's folder, by descriptor. Follows no links in it. Every call blocks.
final class CacheFolder: Sendable {
    private static let suffix = ".answer"
    private static let temporarySuffix = ".writing"

    struct Entry: Equatable {
        var name: String
        var size: Int
        /// Nanoseconds since 1970; stored as the access time.
        var lastUse: Int64
        /// Seconds since 1970; stored as the modification time.
        var storedTime: Int64
    }

    /// A file without a final name. It is locked until the last reference is released: an unlocked one is abandoned.
    final class Temporary {
        fileprivate let name: String
        private let file: Descriptor

        fileprivate init(name: String, file: Descriptor) {
            self.name = name
            self.file = file
            _ = try? FileLock.take(file)
        }
    }

    let descriptor: Descriptor

    /// Opens the folder, and creates it (0700) with missing parents.
    /// - Returns: `nil` if that fails, or the folder is a link, belongs to another user or can be written by others.
    init?(path: String) {
        // A trailing slash would follow a link.
        var path = path
        while path.utf8.count > 1, path.endsWithSlash { path.unicodeScalars.removeLast() }
        try? PrivateFolder.makeMissing(path)
        guard let folder = try? Descriptor.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
            let status = try? folder.status(),
            status.st_uid == geteuid(), status.st_mode & 0o022 == 0
        else { return nil }
        descriptor = folder
    }

    /// The file name for `key`.
    static func name(of key: String) -> String { CacheHash.name(of: key) + suffix }

    /// All stored responses, unordered. Removes abandoned temporary files, and ignores files with foreign names.
    func entries() -> [Entry] {
        names().compactMap { name in
            if Self.isName(name, digits: 16, Self.temporarySuffix) {
                removeIfAbandoned(name)
                return nil
            }
            var status = stat()
            guard Self.isName(name, digits: 32, Self.suffix),
                fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0
            else { return nil }
            guard Self.isOwnFile(status) else {
                remove(name)
                return nil
            }
            return Entry(
                name: name, size: Int(status.st_size), lastUse: Self.nanoseconds(status.st_atim),
                storedTime: Int64(status.st_mtim.tv_sec))
        }
    }

    /// - Returns: `nil` if the file does not exist, or is invalid: then it is removed.
    func read(_ name: String, limit: Int, lastUse: Int64) -> [UInt8]? {
        let file: Descriptor
        do {
            file = try Descriptor.open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, in: descriptor)
        } catch {
            if error.errno == ELOOP { remove(name) }
            return nil
        }
        guard let status = try? file.status(), Self.isOwnFile(status), status.st_size <= limit,
            let bytes = try? file.read(Int(status.st_size)), bytes.count == status.st_size
        else {
            remove(name)
            return nil
        }
        Self.setTimes(file, [Self.time(nanoseconds: lastUse), timespec(tv_sec: 0, tv_nsec: Self.omit)])
        return bytes
    }

    /// - Returns: a new file for ``place(_:as:)``; `nil` if it cannot be written.
    func writeTemporary(_ bytes: [UInt8], storedTime: Int64, lastUse: Int64) -> Temporary? {
        let name = CacheHash.padded(String(UInt64.random(in: .min ... .max), radix: 16), to: 16) + Self.temporarySuffix
        guard
            let file = try? Descriptor.open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600, in: descriptor)
        else {
            return nil
        }
        let temporary = Temporary(name: name, file: file)
        guard (try? file.write(bytes)) != nil else {
            remove(name)
            return nil
        }
        Self.setTimes(file, [Self.time(nanoseconds: lastUse), timespec(tv_sec: Int(storedTime), tv_nsec: 0)])
        return temporary
    }

    /// Replaces `name`.
    func place(_ temporary: Temporary, as name: String) -> Bool {
        if renameat(descriptor.number, temporary.name, descriptor.number, name) == 0 { return true }
        remove(temporary.name)
        return false
    }

    func remove(_ name: String) { unlinkat(descriptor.number, name, 0) }

    private func removeIfAbandoned(_ name: String) {
        guard let file = try? Descriptor.open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, in: descriptor)
        else { return }
        if (try? FileLock.take(file)) == true { remove(name) }
        withExtendedLifetime(file) {}
    }

    private static func isName(_ name: String, digits: Int, _ suffix: String) -> Bool {
        name.hasSuffix(suffix) && name.utf8.count == digits + suffix.utf8.count
            && name.utf8.prefix(digits).allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    private func names() -> [String] {
        // A separate descriptor, since reading a folder moves the position.
        let copy = openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { return [] }
        guard let stream = fdopendir(copy) else {
            close(copy)
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            if let name { names.append(name) }
        }
        return names
    }

    // MARK: Files

    /// UTIME_OMIT, which is not imported.
    private static let omit = (1 << 30) - 2

    private static func isOwnFile(_ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
    }

    private static func setTimes(_ file: Descriptor, _ times: [timespec]) { futimens(file.number, times) }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (time.tv_sec < 0 ? .min : .max) : seconds &+ Int64(time.tv_nsec)
    }

    private static func time(nanoseconds: Int64) -> timespec {
        timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }
}
