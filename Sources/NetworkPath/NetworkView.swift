// SPDX-License-Identifier: MIT

import Glibc
import SessionCore
import TransferModel

/// A snapshot of the network, from which paths are computed. No I/O except the kernel query, which is a parameter.
struct NetworkView: Sendable {
    var table = LinkTable()
    var kinds: [Int32: NetworkInterface.Kind] = [:]
    var costs = CostCache()
    var overrides = PathOverrides()

    /// Maximum addresses of a host that are checked.
    static let maximumAddresses = 8
    /// Documentation addresses (RFC 5737, RFC 3849): their route is that of the internet.
    static let standIns = [HostAddress("192.0.2.1"), HostAddress("2001:db8::1")].compactMap { $0 }

    func path(to target: PathTarget, asking lookup: any RouteLookup) -> NetworkPath {
        if target.isLoopback { return loopbackPath() }
        let addresses = target.addresses.isEmpty ? Self.standIns : Array(target.addresses.prefix(Self.maximumAddresses))
        var worst = Finding.refused
        for address in addresses {
            let finding = ask(for: address, lookup)
            switch finding {
            case .local: return loopbackPath()
            case .way(let link, let source): return path(to: target, through: link, source: source)
            case .blocked, .missingZone: if worst == .refused { worst = finding }
            case .unknown: if worst == .refused { worst = .unknown }
            case .refused: break
            }
        }
        return unsatisfied(worst, target)
    }

    // MARK: Asking

    private enum Finding: Hashable {
        case local
        /// `nil`: the system reports no interface.
        case way(Link?, source: HostAddress?)
        /// A route through an interface that is down.
        case blocked(Link)
        case missingZone(String)
        case refused
        case unknown
    }

    private func ask(for address: HostAddress, _ lookup: any RouteLookup) -> Finding {
        if address.isLoopback || address.isUnspecified { return .local }
        var index: Int32?
        if address.family == .ipv6, address.isLinkLocal {
            // A link-local address without zone is ambiguous.
            guard let zone = address.zone, !table.links.isEmpty else { return .unknown }
            guard let link = table.link(inZone: zone) else { return .missingZone(zone) }
            index = link.index
        }
        switch lookup.route(to: address, through: index) {
        case .local: return .local
        case .none: return .refused
        case .unknown: return .unknown
        case .route(let index, let source):
            let link = index.flatMap { table.links[$0] } ?? source.flatMap { table.link(with: $0) }
            if let link, !link.isUsable, !link.isLoopback { return .blocked(link) }
            return .way(link, source: source)
        }
    }

    // MARK: Results

    private func loopbackPath() -> NetworkPath {
        let name = table.sortedLinks.first { $0.isLoopback }?.name ?? "lo"
        return NetworkPath(
            status: .satisfied, interface: NetworkInterface(name: name, kind: .loopback), interfaces: interfaces)
    }

    private func path(to target: PathTarget, through link: Link?, source: HostAddress?) -> NetworkPath {
        let chosen = link.map(describe)
        let others = alternatives(to: target).filter { $0.index != link?.index }
        return complete(
            NetworkPath(status: .satisfied, interface: chosen, sourceAddress: source),
            others, isDeliberate: chosen?.kind == .vpn)
    }

    private func unsatisfied(_ finding: Finding, _ target: PathTarget) -> NetworkPath {
        let others = alternatives(to: target)
        switch finding {
        case .unknown, .local, .way:
            return complete(NetworkPath(status: .unknown), others, isDeliberate: true)
        case .missingZone(let zone):
            return complete(NetworkPath(status: .unsatisfied(.interfaceMissing(zone))), others, isDeliberate: true)
        case .blocked(let link):
            let obstacle = PathObstacle.routeDown(host: target.host, interface: link.name, isUp: link.isUp)
            let chosen = describe(link)
            return complete(
                NetworkPath(status: .unsatisfied(obstacle), interface: chosen), others,
                isDeliberate: chosen.kind == .vpn)
        case .refused:
            // A name that was never resolved may be local to this network, which then needs no default route.
            if target.addresses.isEmpty, let near = others.first ?? near.first {
                return path(to: target, through: near, source: nil)
            }
            // The kernel rejects an existing route: a policy.
            return complete(NetworkPath(status: .unsatisfied(obstacle(target.host))), others, isDeliberate: true)
        }
    }

