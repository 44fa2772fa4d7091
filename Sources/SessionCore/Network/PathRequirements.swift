// SPDX-License-Identifier: MIT

/// Why an available network may not be used, as `URLError.networkUnavailableReason`.
public enum NetworkUnavailableReason: String, Sendable, Hashable {
    case cellular, expensive, constrained
}

/// A transfer's requirements on the network.
public struct PathRequirements: Sendable, Hashable {
    public var allowsCellular = true
    public var allowsExpensive = true
    public var allowsConstrained = true
    /// Only through the interface of this name.
    public var interface: String?

    public init() {}

    /// Whether a path is suitable, and if not, what to wait for. No I/O.
    public func evaluate(_ path: NetworkPath, host: String) -> PathVerdict {
        if path.interface?.kind == .loopback, path.status == .satisfied { return .satisfied(boundTo: nil) }
        let candidates: [NetworkInterface]
        if let interface {
            guard let named = path.interfaces.first(where: { $0.name == interface }) else {
                return evaluate(missing: interface, path)
            }
            if let obstacle = obstacle(of: named, on: path, host: host) { return .waits(PathWait(obstacle)) }
            candidates = [named]
        } else {
            switch path.status {
            case .unknown: return .satisfied(boundTo: nil)
            case .satisfied:
                guard let chosen = path.interface else { return .satisfied(boundTo: nil) }
                candidates = [chosen] + (path.isDeliberate ? [] : path.alternatives)
            case .unsatisfied(let obstacle):
                guard !path.isDeliberate, !path.alternatives.isEmpty else { return .waits(PathWait(obstacle)) }
                candidates = path.alternatives
            }
        }
        return choose(among: candidates, path)
    }

    /// The system may simply not report an interface.
    private func evaluate(missing interface: String, _ path: NetworkPath) -> PathVerdict {
        guard path.interfaces.isEmpty else { return .waits(PathWait(.interfaceMissing(interface))) }
        return switch path.status {
        case .satisfied, .unknown: .satisfied(boundTo: interface)
        case .unsatisfied(.noInterface): .waits(PathWait(.interfaceMissing(interface)))
        case .unsatisfied(let obstacle): .waits(PathWait(obstacle))
        }
    }

    private func choose(among candidates: [NetworkInterface], _ path: NetworkPath) -> PathVerdict {
        if let fitting = candidates.first(where: { refusal(of: $0) == nil }) {
            // Its cost is not known yet; a restricted transfer waits for it.
            if path.isCostPending, !allowsExpensive { return .waits(PathWait(askingAbout: fitting.name)) }
            let isChosen = path.status == .satisfied && fitting.name == path.interface?.name
            return .satisfied(boundTo: interface ?? (isChosen ? nil : fitting.name))
        }
        guard let first = candidates.first, let reason = refusal(of: first) else {
            return .satisfied(boundTo: interface)
        }
        return .waits(PathWait(reason, of: first.name))
    }

    private func obstacle(of named: NetworkInterface, on path: NetworkPath, host: String) -> PathObstacle? {
        if !named.isUp { return .interfaceDown(named.name) }
        if !named.hasLink { return .interfaceNotConnected(named.name) }
        let isRouted =
            path.interface?.name == named.name && path.status == .satisfied
            || path.alternatives.contains { $0.name == named.name }
        // Without route information, the interface alone decides.
        return isRouted || path.status == .unknown ? nil : .noRouteThrough(host: host, interface: named.name)
    }

    private func refusal(of interface: NetworkInterface) -> NetworkUnavailableReason? {
        if interface.isCellular, !allowsCellular { return .cellular }
        if interface.isExpensive, !allowsExpensive { return .expensive }
        if interface.isConstrained, !allowsConstrained { return .constrained }
        return nil
    }
}

/// The meaning of a path for a transfer.
public enum PathVerdict: Sendable, Hashable {
    /// Start. With a name: only bound to this interface, which is not the default route or was requested.
    case satisfied(boundTo: String?)
    case waits(PathWait)
}

/// The reason to wait.
public struct PathWait: Sendable, Hashable {
    /// One line for people: "no route to example.org: wlan0 is down".
    public var message: String
    /// Set if a network is available but excluded: only then can the user lift the restriction.
    public var unavailableReason: NetworkUnavailableReason?
    /// One line for people: the remedy; `nil` if there is nothing to do. The wait ends automatically.
    public var advice: String?

    public init(_ obstacle: PathObstacle) {
        message = obstacle.message
        advice = obstacle.advice
    }

    init(_ reason: NetworkUnavailableReason, of name: String) {
        let article = reason == .expensive ? "an" : "a"
        message = "only \(article) \(reason.rawValue) network (\(TextLine.first(of: name))) is up"
        unavailableReason = reason
        advice = "let it use this network, or connect to another one"
    }

    init(message: String) {
        self.message = message
    }

    /// There may be a network, but the address is unknown.
    static let silentResolver = PathWait(message: "the name server does not answer")

    init(askingAbout name: String) { self.init(message: "asking whether \(TextLine.first(of: name)) is metered") }

    public var canBeLifted: Bool { unavailableReason != nil }
}
