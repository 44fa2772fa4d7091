// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SessionCore

/// Messages as the kernel writes them.
enum MessageBuilder {
    static func message(_ type: Int, flags: Int32 = 0, _ body: [UInt8]) -> [UInt8] {
        var head = nlmsghdr()
        head.nlmsg_len = UInt32(16 + body.count)
        head.nlmsg_type = UInt16(type)
        head.nlmsg_flags = UInt16(flags)
        return padded(bytes(head) + body)
    }

    static func attribute(_ type: Int, _ value: [UInt8]) -> [UInt8] {
        var head = rtattr()
        head.rta_len = UInt16(4 + value.count)
        head.rta_type = UInt16(type)
        return padded(bytes(head) + value)
    }

    static func link(
        _ index: Int32, _ name: String, type: UInt16 = 1, flags: UInt32 = 0x10043, driver: String? = nil,
        family: Int32 = AF_UNSPEC, removed: Bool = false
    ) -> [UInt8] {
        var head = ifinfomsg()
        head.ifi_family = UInt8(family)
        head.ifi_type = type
        head.ifi_index = index
        head.ifi_flags = flags
        var body = bytes(head) + attribute(Int(IFLA_IFNAME), Array(name.utf8) + [0])
        if let driver { body += attribute(IFLA_LINKINFO | 0x8000, attribute(IFLA_INFO_KIND, Array(driver.utf8) + [0])) }
        return message(removed ? RTM_DELLINK : RTM_NEWLINK, body)
    }

    static func address(
        _ index: UInt32, _ local: String, peer: String? = nil, flags: UInt32 = 0, removed: Bool = false
    ) -> [UInt8] {
        let host = HostAddress(local)!
        var head = ifaddrmsg()
        head.ifa_family = UInt8(host.family == .ipv4 ? AF_INET : AF_INET6)
        head.ifa_index = index
        var body = bytes(head) + attribute(IFA_ADDRESS, HostAddress(peer ?? local)!.bytes)
        if peer != nil || host.family == .ipv4 { body += attribute(IFA_LOCAL, host.bytes) }
        body += attribute(IFA_FLAGS, bytes(flags))
        return message(removed ? RTM_DELADDR : RTM_NEWADDR, body)
    }

    /// - Parameter destination: `default4`, `default6` or `10.0.0.0/8`.
    static func route(
        _ destination: String, through index: Int32?, gateway: String? = nil, metric: UInt32 = 0, table: UInt32 = 254,
        type: Int = RTN_UNICAST, flags: UInt32 = 0, hops: [Int32] = [], replaces: Bool = false,
        removed: Bool = false
    ) -> [UInt8] {
        var head = rtmsg()
        let parts = destination.split(separator: "/")
        let host = HostAddress(String(parts[0]))
        head.rtm_family = UInt8(host?.family == .ipv4 || destination == "default4" ? AF_INET : AF_INET6)
        head.rtm_dst_len = parts.count > 1 ? UInt8(parts[1])! : 0
        head.rtm_table = UInt8(table < 256 ? table : 252)
        head.rtm_type = UInt8(type)
        head.rtm_flags = flags
        var body = bytes(head) + attribute(Int(RTA_TABLE.rawValue), bytes(table))
        if let host { body += attribute(Int(RTA_DST.rawValue), host.bytes) }
        if metric != 0 { body += attribute(Int(RTA_PRIORITY.rawValue), bytes(metric)) }
        if let gateway { body += attribute(Int(RTA_GATEWAY.rawValue), HostAddress(gateway)!.bytes) }
        if let index { body += attribute(Int(RTA_OIF.rawValue), bytes(index)) }
        if !hops.isEmpty {
            body += attribute(Int(RTA_MULTIPATH.rawValue), hops.flatMap { hop($0, HostAddress("10.9.0.\($0)")!) })
        }
        return message(removed ? RTM_DELROUTE : RTM_NEWROUTE, flags: replaces ? NLM_F_REPLACE : 0, body)
    }

    private static func hop(_ index: Int32, _ gateway: HostAddress) -> [UInt8] {
        let via = attribute(Int(RTA_GATEWAY.rawValue), gateway.bytes)
        var head = rtnexthop()
        head.rtnh_len = UInt16(8 + via.count)
        head.rtnh_ifindex = index
        return bytes(head) + via
    }

    static func bytes(_ value: some BitwiseCopyable) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
}
