// SPDX-License-Identifier: MIT

public import TransferModel

/// The host of a path: the one to connect to, so the proxy if one is used.
public struct PathTarget: Sendable, Hashable {
    /// A name or a literal address without brackets.
    public var host: String
    /// The addresses of the last resolution, best first; empty for a name never resolved.
    public var addresses: [HostAddress]

    /// - Parameter addresses: ignored if `host` is an address.
    public init(host: String, addresses: [HostAddress] = []) {
        self.host = host
        self.addresses = HostAddress(host).map { [$0] } ?? addresses
    }

    /// This machine, whatever the network: loopback addresses and the names reserved by RFC 6761, section 6.3.
    public var isLoopback: Bool {
        if HostAddress(host) != nil { return addresses.allSatisfy { $0.isLoopback || $0.isUnspecified } }
        let name = host.lowercased()
        let bare = name.hasSuffix(".") ? String(name.dropLast()) : name
        return bare == "localhost" || bare.hasSuffix(".localhost")
    }
}

/// The route to a host: a snapshot and a hint. A transfer always makes one attempt; only after it failed for lack of a
/// network does an unsatisfied path mean that waiting makes sense.
public struct NetworkPath: Sendable, Hashable {
    public enum Status: Sendable, Hashable {
        /// There is a route through an interface that is up.
        case satisfied
        case unsatisfied(PathObstacle)
        /// Unknown. Counts as satisfied.
        case unknown
    }

    public var status: Status
    /// The interface of the route, even if it is down; `nil` without a route or if unknown.
    public var interface: NetworkInterface?
    /// The source address of packets.
    public var sourceAddress: HostAddress?
    /// Other usable interfaces with a route to the host, in the system's order. A transfer uses one only if bound to
    /// it.
    public var alternatives: [NetworkInterface]
    /// The usable interfaces with a route to the host that the configuration prefers, in its order; empty if the path
    /// is deliberate.
    public var preferred: [NetworkInterface] = []
    /// There is a routing policy (a tunnel, routing tables, a prohibiting route): an alternative is then used only if
    /// requested by name, never to bypass the policy.
    public var isDeliberate: Bool
    /// All except loopback, in the kernel's order.
    public var interfaces: [NetworkInterface]
    /// Costs are being queried; a change follows within seconds.
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
