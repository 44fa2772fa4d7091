// SPDX-License-Identifier: MIT

import SessionCore

extension LinkTable {
    /// Applies one message.
    /// - Returns: what has become reachable or unreachable. Cheap for large tables.
    mutating func apply(_ message: LinkMessage) -> PathChange {
        let preferredBefore = preferred
        var change = PathChange()
        switch message {
        case .link(let link): change = applyToLink(link.index, message)
        case .linkRemoved(let index): change = applyToLink(index, message)
        case .address(let one):
            let isNew = !(addresses[one.index]?.contains(one.address) ?? false)
            take(message)
            if isNew, let name = usableName(one.index) { change.available.insert(name) }
        case .addressRemoved(let one):
            let isKnown = addresses[one.index]?.contains(one.address) ?? false
            take(message)
            if isKnown, let name = usableName(one.index) { change.lost.insert(name) }
        case .routes(let all, _):
            let new = all.filter { !(routes[$0.index]?.contains($0) ?? false) }
            take(message)
            change.available.formUnion(new.compactMap { usableName($0.index) })
        case .routesRemoved(let all):
            let known = all.filter { routes[$0.index]?.contains($0) ?? false }
            take(message)
            change.lost.formUnion(known.compactMap { usableName($0.index) })
        case .done, .failure, .inconsistent: take(message)
        }
        change.hasBetterPath = isBetter(than: preferredBefore)
        return change
    }

    /// Replaces the table by a new dump.
    /// - Returns: as ``apply(_:)``.
    mutating func replace(with other: LinkTable) -> PathChange {
        let old = self
        self = other
        var change = PathChange()
        for index in Set(old.links.keys).union(links.keys) {
            let (before, after) = (old.usableName(index), usableName(index))
            let (addresses, routes) = old.reach(index)
            let (newAddresses, newRoutes) = reach(index)
            let isOther = before != after
            if let after, isOther || !newAddresses.isSubset(of: addresses) || !newRoutes.isSubset(of: routes) {
                if !newAddresses.isEmpty || !newRoutes.isEmpty { change.available.insert(after) }
            }
            if let before, isOther || !addresses.isSubset(of: newAddresses) || !routes.isSubset(of: newRoutes) {
                if !addresses.isEmpty || !routes.isEmpty { change.lost.insert(before) }
            }
        }
        change.hasBetterPath = isBetter(than: old.preferred)
        return change
    }

    /// A link that appears, disappears or is renamed changes the reachability of everything behind it.
    private mutating func applyToLink(_ index: Int32, _ message: LinkMessage) -> PathChange {
        let before = usableName(index)
        let hadReach = addresses[index]?.isEmpty == false || routes[index] != nil
        take(message)
        let after = usableName(index)
        guard before != after else { return PathChange() }
        let hasReach = addresses[index]?.isEmpty == false || routes[index] != nil
        var change = PathChange()
        if let before, hadReach { change.lost.insert(before) }
        if let after, hasReach { change.available.insert(after) }
        return change
    }

    private func usableName(_ index: Int32) -> String? {
        guard let link = links[index], link.isUsable, !link.isLoopback else { return nil }
        return link.name
    }

    private func reach(_ index: Int32) -> (Set<HostAddress>, Set<Route>) {
        usableName(index) == nil ? ([], []) : (addresses[index] ?? [], routes[index] ?? [])
    }

    /// For each family, the interface of the best default route. The kernel's choice may differ by rules that are
    /// ignored here.
    private var preferred: [Int32?] {
        [HostAddress.Family.ipv4, .ipv6].map { family in
            defaults.filter { $0.destination.family == family && usableName($0.index) != nil }
                .min { ($0.metric, $0.index) < ($1.metric, $1.index) }?.index
        }
    }

    /// Another interface is preferred, and the previous one still has a route.
    private func isBetter(than before: [Int32?]) -> Bool {
        zip(before, preferred).contains { old, new in
            guard let old, let new, old != new else { return false }
            return usableName(old) != nil && defaults.contains { $0.index == old }
        }
    }
}
