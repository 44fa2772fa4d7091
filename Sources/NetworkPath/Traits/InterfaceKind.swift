// SPDX-License-Identifier: MIT

import Glibc
import Platform
import SessionCore

/// Data about an interface from /sys that netlink does not provide.
struct InterfaceFacts: Sendable, Hashable {
    /// `DEVTYPE` of its uevent: `wlan`, `wwan`, `bridge`, `vlan`.
    var deviceType: String?
    var isWireless = false

    /// Reads `folder/NAME` if it is the interface with this index: /sys may show another network namespace. Empty
    /// without /sys.
    static func read(_ link: Link, in folder: String = "/sys/class/net") -> InterfaceFacts {
        let place = "\(folder)/\(link.name)"
        guard let number = text(of: "\(place)/ifindex"), Int32(number.split(separator: "\n").first ?? "") == link.index
        else {
            return InterfaceFacts()
        }
        let line = text(of: "\(place)/uevent")?.split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }
        let isWireless = access("\(place)/wireless", F_OK) == 0 || access("\(place)/phy80211", F_OK) == 0
        return InterfaceFacts(deviceType: line.map { String($0.dropFirst(8)) }, isWireless: isWireless)
    }

    /// At most the first 4096 bytes.
    private static func text(of path: String) -> String? {
        guard let file = try? Descriptor.open(path, O_RDONLY) else { return nil }
        return (try? file.read(upTo: 4096)).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension NetworkInterface.Kind {
    /// Classifies a device by the kernel's data. No I/O.
    ///
    /// A PPP modem cannot be distinguished from a DSL line or a tunnel; it counts as cellular, which an override or
    /// NetworkManager may correct.
    init(_ link: Link, _ facts: InterfaceFacts) {
        let tunnels: Set = [
            "tun", "wireguard", "ipip", "sit", "gre", "gretap", "ip6gre", "ip6gretap", "ip6tnl", "vti", "vti6",
            "xfrm", "ovpn", "amneziawg", "vxlan", "geneve",
        ]
        switch (facts.deviceType, link.driver, link.type) {
        // ARPHRD_LOOPBACK
        case (_, _, 772): self = .loopback
        case ("wwan", _, _), (_, "wwan", _), (_, "rmnet", _): self = .cellular
        // ARPHRD_RAWIP: modems. ARPHRD_PPP.
        case (_, _, 519), (_, _, 512): self = .cellular
        case ("wlan", _, _): self = .wifi
        // ARPHRD_IEEE80211 and its two variants with more in front.
        case (_, _, 801...803): self = .wifi
        case (_, let driver?, _) where tunnels.contains(driver): self = .vpn
        // ARPHRD_TUNNEL, TUNNEL6, SIT, IPGRE, IP6GRE, NONE (tun, WireGuard).
        case (_, _, 768), (_, _, 769), (_, _, 776), (_, _, 778), (_, _, 823), (_, _, 65534): self = .vpn
        case _ where facts.isWireless: self = .wifi
        case ("bridge", _, _), (_, "bridge", _), (_, "dummy", _), (_, "ifb", _), (_, "nlmon", _), (_, "vrf", _):
            self = .other
        // ARPHRD_ETHER, INFINIBAND: hardware, or a virtual device in a container.
        case (_, _, 1), (_, _, 32): self = .wired
        default: self = .other
        }
    }
}
