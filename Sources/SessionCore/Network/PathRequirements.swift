// SPDX-License-Identifier: MIT

package import TransferModel

/// A transfer's requirements on the network.
package struct PathRequirements: Sendable, Hashable {
    package var allowsCellular = true
    package var allowsExpensive = true
    package var allowsConstrained = true
    /// Only through the interface of this name.
    package var interface: String?
    /// Whether the path may have preferred interfaces, so that it matters also to a transfer without restrictions.
    var hasPreferences = false

    package init() {}

    /// Whether a kind of network is excluded: then no attempt is made where it is not known which one would carry it.
    var excludesNetworks: Bool { !(allowsCellular && allowsExpensive && allowsConstrained) }

    /// Whether a path is suitable, and if not, what to wait for. No I/O.
    package func evaluate(_ path: NetworkPath, host: String) -> PathVerdict {
        if path.interface?.kind == .loopback, path.status == .satisfied { return evaluateLoopback(path) }
        let candidates: [NetworkInterface]
        if let interface {
            guard let named = path.interfaces.first(where: { $0.name == interface }) else {
                return evaluate(missing: interface, path)
            }
            if let obstacle = obstacle(of: named, on: path, host: host) { return .waits(.obstacle(obstacle)) }
            candidates = [named]
        } else {
            switch path.status {
            case .unknown: return .satisfied(boundTo: nil)
            case .satisfied:
                guard let chosen = path.interface else { return .satisfied(boundTo: nil) }
                candidates = path.preferred + [chosen] + (path.isDeliberate ? [] : path.alternatives)
            case .unsatisfied(let obstacle):
                guard !path.isDeliberate, !path.alternatives.isEmpty else { return .waits(.obstacle(obstacle)) }
                candidates = path.preferred + path.alternatives
            }
        }
        return choose(among: candidates, path)
    }

    /// Loopback costs nothing, and needs no other interface than one that was requested by name.
    private func evaluateLoopback(_ path: NetworkPath) -> PathVerdict {
        guard let interface, interface != path.interface?.name, !path.interfaces.isEmpty,
            !path.interfaces.contains(where: { $0.name == interface })
        else { return .satisfied(boundTo: nil) }
        return .waits(.obstacle(.interfaceMissing(interface)))
    }

    /// The system may simply not report an interface.
    private func evaluate(missing interface: String, _ path: NetworkPath) -> PathVerdict {
        guard path.interfaces.isEmpty else { return .waits(.obstacle(.interfaceMissing(interface))) }
        return switch path.status {
        case .satisfied, .unknown: .satisfied(boundTo: interface)
        case .unsatisfied(.noInterface): .waits(.obstacle(.interfaceMissing(interface)))
        case .unsatisfied(let obstacle): .waits(.obstacle(obstacle))
        }
    }

    private func choose(among candidates: [NetworkInterface], _ path: NetworkPath) -> PathVerdict {
        if let fitting = candidates.first(where: { refusal(of: $0) == nil }) {
            // Its cost is not known yet; a restricted transfer waits for it.
            if path.isCostPending, !allowsExpensive { return .waits(.costPending(interface: fitting.name)) }
            let isChosen = path.status == .satisfied && fitting.name == path.interface?.name
            return .satisfied(boundTo: interface ?? (isChosen ? nil : fitting.name))
        }
        guard let first = candidates.first, let reason = refusal(of: first) else {
            return .satisfied(boundTo: interface)
        }
        return .waits(.notAllowed(reason, interface: first.name))
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
package enum PathVerdict: Sendable, Hashable {
    /// Start. With a name: only bound to this interface, which is not the default route, or was requested.
    case satisfied(boundTo: String?)
    case waits(PathWait)
}
