// SPDX-License-Identifier: MIT

/// Why an available network may not be used, as `URLError.networkUnavailableReason`.
public enum NetworkUnavailableReason: String, Sendable, Hashable {
    case cellular, expensive, constrained
}

/// The network condition that a transfer waits for. The wait ends automatically.
public enum PathWait: Sendable, Hashable {
    case obstacle(PathObstacle)
    /// A network is available but excluded: only then can the user lift the restriction.
    case notAllowed(NetworkUnavailableReason, interface: String)
    /// The cost of the network is not known yet.
    case costPending(interface: String)
    /// There may be a network, but the address is unknown.
    case silentResolver
    /// In the words of a service of another version.
    case reported(String, NetworkUnavailableReason? = nil)

    /// One line, in lower case and without full stop: "no route to example.org: wlan0 is down".
    public var message: String {
        switch self {
        case .obstacle(let obstacle): obstacle.message
        case .notAllowed(let cost, let name):
            "only \(cost == .expensive ? "an" : "a") \(cost.rawValue) network (\(TextLine.first(of: name))) is up"
        case .costPending(let name): "asking whether \(TextLine.first(of: name)) is metered"
        case .silentResolver: "the name server does not respond"
        case .reported(let text, _): text
        }
    }

    /// Set if a network is available but excluded.
    public var unavailableReason: NetworkUnavailableReason? {
        switch self {
        case .notAllowed(let reason, _): reason
        case .reported(_, let reason): reason
        case .obstacle, .costPending, .silentResolver: nil
        }
    }

    public var canBeLifted: Bool { unavailableReason != nil }
}
