// SPDX-License-Identifier: MIT

/// Why a host cannot be reached now, with interface names.
public enum PathObstacle: Sendable, Hashable {
    /// None but loopback is enabled.
    case noInterface
    /// Enabled, but without carrier.
    case notConnected([String])
    /// Connected, but without an address yet.
    case noAddress([String])
    /// `down`: an unusable one that might have a route.
    case noRoute(host: String, down: String?)
    /// The route leads through an interface that is down.
    case routeDown(host: String, interface: String, isUp: Bool)
    case interfaceMissing(String)
    case interfaceDown(String)
    case interfaceNotConnected(String)
    case noRouteThrough(host: String, interface: String)

    /// One line, in lower case and without full stop: "no route to example.org: wlan0 is down".
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

    private func list(_ names: [String]) -> String {
        let shown = names.prefix(4).map { TextLine.first(of: $0) }.joined(separator: ", ")
        return names.count > 4 ? "\(shown), …" : shown
    }
}
