// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// A non-blocking rtnetlink socket. Used by one thread at a time; closes itself.
final class NetlinkSocket {
    enum Reception {
        /// One message or several.
        case datagram([UInt8])
        /// Nothing available.
        case empty
        /// The socket's buffer overflowed.
        case overrun
        case failed(Int32)
    }

    let descriptor: Int32
    private var buffer: [UInt8]

    /// - Parameters:
    ///   - groups: `RTMGRP_…` to subscribe to.
    ///   - capacity: maximum size of a datagram; a larger one counts as lost.
    ///   - receiveBuffer: in bytes; `nil`: the system's default.
    /// - Returns: `nil` if the system does not allow it.
    init?(groups: UInt32 = 0, capacity: Int = 65_536, receiveBuffer: Int32? = nil) {
        buffer = [UInt8](repeating: 0, count: capacity)
        descriptor = socket(
            AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue),
            NETLINK_ROUTE)
        guard descriptor >= 0 else { return nil }
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_nl()
        address.nl_family = UInt16(AF_NETLINK)
        address.nl_groups = groups
        let size = socklen_t(MemoryLayout<sockaddr_nl>.size)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
        guard isBound else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func send(_ request: [UInt8]) -> Bool {
        Glibc.send(descriptor, request, request.count, 0) == request.count
    }

    /// One datagram.
    func receive() -> Reception {
        while true {
            var sender = sockaddr_nl()
            var size = socklen_t(MemoryLayout<sockaddr_nl>.size)
            let count = withUnsafeMutablePointer(to: &sender) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(descriptor, &buffer, buffer.count, Int32(MSG_TRUNC), $0, &size)
                }
            }
            if count < 0 {
                switch errno {
                case EINTR: continue
                case EAGAIN: return .empty
                case ENOBUFS: return .overrun
                default: return .failed(errno)
                }
            }
            // Other processes can send to this socket; only the kernel has port 0.
            guard sender.nl_pid == 0 else { continue }
            guard count <= buffer.count else { return .overrun }
            return .datagram(Array(buffer[..<count]))
        }
    }
}
