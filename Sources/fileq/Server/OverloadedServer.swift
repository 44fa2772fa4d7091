// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Platform
import Synchronization
import TransferModel

/// A server of the demonstration that is overloaded: its first response is 503 with Retry-After, all others redirect to
/// another server. What is below ``closed`` needs a login, whichever it is. Each connection has a thread.
final class OverloadedServer: Sendable {
    let port: Int
    private let listener: Int32
    private let requests = Mutex(0)

    static let closed = "/private/"

    /// Without a trailing slash.
    var url: String { "http://127.0.0.1:\(port)" }

    /// - Parameters:
    ///   - seconds: in Retry-After.
    ///   - other: the server that has the files, without a trailing slash.
    init(for seconds: Int, insteadOf other: String) throws(TransferError) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(descriptor, raw, size) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, raw, &size) == 0
            }
        }
        guard isBound else {
            let code = errno
            if descriptor >= 0 { close(descriptor) }
            throw TransferError(.other, "cannot open a port on this machine: \(TransferError.phrase(errno: code))")
        }
        listener = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in serve(seconds, other) }
    }

    deinit { close(listener) }

    /// Accepts no further connection.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve(_ seconds: Int, _ other: String) {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                return
            }
            Thread.detachNewThread { [self] in
                if let (path, hasLogin) = Self.request(on: connection) {
                    respond(to: path, hasLogin, on: connection, seconds, other)
                }
                close(connection)
            }
        }
    }

    private func respond(
        to path: String, _ hasLogin: Bool, on connection: Int32, _ seconds: Int, _ other: String
    ) {
        let head: String
        if path.hasPrefix(Self.closed) {
            head =
                hasLogin
                ? "307 Temporary Redirect\r\nLocation: \(other)/\(path.dropFirst(Self.closed.count))"
                : "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"demo\""
        } else {
            let number = requests.withLock { count in
                count += 1
                return count
            }
            head =
                number == 1
                ? "503 Service Unavailable\r\nRetry-After: \(seconds)"
                : "307 Temporary Redirect\r\nLocation: \(other)\(path)"
        }
        let response = Array("HTTP/1.1 \(head)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
        _ = response.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// The path of the request, and whether it has a login, once its head is whole; `nil` if none comes.
    private static func request(on connection: Int32) -> (path: String, hasLogin: Bool)? {
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let most = 4096
        var buffer = [UInt8](repeating: 0, count: most)
        var received: [UInt8] = []
        while !received.reversed().starts(with: [10, 13, 10, 13]) {
            let count = recv(connection, &buffer, most, 0)
            guard count > 0, received.count < 16 * most else { return nil }
            received += buffer.prefix(count)
        }
        let text = String(decoding: received, as: UTF8.self)
        let words = text.split(separator: " ")
        guard words.count > 2, words[1].beginsWithSlash else { return nil }
        return (String(words[1]), text.lowercased().contains("\r\nauthorization:"))
    }
}
