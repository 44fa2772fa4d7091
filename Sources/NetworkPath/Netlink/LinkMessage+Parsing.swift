// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SessionCore

extension LinkMessage {
    /// All messages in `bytes` that affect paths, in order. Never reads beyond `bytes`, whatever the content.
    static func parse(_ bytes: ArraySlice<UInt8>) -> [LinkMessage] {
        var reader = NetlinkReader(bytes)
        var found: [LinkMessage] = []
        while let message = reader.next() {
            if message.flags & UInt16(NLM_F_DUMP_INTR) != 0 { found.append(.inconsistent) }
            if let one = parse(message) { found.append(one) }
        }
        if reader.isDamaged { found.append(.inconsistent) }
        return found
    }

    private static func parse(_ message: NetlinkReader.Message) -> LinkMessage? {
        switch Int(message.type) {
        case Int(NLMSG_DONE): return .done
        case Int(NLMSG_OVERRUN): return .inconsistent
        case Int(NLMSG_ERROR): return .failure(0 &- (message.body.load(Int32.self) ?? -EBADMSG))
        case RTM_NEWLINK: return link(message.body).map { .link($0) }
        case RTM_DELLINK:
            // A port that leaves its bridge is reported as removed in the bridge's family; the link itself stays.
            guard let head = message.body.load(ifinfomsg.self), head.ifi_family == UInt8(AF_UNSPEC) else { return nil }
            return .linkRemoved(head.ifi_index)
        case RTM_NEWADDR: return address(message.body)
        case RTM_DELADDR:
            guard case .address(let gone) = address(message.body, isRemoval: true) else { return nil }
            return .addressRemoved(gone)
        case RTM_NEWROUTE:
            let routes = routes(message.body)
            let replaces = message.flags & UInt16(NLM_F_REPLACE) != 0
            return routes.isEmpty && !replaces ? nil : .routes(routes, replaces: replaces)
        case RTM_DELROUTE:
            let routes = routes(message.body)
            return routes.isEmpty ? nil : .routesRemoved(routes)
        default: return nil
        }
    }

    private static func link(_ body: ArraySlice<UInt8>) -> Link? {
        guard let head = body.load(ifinfomsg.self), head.ifi_family == UInt8(AF_UNSPEC), head.ifi_index > 0 else {
            return nil
        }
        var name: String?
        var driver: String?
        for attribute in NetlinkAttributes(body.dropFirst(MemoryLayout<ifinfomsg>.size)) {
            switch attribute.type {
            case IFLA_IFNAME: name = attribute.value.cText
            case IFLA_LINKINFO:
                driver = NetlinkAttributes(attribute.value).first { $0.type == IFLA_INFO_KIND }?.value.cText
            default: break
            }
        }
        guard let name, isName(name) else { return nil }
        let flags = head.ifi_flags
        // IFF_LOWER_UP: the driver has a carrier. IFF_RUNNING: the link above it (802.1X, association) is up, too.
        let lowerUp: UInt32 = 1 << 16
        return Link(
            index: head.ifi_index, name: name, type: head.ifi_type, driver: driver,
            isUp: flags & UInt32(IFF_UP) != 0,
            hasLink: flags & lowerUp != 0 && flags & UInt32(IFF_RUNNING) != 0)
    }