    private func complete(_ path: NetworkPath, _ others: [Link], isDeliberate: Bool) -> NetworkPath {
        var path = path
        path.alternatives = others.map(describe)
        path.isDeliberate = isDeliberate || table.hasTablesOfTheirOwn
        path.interfaces = interfaces
        if !path.isDeliberate {
            let chosen = path.status == .satisfied ? path.interface.map { [$0] } ?? [] : []
            path.preferred = overrides.preferred(among: chosen + path.alternatives)
        }
        path.isCostPending = linksToAskAbout.contains { costs.isPending($0.index) }
        return path
    }

    private func alternatives(to target: PathTarget) -> [Link] {
        guard !target.addresses.isEmpty else { return table.interfaces(to: nil) }
        var found: [Link] = []
        for address in target.addresses.prefix(Self.maximumAddresses) {
            for link in table.interfaces(to: address) where !found.contains(link) { found.append(link) }
        }
        return found
    }

    /// Usable routes to some addresses, though not to all.
    private var near: [Link] {
        table.sortedLinks.filter {
            $0.isUsable && kind($0) != .loopback && kind($0) != .other && table.routes[$0.index] != nil
        }
    }

    private func obstacle(_ host: String) -> PathObstacle {
        let all = table.sortedLinks.filter { !$0.isLoopback }
        guard !table.links.isEmpty else { return .noRoute(host: host, down: nil) }
        let real = all.filter { kind($0) != .other }
        let links = real.isEmpty ? all : real
        let up = links.filter(\.isUp)
        if up.isEmpty { return .noInterface }
        let usable = up.filter(\.isUsable)
        if usable.isEmpty { return .notConnected(up.map(\.name)) }
        if usable.allSatisfy({ table.addresses[$0.index]?.isEmpty ?? true }) { return .noAddress(usable.map(\.name)) }
        return .noRoute(host: host, down: links.first { !$0.isUsable && describe($0).isPhysical }?.name)
    }

    // MARK: Interfaces

    var interfaces: [NetworkInterface] { table.sortedLinks.filter { !$0.isLoopback }.map(describe) }

    /// The interfaces whose cost matters: those of default routes first.
    var linksToAskAbout: [Link] {
        let asked = table.sortedLinks.filter { $0.isUsable && !$0.isLoopback && isQueried($0) }
        let defaults = Set(table.defaults.map(\.index))
        return asked.filter { defaults.contains($0.index) } + asked.filter { !defaults.contains($0.index) }
    }

    private func isQueried(_ link: Link) -> Bool {
        table.routes[link.index] != nil && (kind(link) != .other || table.defaults.contains { $0.index == link.index })
    }

    private func kind(_ link: Link) -> NetworkInterface.Kind { kinds[link.index] ?? .init(link, InterfaceFacts()) }

    func describe(_ link: Link) -> NetworkInterface {
        var interface = NetworkInterface(name: link.name, kind: kind(link), isUp: link.isUp, hasLink: link.hasLink)
        var isMetered = costs.isMetered(link.index)
        if interface.kind == .vpn {
            // A tunnel's packets leave through another interface; if all of those cost, so does the tunnel.
            let below = table.sortedLinks.filter { $0.isUsable && table.routes[$0.index] != nil && kind($0) != .vpn }
                .map(describe)
                .filter(\.isPhysical)
            if !below.isEmpty {
                if below.allSatisfy(\.isExpensive) { isMetered = isMetered ?? true }
                interface.isConstrained = below.allSatisfy(\.isConstrained)
                interface.isCellular = below.allSatisfy(\.isCellular)
            }
        }
        return overrides.applied(to: interface, isMetered: isMetered)
    }
}
