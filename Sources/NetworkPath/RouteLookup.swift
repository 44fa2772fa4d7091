// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SessionCore

/// The route of a packet to an address.
enum RouteAnswer: Sendable, Hashable {
    /// `index` is `nil` if the system reports only the source address.
    case route(index: Int32?, source: HostAddress?)
    /// This machine.
    case local
    /// With the errno of connecting.
    case none(Int32)
    case unknown
}

/// Queries the route to an address. Sends nothing, does not block.
protocol RouteLookup: Sendable {
    func route(to address: HostAddress, through index: Int32?) -> RouteAnswer
}

/// Queries the kernel by netlink, or by connecting a datagram socket if that is not allowed.
struct KernelRoutes: RouteLookup {
    func route(to address: HostAddress, through index: Int32?) -> RouteAnswer {
        let answer = queryNetlink(address, index)
        return answer == .unknown && index == nil ? Self.connectDatagram(address) : answer
    }

    private func queryNetlink(_ address: HostAddress, _ index: Int32?) -> RouteAnswer {
        guard let socket = NetlinkSocket(capacity: 4096),
            socket.send(NetlinkRequest.route(to: address, through: index)),
            case .datagram(let reply) = socket.receive()
        else { return .unknown }
        return Self.answer(in: reply[...])
    }

    /// Parses the reply to ``NetlinkRequest/route(to:through:)``. No I/O.
    static func answer(in reply: ArraySlice<UInt8>) -> RouteAnswer {
        var reader = NetlinkReader(reply)
        guard let message = reader.next() else { return .unknown }
        if Int(message.type) == Int(NLMSG_ERROR) { return refusal(0 &- (message.body.load(Int32.self) ?? 0)) }
        guard Int(message.type) == RTM_NEWROUTE, let head = message.body.load(rtmsg.self) else { return .unknown }
        switch Int(head.rtm_type) {
        case RTN_LOCAL: return .local
        case RTN_UNICAST, RTN_BROADCAST, RTN_MULTICAST, RTN_ANYCAST: break
        default: return .none(EHOSTUNREACH)
        }
        var index: Int32?
        var source: HostAddress?
        for attribute in NetlinkAttributes(message.body.dropFirst(MemoryLayout<rtmsg>.size)) {
            switch attribute.type {
            case Int(RTA_OIF.rawValue): index = attribute.value.load(Int32.self)
            case Int(RTA_PREFSRC.rawValue): source = HostAddress(bytes: attribute.value)
            default: break
            }
        }
        return .route(index: index, source: source)
    }

    private static func refusal(_ code: Int32) -> RouteAnswer {
        switch code {
        // EACCES: a route that prohibits.
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL, EACCES: .none(code)
        default: .unknown
        }
    }

    static func connectDatagram(_ address: HostAddress) -> RouteAnswer {
        let family = address.family == .ipv4 ? AF_INET : AF_INET6
        let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return errno == EAFNOSUPPORT ? .none(ENETUNREACH) : .unknown }
        defer { close(descriptor) }
        var name = SocketAddress(address)
        guard name.withPointer({ connect(descriptor, $0, $1) }) == 0 else { return refusal(errno) }
        guard name.withMutablePointer({ getsockname(descriptor, $0, $1) }) == 0, let source = name.host else {
            return .unknown
        }
        return source.isLoopback ? .local : .route(index: nil, source: source)
    }
}

/// A socket address of either family, port 9 (discard): no packet is ever sent.
private struct SocketAddress {
    private var storage = sockaddr_storage()
    private var size: socklen_t

    init(_ address: HostAddress) {
        size = socklen_t(address.family == .ipv4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size)
        withUnsafeMutableBytes(of: &storage) { raw in
            let bytes = address.bytes
            if address.family == .ipv4 {
                var name = sockaddr_in()
                name.sin_family = sa_family_t(AF_INET)
                name.sin_port = UInt16(9).bigEndian
                withUnsafeMutableBytes(of: &name.sin_addr) { $0.copyBytes(from: bytes) }
                raw.storeBytes(of: name, as: sockaddr_in.self)
            } else {
                var name = sockaddr_in6()
                name.sin6_family = sa_family_t(AF_INET6)
                name.sin6_port = UInt16(9).bigEndian
                name.sin6_scope_id = address.zone.map { UInt32($0) ?? if_nametoindex($0) } ?? 0
                withUnsafeMutableBytes(of: &name.sin6_addr) { $0.copyBytes(from: bytes) }
                raw.storeBytes(of: name, as: sockaddr_in6.self)
            }
        }
    }

    var host: HostAddress? {
        withUnsafeBytes(of: storage) { raw in
            switch Int32(storage.ss_family) {
            case AF_INET:
                HostAddress(bytes: withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) })
            case AF_INET6:
                HostAddress(
                    bytes: withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) })
            default: nil
            }
        }
    }

    mutating func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: &storage) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) } }
    }

    mutating func withMutablePointer<Result>(
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
    ) -> Result {
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
        }
    }
}
