// SPDX-License-Identifier: MIT

/// What a person says of networks, over what the system says of them.
public struct PathOverrides: Sendable, Hashable {
    /// Of one interface; `nil`: as the system says.
    public struct Traits: Sendable, Hashable {
        public var isExpensive: Bool?
        public var isConstrained: Bool?
        /// `true` makes it expensive too, unless that is denied.
        public var isCellular: Bool?

        public init(isExpensive: Bool? = nil, isConstrained: Bool? = nil, isCellular: Bool? = nil) {
            self.isExpensive = isExpensive
            self.isConstrained = isConstrained
            self.isCellular = isCellular
        }
    }

    /// By interface name.
    public var interfaces: [String: Traits]
    /// Every interface is constrained of which nothing else is said.
    public var constrainsAll: Bool

    public init(interfaces: [String: Traits] = [:], constrainsAll: Bool = false) {
        self.interfaces = interfaces
        self.constrainsAll = constrainsAll
    }

    /// `interface` as it counts.
    /// - Parameter isMetered: what the system says of its cost; `nil`: nothing. Cellular is expensive unless somebody
    ///   says no.
    public func applied(to interface: NetworkInterface, isMetered: Bool?) -> NetworkInterface {
        guard interface.kind != .loopback else { return interface }
        let said = interfaces[interface.name]
        var result = interface
        result.isCellular = said?.isCellular ?? interface.isCellular
        result.isExpensive = said?.isExpensive ?? isMetered ?? result.isCellular
        result.isConstrained = said?.isConstrained ?? (constrainsAll || interface.isConstrained)
        return result
    }
}
