// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Synchronization
import TransferModel

/// A listening socket: bound to a path of this user, or inherited.
final class ListeningSocket: Sendable {
    private struct Identity: Equatable {
        let device: dev_t
        let inode: ino_t

        init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }
    }

    let descriptor: Int32
    /// `nil` if inherited: then the path belongs to another process.
    let path: String?
    /// Held while listening: two servers starting concurrently must not take each other's socket for a dead one.
    private let lock: Mutex<Descriptor?>
    private let identity: Identity?

    /// Binds a socket with mode 0600, in a private folder, created with mode 0700 if missing. Replaces the socket of a
    /// dead server, never of a running one.
    /// - Throws: code `usage` for an unsuitable path or folder, `other` if another process listens there.
    init(path: String) throws(TransferError) {
        try UnixSocket.withAddress(path) { _, _ in }
        try Self.prepareFolder(of: path)
        let lock = try Self.takeLock(path)
        try Self.removeStale(path)
        let descriptor = try UnixSocket.make()
        do throws(TransferError) {
            identity = Identity(try Self.bind(descriptor, to: path))
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.lock = Mutex(lock)
        self.path = path
    }

    /// - Parameter descriptor: owned by the socket from now on.
    /// - Throws: code `usage` unless it is a listening Unix stream socket.
    init(inherited descriptor: Int32) throws(TransferError) {
        func option(_ name: Int32) -> Int32? {
            var value: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
        }
        guard option(SO_DOMAIN) == AF_UNIX, option(SO_TYPE) == Int32(SOCK_STREAM.rawValue), option(SO_ACCEPTCONN) == 1
        else {
            throw TransferError(.usage, .serviceUnsuitableSocket)
        }
        DescriptorFlags.set(descriptor)
        self.descriptor = descriptor
        path = nil
        lock = Mutex(nil)
        identity = nil
    }

    /// Whether the path still leads to this socket; an inherited socket is not checked.
    var isInPlace: Bool {
        guard let path, let identity else { return true }
        var status = stat()
        return lstat(path, &status) == 0 && Identity(status) == identity
    }

    /// Removes the path, if it is still this socket's, and stops listening. Once.
    func end() {
        if let path, let identity {
            var status = stat()
            if lstat(path, &status) == 0, Identity(status) == identity { unlink(path) }
        }
        close(descriptor)
        lock.withLock { $0 = nil }
    }

    private static func prepareFolder(of path: String) throws(TransferError) {
        let folder = ParentFolder.path(of: path)
        do {
            try PrivateFolder.prepare(folder)
        } catch {
            switch error {
            case .failed(let error) where error.call == "mkdir":
                throw UnixSocket.failure(.makeFolder, error.path ?? folder, error.errno)
            case .failed(let error): throw UnixSocket.failure(.useFolder, folder, error.errno)
            case .notAFolder: throw TransferError(.usage, file: .notFolder, path: folder)
            case .foreign: throw TransferError(.usage, file: .otherUser, path: folder, variant: .foreignFolder)
            case .writableByOthers:
                throw TransferError(.usage, file: .writableByOthers, path: folder, variant: .writableByOthers)
            }
        }
    }

    private static func takeLock(_ path: String) throws(TransferError) -> Descriptor {
        let (file, isHeld): (Descriptor, Bool)
        do {
            file = try Descriptor.open(path + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
            isHeld = try FileLock.take(file)
        } catch {
            throw UnixSocket.failure(error.call == "flock" ? .lock : .open, path + ".lock", error.errno)
        }
        guard isHeld else { throw alive(path) }
        return file
    }

    /// A socket that refuses connections is dead.
    private static func removeStale(_ path: String) throws(TransferError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw UnixSocket.failure(.check, path, errno)
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw TransferError(.usage, file: .notSocket, path: path, variant: .fileInTheWay)
        }
        let probe = try UnixSocket.make()
        defer { close(probe) }
        switch try UnixSocket.connect(probe, to: path) {
        case ECONNREFUSED:
            guard unlink(path) == 0 || errno == ENOENT else {
                throw UnixSocket.failure(.removeSocket, path, errno)
            }
        // A full backlog means that it is alive.
        case 0, EAGAIN, EINPROGRESS: throw alive(path)
        case ENOENT: break
        case let code: throw UnixSocket.failure(.probe, path, code)
        }
    }

    /// - Returns: the state of the path.
    private static func bind(_ descriptor: Int32, to path: String) throws(TransferError) -> stat {
        // On Linux the path gets the socket's own mode (unix(7)); the process-wide umask is unchanged.
        guard fchmod(descriptor, 0o600) == 0 else {
            throw UnixSocket.failure(.restrictSocket, path, errno)
        }
        let code = try UnixSocket.withAddress(path) { address, length in
            Glibc.bind(descriptor, address, length) == 0 ? 0 : errno
        }
        guard code == 0 else { throw UnixSocket.failure(.makeSocket, path, code) }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & 0o777 == 0o600, status.st_uid == geteuid() else {
            unlink(path)
            throw TransferError(
                .usage,
                "\(path): this file system does not keep a socket to one user",
                fields: .init(path: path, variant: .unsafeFileSystem))
        }
        guard listen(descriptor, 128) == 0 else {
            let code = errno
            unlink(path)
            throw UnixSocket.failure(.listen, path, code)
        }
        return status
    }

    private static func alive(_ path: String) -> TransferError {
        TransferError(
            .other, "\(path): a service listens here already", fields: .init(path: path, variant: .socketTaken))
    }
}

/// What every descriptor of a connection needs.
enum DescriptorFlags {
    /// Non-blocking, close-on-exec.
    static func set(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, fcntl(descriptor, F_GETFD) | FD_CLOEXEC)
    }
}