    /// Restricted to valid folder names in /sys.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count < Int(IFNAMSIZ) && name != "." && name != ".."
            && !name.utf8.contains(UInt8(ascii: "/"))
    }

    private static func address(_ body: ArraySlice<UInt8>, isRemoval: Bool = false) -> LinkMessage? {
        guard let head = body.load(ifaddrmsg.self), head.ifa_index > 0, head.ifa_index <= UInt32(Int32.max) else {
            return nil
        }
        var local: HostAddress?
        var peer: HostAddress?
        var flags = UInt32(head.ifa_flags)
        for attribute in NetlinkAttributes(body.dropFirst(MemoryLayout<ifaddrmsg>.size)) {
            switch attribute.type {
            case IFA_LOCAL: local = host(attribute.value, family: head.ifa_family)
            case IFA_ADDRESS: peer = host(attribute.value, family: head.ifa_family)
            case IFA_FLAGS: flags = attribute.value.load(UInt32.self) ?? flags
            default: break
            }
        }
        // On a point-to-point link the first is the local address, the second the peer's; elsewhere one may be missing.
        guard let address = local ?? peer, !isLinkOnly(address) else { return nil }
        let one = LinkAddress(index: Int32(head.ifa_index), address: address)
        // An address cannot be used until duplicate address detection is done; nor if it failed (RFC 4862).
        let isUnusable = flags & UInt32(IFA_F_TENTATIVE | IFA_F_DADFAILED) != 0 && flags & UInt32(IFA_F_OPTIMISTIC) == 0
        return isUnusable && !isRemoval ? .addressRemoved(one) : .address(one)
    }

    private static func routes(_ body: ArraySlice<UInt8>) -> [Route] {
        guard let head = body.load(rtmsg.self), head.rtm_type == UInt8(RTN_UNICAST),
            head.rtm_flags & UInt32(RTM_F_CLONED) == 0
        else { return [] }
        var table = UInt32(head.rtm_table)
        var destination: HostAddress?
        var metric: UInt32 = 0
        var index: UInt32?
        var gateway: HostAddress?
        var hops: ArraySlice<UInt8>?
        for attribute in NetlinkAttributes(body.dropFirst(MemoryLayout<rtmsg>.size)) {
            switch attribute.type {
            case Int(RTA_TABLE.rawValue): table = attribute.value.load(UInt32.self) ?? table
            case Int(RTA_DST.rawValue): destination = host(attribute.value, family: head.rtm_family)
            case Int(RTA_PRIORITY.rawValue): metric = attribute.value.load(UInt32.self) ?? 0
            case Int(RTA_OIF.rawValue): index = attribute.value.load(UInt32.self)
            case Int(RTA_GATEWAY.rawValue): gateway = host(attribute.value, family: head.rtm_family)
            case Int(RTA_MULTIPATH.rawValue): hops = attribute.value
            default: break
            }
        }
        guard let destination = destination ?? anywhere(head.rtm_family), table != UInt32(RT_TABLE_LOCAL.rawValue),
            !destination.isMulticast, !isLinkOnly(destination),
            Int(head.rtm_dst_len) <= destination.bitCount
        else { return [] }
        func route(_ index: Int32, _ gateway: HostAddress?) -> Route {
            Route(
                index: index, table: table, destination: destination, length: Int(head.rtm_dst_len), metric: metric,
                gateway: gateway)
        }
        if let index, index > 0, index <= UInt32(Int32.max) { return [route(Int32(index), gateway)] }
        return hops.map { nextHops($0, family: head.rtm_family).map { route($0.index, $0.gateway) } } ?? []
    }

    /// At most 64: the same route over several interfaces.
    private static func nextHops(_ bytes: ArraySlice<UInt8>, family: UInt8) -> [(index: Int32, gateway: HostAddress?)] {
        var rest = bytes
        var found: [(index: Int32, gateway: HostAddress?)] = []
        while found.count < 64, let hop = rest.load(rtnexthop.self), case let length = Int(hop.rtnh_len),
            length >= MemoryLayout<rtnexthop>.size, length <= rest.count
        {
            let attributes = NetlinkAttributes(rest.prefix(length).dropFirst(MemoryLayout<rtnexthop>.size))
            let gateway = attributes.first { $0.type == Int(RTA_GATEWAY.rawValue) }
            if hop.rtnh_ifindex > 0 {
                found.append((hop.rtnh_ifindex, gateway.flatMap { host($0.value, family: family) }))
            }
            rest = rest.dropFirst((length + 3) & ~3)
        }
        return found
    }

    /// fe80::/10 is on every link and not routed. In IPv4 such addresses connect two machines on a cable.
    private static func isLinkOnly(_ address: HostAddress) -> Bool { address.family == .ipv6 && address.isLinkLocal }

    private static func host(_ value: ArraySlice<UInt8>, family: UInt8) -> HostAddress? {
        switch Int32(family) {
        case AF_INET where value.count == 4, AF_INET6 where value.count == 16: HostAddress(bytes: value)
        default: nil
        }
    }

    private static func anywhere(_ family: UInt8) -> HostAddress? {
        switch Int32(family) {
        case AF_INET: HostAddress(bytes: [0, 0, 0, 0])
        case AF_INET6: HostAddress(bytes: [UInt8](repeating: 0, count: 16))
        default: nil
        }
    }
}
