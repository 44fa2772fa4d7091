// SPDX-License-Identifier: MIT

/// One network interface at one moment, with what its use costs.
public struct NetworkInterface: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case wired, wifi, cellular, vpn, loopback
        /// Bridges, test devices and whatever else no cable, radio or tunnel can be told from.
        case other
    }

    /// The kernel's; may hold control characters.
    public var name: String
    public var kind: Kind
    /// Switched on by its owner (`IFF_UP`).
    public var isUp: Bool
    /// There is something at the other end: cable, access point, peer.
    public var hasLink: Bool
    /// Use may cost money or count against a limit.
    public var isExpensive: Bool
    /// Its owner wants little traffic on it.
    public var isConstrained: Bool
    /// Counts as cellular, by its kind or because its owner says so.
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

    /// Packets given to it can leave.
    public var isUsable: Bool { isUp && hasLink }

    /// A way out into the world by itself: neither loopback, nor a tunnel over another, nor a virtual device.
    public var isPhysical: Bool { kind == .wired || kind == .wifi || kind == .cellular }
}
