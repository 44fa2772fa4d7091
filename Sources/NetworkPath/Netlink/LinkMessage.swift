// SPDX-License-Identifier: MIT

import SessionCore

/// An interface as described by the kernel.
struct Link: Sendable, Hashable {
    var index: Int32
    var name: String
    /// `ARPHRD_…`: 1 Ethernet, 512 PPP, 519 raw IP, 772 loopback, 65534 none.
    var type: UInt16
    /// The kind of virtual device: `veth`, `tun`, `wireguard`, `bridge`; `nil` for hardware.
    var driver: String?
    var isUp: Bool
    var hasLink: Bool

    var isUsable: Bool { isUp && hasLink }
    var isLoopback: Bool { type == 772 }
}

/// An address of an interface that can be a source address.
struct LinkAddress: Sendable, Hashable {
    var index: Int32
    var address: HostAddress
}

/// A route to an address range through one interface. Excludes routes that prohibit, are local to this machine or its
/// link (fe80::/10), or are multicast.
struct Route: Sendable, Hashable {
    var index: Int32
    var table: UInt32
    var destination: HostAddress
    var length: Int
    /// The smaller has precedence.
    var metric: UInt32
    var gateway: HostAddress?

    var isDefault: Bool { length == 0 }
}

/// The kernel's report on links, addresses and routes, in a dump or after a change.
enum LinkMessage: Sendable, Hashable {
    case link(Link)
    case linkRemoved(Int32)
    case address(LinkAddress)
    case addressRemoved(LinkAddress)
    /// Several for multipath routes. With `replaces`, another route was silently removed.
    case routes([Route], replaces: Bool)
    case routesRemoved([Route])
    /// The end of a dump.
    case done
    /// An error with its errno, or 0 for success.
    case failure(Int32)
    /// Messages were lost, or a change interrupted a dump.
    case inconsistent
}
