// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SessionCore

/// Requests to the kernel as bytes (rtnetlink(7)).
enum NetlinkRequest {
    /// All links, addresses or routes of one family.
    static func dump(_ type: Int, family: Int32) -> [UInt8] {
        let size =
            switch type {
            case RTM_GETLINK: MemoryLayout<ifinfomsg>.size
            case RTM_GETADDR: MemoryLayout<ifaddrmsg>.size
            default: MemoryLayout<rtmsg>.size
            }
        // The family is the first byte of all three; the rest means "any".
        let body = [UInt8(family)] + [UInt8](repeating: 0, count: size - 1)
        return message(type: type, flags: NLM_F_REQUEST | NLM_F_DUMP, body: body)
    }

    /// Queries the route to `address`; with `index`, through that interface.
    static func route(to address: HostAddress, through index: Int32?) -> [UInt8] {
        var head = rtmsg()
        head.rtm_family = UInt8(address.family == .ipv4 ? AF_INET : AF_INET6)
        head.rtm_dst_len = UInt8(address.bitCount)
        var body = bytes(of: head) + attribute(Int(RTA_DST.rawValue), address.bytes)
        if let index { body += attribute(Int(RTA_OIF.rawValue), bytes(of: UInt32(bitPattern: index))) }
        return message(type: RTM_GETROUTE, flags: NLM_F_REQUEST, body: body)
    }

    private static func message(type: Int, flags: Int32, body: [UInt8]) -> [UInt8] {
        var head = nlmsghdr()
        head.nlmsg_len = UInt32(MemoryLayout<nlmsghdr>.size + body.count)
        head.nlmsg_type = UInt16(type)
        head.nlmsg_flags = UInt16(flags)
        return bytes(of: head) + body
    }

    private static func attribute(_ type: Int, _ value: [UInt8]) -> [UInt8] {
        var head = rtattr()
        head.rta_len = UInt16(MemoryLayout<rtattr>.size + value.count)
        head.rta_type = UInt16(type)
        return bytes(of: head) + value
    }

    private static func bytes(of value: some BitwiseCopyable) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }
}

extension LinkTable {
    /// Requests a full dump; `nil` without a reply.
    static func dump() -> LinkTable? {
        let requests = [
            (RTM_GETLINK, AF_UNSPEC), (RTM_GETADDR, AF_UNSPEC), (RTM_GETROUTE, AF_INET), (RTM_GETROUTE, AF_INET6),
        ]
        var messages: [LinkMessage] = []
        for (type, family) in requests {
            guard let part = dump(type, family) else { return nil }
            messages += part
        }
        return LinkTable(messages)
    }

    /// A socket for each, so that stopping early leaves nothing behind. Repeats a dump that a change interrupted.
    private static func dump(_ type: Int, _ family: Int32) -> [LinkMessage]? {
        var found: [LinkMessage] = []
        for _ in 0..<4 {
            guard let socket = NetlinkSocket(), socket.send(NetlinkRequest.dump(type, family: family)) else {
                return nil
            }
            found = []
            var isWhole = true
            reading: while found.count < maximumRoutes + maximumLinks {
                // The kernel replies within the requesting call; what is not there will not come.
                guard case .datagram(let bytes) = socket.receive() else { return nil }
                for message in LinkMessage.parse(bytes[...]) {
                    switch message {
                    case .done: break reading
                    // A kernel without IPv6 rejects only that part.
                    case .failure:
                        if type == RTM_GETLINK { return nil }
                        break reading
                    case .inconsistent: isWhole = false
                    default: found.append(message)
                    }
                }
            }
            if isWhole { break }
        }
        return found
    }
}
