// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
package import TransferModel

/// A port whose connections are never completed, like a lost host to a connect timer.
///
/// Listens with a backlog of one, fills it itself and accepts nothing: Linux then drops every further SYN. IPv4 on this
/// machine only.
package final class Blackhole: Sendable {
    package let port: Int
    /// `http://127.0.0.1:PORT`
    package var url: String { "http://127.0.0.1:\(port)" }
    /// The listening socket and what fills it.
    private let descriptors: Mutex<[Int32]>

    /// - Parameter port: 0: any free port.
    /// - Throws: code `other` if the port is taken, or if this kernel completes connections anyway.
    package init(port: Int = 0) throws(TransferError) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw Self.failure("no socket can be made", errno) }
        var opened = [listener]
        do throws(TransferError) {
            var yes: Int32 = 1
            setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
            guard Self.withLoopback(port, { bind(listener, $0, $1) }) == 0, listen(listener, 0) == 0 else {
                throw Self.failure("cannot listen at 127.0.0.1:\(port)", errno)
            }
            self.port = Self.port(of: listener)
            try Self.fill(self.port, &opened)
        } catch {
            for descriptor in opened { close(descriptor) }
            throw error
        }
        descriptors = Mutex(opened)
    }

    deinit { stop() }

    /// Refuses connections from now on. Idempotent.
    package func stop() {
        let open = descriptors.withLock { descriptors in
            defer { descriptors = [] }
            return descriptors
        }
        for descriptor in open { close(descriptor) }
    }

    /// Connects until it fails. On loopback a connection is established immediately or never.
    private static func fill(_ port: Int, _ opened: inout [Int32]) throws(TransferError) {
        for _ in 0..<16 {
            let filler = socket(
                AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
            guard filler >= 0 else { throw failure("no socket can be made", errno) }
            opened.append(filler)
            if withLoopback(port, { connect(filler, $0, $1) }) == 0 { continue }
            guard errno == EINPROGRESS else { throw failure("the port could not be filled", errno) }
            var poller = pollfd(fd: filler, events: Int16(POLLOUT), revents: 0)
            if poll(&poller, 1, 100) == 0 { return }
        }
        throw TransferError(
            .other, "this kernel completes connections without accepting them: no blackhole can be made")
    }

    private static func failure(_ words: String, _ code: Int32) -> TransferError {
        TransferError(.other, "\(words): \(String(cString: strerror(code)))", systemErrno: code)
    }

    private static func withLoopback(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func port(of descriptor: Int32) -> Int {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &size) }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
