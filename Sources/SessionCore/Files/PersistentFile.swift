// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferModel

/// A small file shared by processes: read whole, changed by one at a time, replaced atomically.
///
/// A writer holds the lock of `PATH.lock` from reading to writing, so that no change of another process is lost. A
/// rename replaces the file: readers need no lock and never see a partial file. It has mode 0600.
struct PersistentFile: Sendable {
    /// Which permissions of other users are accepted.
    enum Privacy: Sendable {
        /// None may read it: it contains secrets.
        case secret
        /// None may write it: it configures trust.
        case trusted

        var forbidden: mode_t { self == .secret ? 0o077 : 0o022 }
    }

    let path: String
    let privacy: Privacy
    var maximumBytes = 4 << 20
    /// Seconds to wait for another process that is changing the file.
    var patience = 5.0

    /// A version of the file. It stays open, so that no later file can have its identity.
    final class Version: Sendable {
        private let file: Descriptor
        fileprivate let stamp: Stamp

        fileprivate init(_ file: Descriptor, _ status: stat) {
            self.file = file
            stamp = Stamp(status)
        }
    }

    /// Differs between versions of a file.
    struct Stamp: Equatable, Sendable {
        private let numbers: [Int]

        init(_ status: stat) {
            numbers = [
                Int(bitPattern: UInt(status.st_dev)), Int(bitPattern: UInt(status.st_ino)), Int(status.st_size),
                status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
            ]
        }
    }

    /// Whether the path still has `version`, unchanged; for `nil`, whether there is still no file.
    func isCurrent(_ version: Version?) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return version == nil && SystemError.isMissing(errno) }
        return version?.stamp == Stamp(status)
    }

    /// - Returns: `nil` if the file does not exist.
    /// - Throws: code `usage`: it is unreadable, not regular, too large, another user's, or open to others; `other` if
    ///   descriptors or memory are short.
    func read() throws(TransferError) -> (bytes: [UInt8], version: Version)? {
        let (file, status): (Descriptor, stat)
        do {
            file = try Descriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            status = try file.status()
        } catch {
            if SystemError.isMissing(error.errno) { return nil }
            throw TransferError(
                .usage, file: error.errno == ELOOP ? .symbolicLink : .read, path: path, systemErrno: error.errno,
                variant: error.errno == EACCES ? .fileForbidden : nil)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw TransferError(.usage, file: .notRegularFile, path: path, variant: .fileInTheWay)
        }
        guard status.st_uid == geteuid() else {
            throw TransferError(.usage, file: .otherUser, path: path, variant: .fileInTheWay)
        }
        guard status.st_mode & privacy.forbidden == 0 else {
            throw TransferError(
                .usage, file: privacy == .secret ? .readableByOthers : .changeableByOthers, path: path)
        }
        guard status.st_size <= maximumBytes else {
            throw TransferError(
                .usage, file: FileProblem(.implausible, bytes: Int64(maximumBytes)), path: path)
        }
        guard let bytes = try? file.read(Int(status.st_size)), bytes.count == status.st_size else {
            throw TransferError(.usage, file: .readPartly, path: path, variant: .fileBusy)
        }
        return (bytes, Version(file, status))
    }

    /// Runs `body` while no other process or thread changes the file.
    /// - Throws: code `cannotWrite` if the lock is not available; errors of `body`.
    func locked<Result>(_ body: () throws(TransferError) -> Result) throws(TransferError) -> Result {
        try Self.makeFolders(above: path)
        let lock: Descriptor
        let isHeld: Bool
        do {
            lock = try Descriptor.open(path + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
            isHeld = try FileLock.take(lock, patience: patience)
        } catch {
            throw Self.cannotWrite(path + ".lock", error.errno)
        }
        defer { withExtendedLifetime(lock) {} }
        guard isHeld else {
            throw TransferError(.cannotWrite, file: .beingChanged, path: path, variant: .fileBusy)
        }
        return try body()
    }

    /// Replaces the file by `bytes`, synced. Only inside ``locked(_:)``.
    /// - Throws: code `cannotWrite`; then the old file is unchanged.
    func replace(with bytes: [UInt8]) throws(TransferError) -> Version {
        guard bytes.count <= maximumBytes else {
            throw TransferError(
                .cannotWrite, file: FileProblem(.tooLarge, bytes: Int64(maximumBytes)), path: path, variant: .fileFull)
        }
        do {
            let file = try AtomicFile.replace(path, with: bytes, temporary: .fixed, durability: .file)
            return Version(file, try file.status())
        } catch {
            throw Self.cannotWrite(error.path ?? path, error.errno)
        }
    }

    /// Creates missing folders with mode 0700. Existing ones are unchanged.
    static func makeFolders(above path: String) throws(TransferError) {
        guard let slash = path.lastSlash else { return }
        do { try PrivateFolder.makeMissing(String(path[..<slash])) } catch {
            throw Self.cannotWrite(error.path ?? path, error.errno)
        }
    }

    private static func cannotWrite(_ path: String, _ code: Int32) -> TransferError {
        TransferError(.cannotWrite, file: .write, path: path, systemErrno: code)
    }
}
