// SPDX-License-Identifier: MIT

import SessionCore

/// The machine's links, addresses and routes as reported by the kernel. Pure and bounded.
struct LinkTable: Sendable, Hashable {
    /// A machine with more (a router with a full routing table) still has its links here, and as many routes.
    static let maximumRoutes = 8192
    static let maximumLinks = 4096
    static let maximumAddressesPerLink = 1024

    private(set) var links: [Int32: Link] = [:]
    private(set) var addresses: [Int32: Set<HostAddress>] = [:]
    private(set) var routes: [Int32: Set<Route>] = [:]
    /// The default routes among ``routes``.
    private(set) var defaults: Set<Route> = []
    /// Something is missing or was silently removed: only a new dump is correct.
    private(set) var isStale = false
    private var routeCount = 0

    init() {}

    /// From the messages of a dump.
    init(_ messages: some Sequence<LinkMessage>) {
        for message in messages { take(message) }
        isStale = false
    }

    /// By interface index.
    var sortedLinks: [Link] { links.values.sorted { $0.index < $1.index } }

    func link(named name: String) -> Link? { links.values.first { $0.name == name } }

    /// A zone as in a URL: the name in any case, or the index.
    func link(inZone zone: String) -> Link? {
        link(named: zone) ?? Int32(zone).flatMap { links[$0] }
            ?? links.values.first { $0.name.lowercased() == zone.lowercased() }
    }

    // MARK: Changes

    mutating func take(_ message: LinkMessage) {
        switch message {
        case .link(let link): set(link)
        case .linkRemoved(let index): removeLink(index)
        case .address(let one): insert(one)
        case .addressRemoved(let one): remove(one)
        case .routes(let all, let replaces):
            if replaces { isStale = true }
            all.forEach { insert($0) }
        case .routesRemoved(let all): all.forEach { remove($0) }
        case .inconsistent, .failure: isStale = true
        case .done: break
        }
    }

    private mutating func set(_ link: Link) {
        guard links[link.index] != nil || links.count < Self.maximumLinks else { return }
        // The kernel silently removes the IPv4 routes of an interface that goes down.
        if links[link.index]?.isUp == true, !link.isUp {
            isStale = true
            for route in routes[link.index] ?? [] where route.destination.family == .ipv4 { remove(route) }
        }
        links[link.index] = link
    }

    private mutating func removeLink(_ index: Int32) {
        links[index] = nil
        addresses[index] = nil
        for route in routes[index] ?? [] { remove(route) }
    }

    private mutating func insert(_ one: LinkAddress) {
        guard links[one.index] != nil else { return isStale = true }
        guard addresses[one.index]?.count ?? 0 < Self.maximumAddressesPerLink else { return }
        addresses[one.index, default: []].insert(one.address)
    }

    private mutating func remove(_ one: LinkAddress) {
        guard addresses[one.index]?.remove(one.address) != nil else { return }
        // The kernel silently removes routes with this source address.
        if one.address.family == .ipv4 { isStale = true }
    }

    private mutating func insert(_ route: Route) {
        guard links[route.index] != nil else { return isStale = true }
        guard routeCount < Self.maximumRoutes, routes[route.index, default: []].insert(route).inserted else { return }
        routeCount += 1
        if route.isDefault { defaults.insert(route) }
    }

    private mutating func remove(_ route: Route) {
        guard routes[route.index]?.remove(route) != nil else { return }
        routeCount -= 1
        if routes[route.index]?.isEmpty ?? false { routes[route.index] = nil }
        defaults.remove(route)
    }
}
