// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// A small file that several processes keep together: read whole, changed by one at a time, replaced whole.
///
/// Who changes it holds the lock of `PATH.lock` from reading to writing, so that no change of another process is lost. The
/// file is replaced by a rename: readers need no lock and never see half of it. It is readable for its owner alone.
struct KeptFile: Sendable {
    /// Who else may touch a file that is to be read.
    enum Privacy: Sendable {
        /// Nobody may read it: it holds secrets.
        case secret
        /// Nobody may write it: it says whom to trust.
        case trusted

        var forbidden: mode_t { self == .secret ? 0o077 : 0o022 }
    }

    let path: String
    let privacy: Privacy
    var maximumBytes = 4 << 20
    /// Seconds to wait for another process that is changing the file.
    var patience = 5.0

    /// One version of the file. It stays open, so that no later file can have its identity.
    final class Version: Sendable {
        fileprivate let descriptor: Int32
        fileprivate let stamp: Stamp

        fileprivate init(descriptor: Int32, stamp: Stamp) {
            self.descriptor = descriptor
            self.stamp = stamp
        }

        deinit { close(descriptor) }
    }

    fileprivate struct Stamp: Equatable {
        private let numbers: [Int]

        init(_ status: stat) {
            numbers = [Int(bitPattern: UInt(status.st_dev)), Int(bitPattern: UInt(status.st_ino)), Int(status.st_size),
                       status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
        }
    }

    /// Whether the path still bears `version`, unchanged; of `nil`, whether there is still no file.
    func isCurrent(_ version: Version?) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return version == nil && errno == ENOENT }
        return version?.stamp == Stamp(status)
    }

    /// - Returns: `nil` where there is no file.
    /// - Throws: code `usage`: it cannot be read, is no regular file or too large, is another user's, or open to others.
    func read() throws(TransferError) -> (bytes: [UInt8], version: Version)? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            if code == ENOENT { return nil }
            let reason = code == ELOOP ? "is a symbolic link; name the file itself" : "cannot read: \(SystemCall.message(code))"
            throw TransferError(.usage, "\(path): \(reason)", systemErrno: code)
        }
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        let version = Version(descriptor: descriptor, stamp: Stamp(status))
        guard isKnown, status.st_mode & S_IFMT == S_IFREG else { throw TransferError(.usage, "\(path): is not a regular file") }
        guard status.st_uid == geteuid() else {
            throw TransferError(.usage, "\(path): belongs to another user; move it away or make it yours")
        }
        guard status.st_mode & privacy.forbidden == 0 else {
            throw TransferError(.usage, "\(path): other users can \(privacy == .secret ? "read" : "write") this file, so it is not "
                + "used; 'chmod 600' keeps it to yourself")
        }
        guard status.st_size <= maximumBytes else {
            throw TransferError(.usage, "\(path): holds more than \(maximumBytes) bytes; it cannot be what it should be")
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw TransferError(.usage, "\(path): cannot read all of it; try again") }
            done += count
        }
        return (bytes, version)
    }

    /// Runs `body` while no other process, and no other part of this one, changes the file.
    /// - Throws: code `cannotWrite` where the lock cannot be had; what `body` throws.
    func locked<Result>(_ body: () throws(TransferError) -> Result) throws(TransferError) -> Result {
        try Self.makeFolders(above: path)
        let lockPath = path + ".lock"
        let lock = open(lockPath, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw Self.cannotWrite(lockPath, errno) }
        defer { close(lock) }
        var waited = 0.0
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            guard code == EWOULDBLOCK else { throw Self.cannotWrite(lockPath, code) }
            guard waited < patience else {
                throw TransferError(.cannotWrite, "\(path): another process is changing this file and does not end; try again later")
            }
            var pause = timespec(tv_sec: 0, tv_nsec: 5_000_000)
            nanosleep(&pause, nil)
            waited += 0.005
        }
        return try body()
    }

    /// Puts `bytes` in the file's place, synced. Only inside ``locked(_:)``.
    /// - Throws: code `cannotWrite`; then the old file is as it was.
    func replace(with bytes: [UInt8]) throws(TransferError) -> Version {
        guard bytes.count <= maximumBytes else {
            throw TransferError(.cannotWrite, "\(path): would hold more than \(maximumBytes) bytes; "
                + "remove something from it first")
        }
        let temporary = path + ".new"
        // One that is there was left by a process that ended too early: whoever writes holds the lock.
        unlink(temporary)
        let descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.cannotWrite(temporary, errno) }
        var status = stat()
        guard Self.write(bytes, to: descriptor), fsync(descriptor) == 0, rename(temporary, path) == 0,
            fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            unlink(temporary)
            throw Self.cannotWrite(path, code)
        }
        return Version(descriptor: descriptor, stamp: Stamp(status))
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// Makes the folders that are missing, for their owner alone. Those that are there stay as they are.
    static func makeFolders(above path: String) throws(TransferError) {
        let names = path.split(separator: "/", omittingEmptySubsequences: true).dropLast()
        var folder = path.hasPrefix("/") ? "" : "."
        for name in names {
            folder += "/\(name)"
            guard mkdir(folder, 0o700) != 0, errno != EEXIST else { continue }
            let code = errno
            // Some file systems say first that they are read-only.
            var status = stat()
            guard stat(folder, &status) == 0 else { throw Self.cannotWrite(folder, code) }
        }
    }

    private static func cannotWrite(_ path: String, _ code: Int32) -> TransferError {
        TransferError(.cannotWrite, "\(path): cannot write: \(SystemCall.message(code))", systemErrno: code)
    }
}
