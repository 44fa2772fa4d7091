// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferModel

/// A file that is read whole and replaced whole, by several processes.
///
/// Writers take turns by a lock (`flock`) on the file itself, so that none leaves a second file behind. A file that is
/// replaced takes its lock along; who waited for that one looks again. Programs that know nothing of the lock, as curl,
/// still never see half a file.
struct CookieFile: Sendable {
    /// More than all cookies that a storage may hold.
    static let maximumBytes = 32 << 20

    let path: String
    /// Seconds to wait for the lock, which any program may hold.
    var patience = 5.0

    /// The stamp of the file that the path leads to; `nil` without one.
    var stamp: PersistentFile.Stamp? {
        var status = stat()
        return stat(path, &status) == 0 ? .init(status) : nil
    }

    /// - Returns: no bytes and no stamp if there is no such file.
    /// - Throws: code `cannotReadSource`.
    func read() throws(TransferError) -> (bytes: [UInt8], stamp: PersistentFile.Stamp?) {
        let file: Descriptor
        do {
            // Non-blocking: opening a pipe would wait for its peer.
            file = try Descriptor.open(path, O_RDONLY | O_NONBLOCK)
        } catch {
            if error.errno == ENOENT { return ([], nil) }
            throw failure(.cannotReadSource, .readCookies, error.errno)
        }
        let stamp = (try? file.status()).map { PersistentFile.Stamp($0) }
        return (try contents(file), stamp)
    }

    /// Replaces the file by the result of `change`, under a lock over all processes.
    /// - Parameter change: `nil`: leave the file unchanged.
    /// - Parameter done: called after writing, while the file is still locked; gets the new file's stamp.
    /// - Throws: code `cannotWrite`, or `cannotReadSource` for an unreadable file; the file is unchanged.
    func update(
        _ change: ([UInt8]) -> [UInt8]?, done: (PersistentFile.Stamp?) -> Void
    ) throws(TransferError) {
        // A link stays one: what it leads to is replaced.
        let place =
            realpath(path, nil).map { name in
                defer { free(name) }
                return String(cString: name)
            } ?? path
        let file = try lock(place)
        guard let bytes = change(try contents(file)) else { return }
        let new = try replace(place, by: bytes, like: file)
        done((try? new.status()).map { PersistentFile.Stamp($0) })
        withExtendedLifetime(file) {}
    }

    // MARK: Steps

    private func lock(_ place: String) throws(TransferError) -> Descriptor {
        while true {
            let (file, isHeld): (Descriptor, Bool)
            do {
                file = try Descriptor.open(place, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
                isHeld = try FileLock.take(file, patience: patience)
            } catch {
                throw failure(.cannotWrite, error.call == "flock" ? .lockCookies : .writeCookies, error.errno)
            }
            guard isHeld else {
                throw TransferError(.cannotWrite, file: .beingChanged, path: path, variant: .fileBusy)
            }
            var named = stat()
            if let opened = try? file.status(), lstat(place, &named) == 0, opened.st_ino == named.st_ino,
                opened.st_dev == named.st_dev
            {
                return file
            }
        }
    }

    private func contents(_ file: Descriptor) throws(TransferError) -> [UInt8] {
        guard let status = try? file.status(), status.st_mode & S_IFMT == S_IFREG else {
            throw TransferError(.cannotReadSource, file: .notRegularFile, path: path, variant: .noCookieFile)
        }
        let bytes: [UInt8]?
        do {
            bytes = try file.readToEnd(limit: Self.maximumBytes)
        } catch {
            throw failure(.cannotReadSource, .readCookies, error.errno)
        }
        guard let bytes else {
            throw TransferError(.cannotReadSource, file: .largeCookies, path: path, variant: .noCookieFile)
        }
        return bytes
    }

    private func replace(_ place: String, by bytes: [UInt8], like old: Descriptor) throws(TransferError) -> Descriptor {
        do {
            return try AtomicFile.replace(place, with: bytes, temporary: .unique, durability: .file) {
                (new) throws(SystemError) in
                try Self.copyPermissions(from: old, to: new)
            }
        } catch {
            throw failure(.cannotWrite, .writeCookies, error.errno)
        }
    }

    /// If the group cannot be kept, its permissions are removed: another group would get them.
    private static func copyPermissions(from old: Descriptor, to new: Descriptor) throws(SystemError) {
        let status = try old.status()
        var mode = status.st_mode & 0o777
        if fchown(new.number, status.st_uid, status.st_gid) != 0 { mode &= ~0o070 }
        guard fchmod(new.number, mode) == 0 else { throw SystemError("fchmod", errno: errno) }
    }

    private func failure(_ code: TransferError.Code, _ kind: FileProblem.Kind, _ errno: Int32) -> TransferError {
        TransferError(code, file: kind, path: path, systemErrno: errno)
    }
}
