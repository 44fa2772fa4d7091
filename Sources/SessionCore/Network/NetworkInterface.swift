// SPDX-License-Identifier: MIT

/// A network interface at one moment, with its cost.
public struct NetworkInterface: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case wired, wifi, cellular, vpn, loopback
        /// Bridges, test devices and other interfaces without a recognizable medium.
        case other
    }

    /// The kernel's name; may contain control characters.
    public var name: String
    public var kind: Kind
    /// Enabled (`IFF_UP`).
    public var isUp: Bool
    /// It has a carrier: cable, access point, peer.
    public var hasLink: Bool
    /// Its use may cost money or count against a limit.
    public var isExpensive: Bool
    /// Its owner wants little traffic on it.
    public var isConstrained: Bool
    /// Cellular, by its kind or by configuration.
    public var isCellular: Bool

    public init(
        name: String, kind: Kind, isUp: Bool = true, hasLink: Bool = true, isExpensive: Bool = false,
        isConstrained: Bool = false, isCellular: Bool? = nil
    ) {
        self.name = name
        self.kind = kind
        self.isUp = isUp
        self.hasLink = hasLink
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.isCellular = isCellular ?? (kind == .cellular)
    }

    /// Packets can leave through it.
    public var isUsable: Bool { isUp && hasLink }

    /// A physical way out: neither loopback, nor a tunnel, nor a virtual device.
    public var isPhysical: Bool { kind == .wired || kind == .wifi || kind == .cellular }
}
