// SPDX-License-Identifier: MIT

/// Configured network traits, which take precedence over detection.
public struct PathOverrides: Sendable, Hashable {
    /// Of one interface; `nil`: as detected.
    public struct Traits: Sendable, Hashable {
        public var isExpensive: Bool?
        public var isConstrained: Bool?
        /// `true` implies expensive, unless that is false.
        public var isCellular: Bool?

        public init(isExpensive: Bool? = nil, isConstrained: Bool? = nil, isCellular: Bool? = nil) {
            self.isExpensive = isExpensive
            self.isConstrained = isConstrained
            self.isCellular = isCellular
        }
    }

    /// By interface name.
    public var interfaces: [String: Traits]
    /// The default of all interfaces.
    public var constrainsAll: Bool

    public init(interfaces: [String: Traits] = [:], constrainsAll: Bool = false) {
        self.interfaces = interfaces
        self.constrainsAll = constrainsAll
    }

    /// `interface` with overrides applied.
    /// - Parameter isMetered: the detected cost; `nil`: unknown. Cellular is expensive unless denied.
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
