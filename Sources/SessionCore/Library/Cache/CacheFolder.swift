// SPDX-License-Identifier: MIT

import Glibc

/// The folder of a cache, by its descriptor. No link in it is followed. Every call blocks.
final class CacheFolder: Sendable {
    private static let suffix = ".answer"
    private static let temporarySuffix = ".writing"

    struct Entry: Equatable {
        var name: String
        var size: Int
        /// Nanoseconds since 1970; kept as the file's time of access.
        var lastUse: Int64
        /// Seconds since 1970; kept as the file's time of modification.
        var storedTime: Int64
    }

    /// A file that has no final name yet. It is locked until the last reference goes: whoever finds one unlocked finds it
    /// abandoned.
    final class Temporary {
        fileprivate let name: String
        fileprivate let descriptor: Int32

        fileprivate init(name: String, descriptor: Int32) {
            self.name = name
            self.descriptor = descriptor
            flock(descriptor, LOCK_EX | LOCK_NB)
        }

        deinit { close(descriptor) }
    }

    let descriptor: Int32

    /// Opens the folder, and makes it (0700) with those above it where it is missing.
    /// - Returns: `nil` where that fails, or the folder is a link, belongs to another user or may be written by others.
    init?(path: String) {
        // With a slash behind it a link would be followed.
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        Self.make(path)
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private static func make(_ path: String) {
        guard mkdir(path, 0o700) != 0, errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        make(String(path[..<slash]))
        mkdir(path, 0o700)
    }

    /// The name of the file of what is stored under `key`.
    static func name(of key: String) -> String { CacheHash.name(of: key) + suffix }

    /// All stored answers, in no order. Removes what was left behind half-written, and leaves alone what bears no name that
    /// the cache gives.
    func entries() -> [Entry] {
        names().compactMap { name in
            if Self.isName(name, digits: 16, Self.temporarySuffix) {
                removeIfAbandoned(name)
                return nil
            }
            var status = stat()
            guard Self.isName(name, digits: 32, Self.suffix),
                fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
            guard Self.isOwnFile(status) else {
                remove(name)
                return nil
            }
            return Entry(name: name, size: Int(status.st_size), lastUse: Self.nanoseconds(status.st_atim),
                         storedTime: Int64(status.st_mtim.tv_sec))
        }
    }

    /// - Returns: `nil` where there is no such file, or none that the cache can have written: that is removed.
    func read(_ name: String, limit: Int, lastUse: Int64) -> [UInt8]? {
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ELOOP { remove(name) }
            return nil
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, Self.isOwnFile(status), status.st_size <= limit,
            let bytes = Self.readAll(file, count: Int(status.st_size)) else {
            remove(name)
            return nil
        }
        Self.setTimes(file, [Self.time(nanoseconds: lastUse), timespec(tv_sec: 0, tv_nsec: Self.omit)])
        return bytes
    }

    /// - Returns: a new file for ``place(_:as:)``; `nil` where it cannot be written.
    func writeTemporary(_ bytes: [UInt8], storedTime: Int64, lastUse: Int64) -> Temporary? {
        let name = CacheHash.padded(String(UInt64.random(in: .min ... .max), radix: 16), to: 16) + Self.temporarySuffix
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return nil }
        let temporary = Temporary(name: name, descriptor: file)
        guard Self.writeAll(file, bytes) else {
            remove(name)
            return nil
        }
        Self.setTimes(file, [Self.time(nanoseconds: lastUse), timespec(tv_sec: Int(storedTime), tv_nsec: 0)])
        return temporary
    }

    /// Replaces what bears `name`.
    func place(_ temporary: Temporary, as name: String) -> Bool {
        if renameat(descriptor, temporary.name, descriptor, name) == 0 { return true }
        remove(temporary.name)
        return false
    }

    func remove(_ name: String) { unlinkat(descriptor, name, 0) }

    private func removeIfAbandoned(_ name: String) {
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        if flock(file, LOCK_EX | LOCK_NB) == 0 { remove(name) }
    }

    private static func isName(_ name: String, digits: Int, _ suffix: String) -> Bool {
        name.hasSuffix(suffix) && name.utf8.count == digits + suffix.utf8.count && name.utf8.prefix(digits).allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
    }

    private func names() -> [String] {
        // A descriptor of its own, as reading a folder moves the position.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
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

    private static func setTimes(_ file: Int32, _ times: [timespec]) { futimens(file, times) }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (time.tv_sec < 0 ? .min : .max) : seconds &+ Int64(time.tv_nsec)
    }

    private static func time(nanoseconds: Int64) -> timespec {
        timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }

    private static func readAll(_ file: Int32, count: Int) -> [UInt8]? {
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = Glibc.read(file, buffer.baseAddress! + filled, count - filled)
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { break }
                filled += got
            }
            isWhole = filled == count
        }
        return isWhole ? bytes : nil
    }

    private static func writeAll(_ file: Int32, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let put = write(file, buffer.baseAddress! + written, buffer.count - written)
                if put < 0, errno == EINTR { continue }
                guard put > 0 else { return false }
                written += put
            }
            return true
        }
    }
}
