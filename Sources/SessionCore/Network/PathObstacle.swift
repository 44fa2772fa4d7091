// SPDX-License-Identifier: MIT

/// Why a host cannot be reached now. The names are of interfaces.
public enum PathObstacle: Sendable, Hashable {
    /// None but loopback is switched on.
    case noInterface
    /// Switched on, but with nothing at the other end.
    case notConnected([String])
    /// Connected, but without an address of their own yet.
    case noAddress([String])
    /// `down`: one that is not usable and might have carried it.
    case noRoute(host: String, down: String?)
    /// The route leads through an interface that cannot send.
    case routeDown(host: String, interface: String, isUp: Bool)
    case interfaceMissing(String)
    case interfaceDown(String)
    case interfaceNotConnected(String)
    case noRouteThrough(host: String, interface: String)

    /// One line for a person, in lower case and without a full stop.
    public var message: String {
        switch self {
        case .noInterface: "no network interface is up"
        case .notConnected(let names) where names.count == 1: "\(list(names)) is not connected"
        case .notConnected(let names): "no network interface is connected (\(list(names)))"
        case .noAddress(let names) where names.count == 1: "\(list(names)) has no address"
        case .noAddress(let names): "no network interface has an address (\(list(names)))"
        case .noRoute(let host, nil): "no route to \(TextLine.first(of: host))"
        case .noRoute(let host, let name?):
            "no route to \(TextLine.first(of: host)): \(TextLine.first(of: name)) is down"
        case .routeDown(let host, let name, let isUp):
            "no route to \(TextLine.first(of: host)): \(TextLine.first(of: name)) is \(isUp ? "not connected" : "down")"
        case .interfaceMissing(let name): "interface \(TextLine.first(of: name)) does not exist"
        case .interfaceDown(let name): "interface \(TextLine.first(of: name)) is down"
        case .interfaceNotConnected(let name): "interface \(TextLine.first(of: name)) is not connected"
        case .noRouteThrough(let host, let name):
            "no route to \(TextLine.first(of: host)) through \(TextLine.first(of: name))"
        }
    }

    /// One line for a person: what ends it; `nil` where there is nothing to do.
    var advice: String? {
        switch self {
        case .noInterface: "turn the network on"
        case .interfaceDown(let name), .routeDown(_, let name, isUp: false), .noRoute(_, let name?):
            "turn \(TextLine.first(of: name)) on"
        case .notConnected, .interfaceNotConnected, .routeDown: "plug the cable in, or join a network"
        case .interfaceMissing(let name): "connect \(TextLine.first(of: name)), or start it with another interface"
        case .noAddress, .noRoute, .noRouteThrough: nil
        }
    }

    private func list(_ names: [String]) -> String {
        let shown = names.prefix(4).map { TextLine.first(of: $0) }.joined(separator: ", ")
        return names.count > 4 ? "\(shown), …" : shown
    }
}
