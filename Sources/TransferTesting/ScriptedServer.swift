// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Glibc
import Synchronization

/// A server on loopback whose responses a test writes byte for byte.
///
/// Runs the script on a thread per accepted connection; the connection closes when the script returns.
package final class ScriptedServer: Sendable {
    package let port: Int
    private let listener: Int32
    private let open: Mutex<Set<Int32>>
    private let log = Mutex<[String]>([])

    /// - Parameter script: receives the connection and its number, from 1.
    package init(_ script: @escaping @Sendable (ScriptedConnection, Int) -> Void) throws {
        // A child started meanwhile must not keep a connection open that the script has closed.
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(listener, raw, size) == 0 && listen(listener, 64) == 0 && getsockname(listener, raw, &size) == 0
            }
        }
        guard bound else { throw POSIXError(.EADDRINUSE) }
        port = Int(UInt16(bigEndian: address.sin_port))
        self.open = Mutex([])
        Thread.detachNewThread { [weak self] in
            var number = 0
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { return }
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                guard let server = self, server.open.withLock({ $0.insert(descriptor).inserted }) else {
                    close(descriptor)
                    return
                }
                number += 1
                let connection = ScriptedConnection(descriptor: descriptor, server: server)
                let current = number
                Thread.detachNewThread {
                    script(connection, current)
                    connection.finish()
                }
            }
        }
    }

    deinit { stop() }

    /// The approximate receive buffer of new connections: further bytes wait at the sender.
    package func setReceiveBuffer(_ bytes: Int32) {
        var bytes = bytes
        setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Closes the listener and every connection.
    package func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        open.withLock { $0.forEach { shutdown($0, Int32(SHUT_RDWR)) } }
    }

    package func url(_ path: String = "/file") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// All request heads so far, in order.
    package var requests: [String] { log.withLock { $0 } }

    /// Connections that no end has closed.
    package var openCount: Int { open.withLock { $0.count } }

    fileprivate func note(_ head: String) { log.withLock { $0.append(head) } }
    fileprivate func forget(_ descriptor: Int32) { open.withLock { _ = $0.remove(descriptor) } }
}

/// A connection of a ``ScriptedServer``.
package final class ScriptedConnection: @unchecked Sendable {
    // Sendable: used only by the thread that runs the script.

    private let descriptor: Int32
    private let server: ScriptedServer
    private var buffered: [UInt8] = []

    fileprivate init(descriptor: Int32, server: ScriptedServer) {
        self.descriptor = descriptor
        self.server = server
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Reads one request head; `nil` if the peer has closed.
    package func readHead() -> String? {
        while true {
            if let end = buffered.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: buffered[..<end.lowerBound], as: UTF8.self)
                buffered.removeSubrange(..<end.upperBound)
                server.note(head)
                return head
            }
            guard fill() else { return nil }
        }
    }

    /// Reads `count` body bytes; fewer if the peer closes first.
    package func readBody(_ count: Int) -> [UInt8] {
        while buffered.count < count, fill() {}
        let body = Array(buffered.prefix(count))
        buffered.removeFirst(body.count)
        return body
    }

    /// Reads a chunked body to its end.
    package func readChunked() -> [UInt8] {
        var body: [UInt8] = []
        while true {
            while buffered.firstRange(of: [13, 10]) == nil { guard fill() else { return body } }
            let end = buffered.firstRange(of: [13, 10])!
            let size = Int(String(decoding: buffered[..<end.lowerBound], as: UTF8.self), radix: 16) ?? 0
            buffered.removeSubrange(..<end.upperBound)
            let chunk = readBody(size + 2).dropLast(2)
            if size == 0 { return body }
            body += chunk
        }
    }

    package func send(_ text: String) { send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) { _ = sendIfOpen(bytes) }

    /// - Returns: false if the peer has closed.
    package func sendIfOpen(_ bytes: [UInt8]) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// A complete response with `Content-Length`.
    package func answer(_ status: String, _ fields: [String] = [], body: [UInt8] = []) {
        send("HTTP/1.1 \(status)\r\nContent-Length: \(body.count)\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
        send(body)
    }

    /// Closes the connection with a reset.
    package func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// POLLRDHUP, which Glibc's module lacks.
    private static let closedByPeer: Int16 = 0x2000

    /// Waits for the peer to close, for `milliseconds` at most.
    package func closes(within milliseconds: Int32) -> Bool {
        var polled = pollfd(fd: descriptor, events: Self.closedByPeer, revents: 0)
        return poll(&polled, 1, milliseconds) > 0
    }

    /// Reads and discards until the peer has closed.
    package func waitForClose() { while fill() { buffered.removeAll() } }

    /// Takes no more bytes, and returns when the server is stopped or the peer resets: what the peer still sends stays
    /// in the kernel's buffers, however late the peer looks. A test has to stop the server.
    package func waitWithoutReading() {
        var polled = pollfd(fd: descriptor, events: 0, revents: 0)
        while poll(&polled, 1, -1) < 0, errno == EINTR {}
    }

    private func fill() -> Bool {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count > 0 else { return false }
        buffered += piece[..<count]
        return true
    }

    fileprivate func finish() {
        server.forget(descriptor)
        close(descriptor)
    }
}
