// SPDX-License-Identifier: MIT

import SessionCore

/// An interface as the kernel describes it.
struct Link: Sendable, Hashable {
    var index: Int32
    var name: String
    /// `ARPHRD_…`: 1 Ethernet, 512 PPP, 519 raw IP, 772 loopback, 65534 none.
    var type: UInt16
    /// What kind of virtual device it is: `veth`, `tun`, `wireguard`, `bridge`; `nil` for hardware.
    var driver: String?
    var isUp: Bool
    var hasLink: Bool

    var isUsable: Bool { isUp && hasLink }
    var isLoopback: Bool { type == 772 }
}

/// An address of an interface that may be used as sender.
struct LinkAddress: Sendable, Hashable {
    var index: Int32
    var address: HostAddress
}

/// One way to a range of addresses through one interface. Routes that forbid, stay inside this machine or its link
/// alone (fe80::/10), or go to groups are none.
struct Route: Sendable, Hashable {
    var index: Int32
    var table: UInt32
    var destination: HostAddress
    var length: Int
    /// The smaller goes first.
    var metric: UInt32
    var gateway: HostAddress?

    var isDefault: Bool { length == 0 }
}

/// What the kernel says of links, addresses and routes, in a dump or when it changes.
enum LinkMessage: Sendable, Hashable {
    case link(Link)
    case linkRemoved(Int32)
    case address(LinkAddress)
    case addressRemoved(LinkAddress)
    /// Several where packets are spread over interfaces. With `replaces`, another route has gone without a word.
    case routes([Route], replaces: Bool)
    case routesRemoved([Route])
    /// The end of a dump.
    case done
    /// A refusal with its errno, or 0 for "as you wish".
    case failure(Int32)
    /// Messages were lost, or a dump was cut through by a change.
    case inconsistent
}
