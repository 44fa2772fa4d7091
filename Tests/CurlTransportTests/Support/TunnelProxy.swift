// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Synchronization

/// A proxy on loopback that answers each CONNECT as a test says, and passes bytes on after a 2xx.
final class TunnelProxy: Sendable {
    let port: Int
    private let listener: Int32
    private let log = Mutex<[String]>([])
    private let tunnels = Atomic<Int>(0)

    /// - Parameter answer: gets the head of a request to the proxy and its number, from 1; the head of the answer, with
    ///   an empty line.
    init(_ answer: @escaping @Sendable (String, Int) -> String) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [weak self] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { return }
                guard let self else {
                    close(descriptor)
                    return
                }
                Thread.detachNewThread {
                    self.serve(descriptor, answer)
                    close(descriptor)
                }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// Every head that the proxy was sent, in order.
    var requests: [String] { log.withLock { $0 } }
    var openedTunnels: Int { tunnels.load(ordering: .relaxed) }

    private func serve(_ client: Int32, _ answer: (String, Int) -> String) {
        while let head = Self.readHead(client) {
            let number = log.withLock { log in
                log.append(head)
                return log.count
            }
            let text = answer(head, number)
            Self.send(client, Array(text.utf8))
            guard text.split(separator: " ").dropFirst().first?.first == "2" else { continue }
            // `CONNECT 127.0.0.1:43211 HTTP/1.1`
            guard
                let target = head.split(separator: " ").dropFirst().first?.split(separator: ":").last.flatMap({
                    UInt16($0)
                })
            else { return }
            tunnels.add(1, ordering: .relaxed)
            return Self.join(client, target)
        }
    }

    private static func join(_ client: Int32, _ port: UInt16) {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(server) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return }
        var room = [UInt8](repeating: 0, count: 65_536)
        while true {
            var both = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&both, 2, -1) > 0 else { return }
            for (from, to) in [(0, server), (1, client)] where both[from].revents != 0 {
                let count = recv(both[from].fd, &room, room.count, 0)
                guard count > 0 else { return }
                send(to, Array(room[..<count]))
            }
        }
    }

    private static func readHead(_ descriptor: Int32) -> String? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            var byte: UInt8 = 0
            guard recv(descriptor, &byte, 1, 0) == 1 else { return nil }
            head.append(byte)
        }
        return String(decoding: head, as: UTF8.self)
    }

    private static func send(_ descriptor: Int32, _ bytes: [UInt8]) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            done += count
        }
    }
}
