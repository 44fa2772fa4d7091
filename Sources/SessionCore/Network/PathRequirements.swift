// SPDX-License-Identifier: MIT

/// Why the network is there and yet may not be used, as `URLError.networkUnavailableReason` tells it.
public enum NetworkUnavailableReason: String, Sendable, Hashable {
    case cellular, expensive, constrained
}

/// What a transfer asks of the network that carries it.
public struct PathRequirements: Sendable, Hashable {
    public var allowsCellular = true
    public var allowsExpensive = true
    public var allowsConstrained = true
    /// Only through the interface of this name.
    public var interface: String?

    public init() {}

    /// Whether a path fits, and if not, what to wait for. Pure.
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

    /// That no interface is named can also mean that the system names none.
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
            // It may yet turn out to cost something; whoever asked not to pay rather waits for the answer.
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
        // Where the system tells nothing of routes, the interface alone decides.
        return isRouted || path.status == .unknown ? nil : .noRouteThrough(host: host, interface: named.name)
    }

    private func refusal(of interface: NetworkInterface) -> NetworkUnavailableReason? {
        if interface.isCellular, !allowsCellular { return .cellular }
        if interface.isExpensive, !allowsExpensive { return .expensive }
        if interface.isConstrained, !allowsConstrained { return .constrained }
        return nil
    }
}

/// What a path means for one transfer.
public enum PathVerdict: Sendable, Hashable {
    /// Go. With a name: only bound to this interface, which the system would not take by itself or the transfer asked
    /// for.
    case satisfied(boundTo: String?)
    case waits(PathWait)
}

/// What a transfer waits for.
public struct PathWait: Sendable, Hashable {
    /// One line for a person: "no route to example.org: wlan0 is down".
    public var message: String
    /// Set where a network is there that the transfer does not allow: then, and only then, its owner may lift that.
    public var unavailableReason: NetworkUnavailableReason?
    /// One line for a person: what to do about it; `nil` where there is nothing to do. The wait ends without further
    /// ado.
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

    /// The network may be there, and nobody knows an address.
    static let silentResolver = PathWait(message: "the name server does not answer")

    init(askingAbout name: String) { self.init(message: "asking whether \(TextLine.first(of: name)) is metered") }

    public var canBeLifted: Bool { unavailableReason != nil }
}
