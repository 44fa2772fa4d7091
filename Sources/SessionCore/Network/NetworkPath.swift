// SPDX-License-Identifier: MIT

/// Whom a path is asked for: the host that will be connected to, so the proxy where one is used.
public struct PathTarget: Sendable, Hashable {
    /// A name or a literal address without brackets.
    public var host: String
    /// The addresses that the name had when it was last resolved, best first; empty for a name never resolved.
    public var addresses: [HostAddress]

    /// - Parameter addresses: not looked at where `host` is itself an address.
    public init(host: String, addresses: [HostAddress] = []) {
        self.host = host
        self.addresses = HostAddress(host).map { [$0] } ?? addresses
    }

    /// This machine, whatever the network is like: loopback addresses and the names that RFC 6761, section 6.3, keeps
    /// for them.
    public var isLoopback: Bool {
        if HostAddress(host) != nil { return addresses.allSatisfy { $0.isLoopback || $0.isUnspecified } }
        let name = host.lowercased()
        let bare = name.hasSuffix(".") ? String(name.dropLast()) : name
        return bare == "localhost" || bare.hasSuffix(".localhost")
    }
}

/// What the network allows now toward one host: a moment's picture, and a hint. A transfer is always tried once,
/// whatever stands here; only after it failed for want of a network does a path that is not satisfied say that waiting
/// makes sense.
public struct NetworkPath: Sendable, Hashable {
    public enum Status: Sendable, Hashable {
        /// The system would send packets to the host, through an interface that is up.
        case satisfied
        case unsatisfied(PathObstacle)
        /// The system does not tell. Counts as satisfied.
        case unknown
    }

    public var status: Status
    /// Through which the system would send, also where it is down; `nil` where there is no route or the system does not
    /// tell.
    public var interface: NetworkInterface?
    /// The address that packets would bear as their sender.
    public var sourceAddress: HostAddress?
    /// Other usable interfaces with a route of their own to the host, the system's favourite first. A transfer takes
    /// one only when it is bound to it.
    public var alternatives: [NetworkInterface]
    /// Somebody has arranged who may go where (a tunnel, routes in tables of their own, a route that forbids): an
    /// alternative is then taken only where it is asked for by name, never to get around the arrangement.
    public var isDeliberate: Bool
    /// All but loopback, in the kernel's order.
    public var interfaces: [NetworkInterface]
    /// What the interfaces cost is being asked and not known yet; a change follows within seconds.
    public var isCostPending: Bool

    public init(
        status: Status, interface: NetworkInterface? = nil, sourceAddress: HostAddress? = nil,
        alternatives: [NetworkInterface] = [], isDeliberate: Bool = false, interfaces: [NetworkInterface] = [],
        isCostPending: Bool = false
    ) {
        self.status = status
        self.interface = interface
        self.sourceAddress = sourceAddress
        self.alternatives = alternatives
        self.isDeliberate = isDeliberate
        self.interfaces = interfaces
        self.isCostPending = isCostPending
    }

    public var isExpensive: Bool { interface?.isExpensive ?? false }
    public var isConstrained: Bool { interface?.isConstrained ?? false }
    public var isCellular: Bool { interface?.isCellular ?? false }
}
