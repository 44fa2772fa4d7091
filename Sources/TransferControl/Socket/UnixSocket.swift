// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// Stream sockets with a path, and their peer credentials.
enum UnixSocket {
    /// Bytes of a path that fit into `sun_path` with its NUL (unix(7)).
    static let maximumPathBytes = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// A non-blocking socket with close-on-exec.
    static func make() throws(TransferError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw failure(.makeSocket, nil, errno) }
        return descriptor
    }

    /// - Throws: code `usage` for an invalid path.
    static func withAddress<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) throws(TransferError) -> Result {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, !bytes.contains(0) else {
            throw TransferError(.usage, file: .invalidSocketPath)
        }
        guard bytes.count <= maximumPathBytes else {
            throw TransferError(
                .usage, file: .init(.longSocketPath, bytes: Int64(maximumPathBytes)), path: path,
                variant: .longSocketPath)
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// - Returns: 0 or an errno.
    static func connect(_ descriptor: Int32, to path: String) throws(TransferError) -> Int32 {
        try withAddress(path) { address, length in
            while Glibc.connect(descriptor, address, length) != 0 {
                let code = errno
                if code != EINTR { return code }
            }
            return 0
        }
    }

    /// The peer's user when it connected, or when it began to listen (`SO_PEERCRED`); `nil` if unknown.
    static func peerUser(_ descriptor: Int32) -> uid_t? {
        // `struct ucred`: pid, uid, gid, each of 32 bits.
        var credentials: (pid_t, uid_t, gid_t) = (0, 0, 0)
        var length = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0,
            length == MemoryLayout.size(ofValue: credentials)
        else { return nil }
        return credentials.1
    }

    static func failure(_ problem: FileProblem.Kind, _ path: String?, _ code: Int32) -> TransferError {
        TransferError(.other, file: problem, path: path, systemErrno: code)
    }
}
