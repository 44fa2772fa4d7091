// SPDX-License-Identifier: MIT

/// Configured network traits, which take precedence over detection, and the order of interfaces.
public struct PathOverrides: Sendable, Hashable {
    /// The configured traits of one interface; `nil`: as detected.
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

    /// The configured traits, by interface name.
    public var interfaces: [String: Traits]
    /// The default of all interfaces.
    public var constrainsAll: Bool
    /// Names of interfaces, or kinds (``NetworkInterface/Kind``), the preferred first. An order only: it excludes none.
    public var preferred: [String]

    public init(interfaces: [String: Traits] = [:], constrainsAll: Bool = false, preferred: [String] = []) {
        self.interfaces = interfaces
        self.constrainsAll = constrainsAll
        self.preferred = preferred
    }

    /// The preferred of `interfaces`, in the configured order.
    public func preferred(among interfaces: [NetworkInterface]) -> [NetworkInterface] {
        var found: [NetworkInterface] = []
        for word in preferred {
            found += interfaces.filter { interface in
                let isMeant =
                    interface.name == word || interface.kind.rawValue == word
                    || interface.isCellular && word == NetworkInterface.Kind.cellular.rawValue
                return isMeant && !found.contains(interface)
            }
        }
        return found
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
