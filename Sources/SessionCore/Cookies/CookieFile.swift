// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// A file that is read whole and replaced whole, by several processes.
///
/// Writers take turns by a lock (`flock`) on the file itself, so that none leaves a second file behind. A file that is
/// replaced takes its lock along; who waited for that one looks again. Programs that know nothing of the lock, as curl, still
/// never see half a file.
struct CookieFile: Sendable {
    /// More than all cookies that a storage may hold.
    static let maximumBytes = 32 << 20

    let path: String

    /// - Returns: nothing, where there is no such file.
    /// - Throws: code `cannotReadSource`.
    func read() throws(TransferError) -> [UInt8] {
        // Not blocking: opening a pipe would wait for its other end.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return [] }
        guard descriptor >= 0 else { throw failure(.cannotReadSource, "cannot read the cookies", errno) }
        defer { close(descriptor) }
        return try contents(descriptor)
    }

    /// Replaces the file by what `change` makes of its content, while no other process does the same. Waits for its turn.
    /// - Parameter change: `nil`: leave it as it is.
    /// - Parameter done: called after writing, while the file is still locked.
    /// - Throws: code `cannotWrite`, or `cannotReadSource` for what is there; the file is as it was.
    func update(_ change: ([UInt8]) -> [UInt8]?, done: () -> Void) throws(TransferError) {
        // A link stays one: what it leads to is replaced.
        let place = realpath(path, nil).map { name in
            defer { free(name) }
            return String(cString: name)
        } ?? path
        let descriptor = try lock(place)
        defer { close(descriptor) }
        guard let bytes = change(try contents(descriptor)) else { return }
        try replace(place, by: bytes, like: descriptor)
        done()
    }

    // MARK: Steps

    private func lock(_ place: String) throws(TransferError) -> Int32 {
        while true {
            let descriptor = open(place, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
            guard descriptor >= 0 else { throw failure(.cannotWrite, "cannot write the cookies", errno) }
            while flock(descriptor, LOCK_EX) != 0 {
                guard errno == EINTR else {
                    let code = errno
                    close(descriptor)
                    throw failure(.cannotWrite, "cannot lock the cookies", code)
                }
            }
            var opened = stat()
            var named = stat()
            if fstat(descriptor, &opened) == 0, lstat(place, &named) == 0, opened.st_ino == named.st_ino,
                opened.st_dev == named.st_dev { return descriptor }
            close(descriptor)
        }
    }

    private func contents(_ descriptor: Int32) throws(TransferError) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw TransferError(.cannotReadSource, "\(path): is no regular file; name another one for the cookies")
        }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(.cannotReadSource, "cannot read the cookies", errno)
            }
            bytes += piece[..<count]
            guard bytes.count <= Self.maximumBytes else {
                throw TransferError(.cannotReadSource, "\(path): is too large for a file of cookies; name another one")
            }
        }
    }

    private func replace(_ place: String, by bytes: [UInt8], like old: Int32) throws(TransferError) {
        let temporary = "\(place).\(String(UInt64.random(in: .min ... .max), radix: 36)).new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(.cannotWrite, "cannot write the cookies", errno) }
        var code: Int32 = 0
        if !Self.writeAll(bytes, to: descriptor) || !Self.copyPermissions(from: old, to: descriptor) || fsync(descriptor) != 0 {
            code = errno
        }
        close(descriptor)
        if code == 0, rename(temporary, place) != 0 { code = errno }
        guard code == 0 else {
            unlink(temporary)
            throw failure(.cannotWrite, "cannot write the cookies", code)
        }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return false }
            done += max(count, 0)
        }
        return true
    }

    /// Where the group cannot be kept, it loses its rights: another one would get them.
    private static func copyPermissions(from old: Int32, to new: Int32) -> Bool {
        var status = stat()
        guard fstat(old, &status) == 0 else { return false }
        var mode = status.st_mode & 0o777
        if fchown(new, status.st_uid, status.st_gid) != 0 { mode &= ~0o070 }
        return fchmod(new, mode) == 0
    }

    private func failure(_ code: TransferError.Code, _ what: String, _ errno: Int32) -> TransferError {
        TransferError(code, "\(path): \(what): \(SystemCall.message(errno))", systemErrno: errno)
    }
}
