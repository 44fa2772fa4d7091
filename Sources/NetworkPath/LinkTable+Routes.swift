// SPDX-License-Identifier: MIT

import CLinux
import SessionCore

extension LinkTable {
    /// The usable interfaces that have a route to `address` (`nil`: anywhere), best first: the longer prefix, then the
    /// smaller metric, as in one table of the kernel.
    func interfaces(to address: HostAddress?) -> [Link] {
        var best: [Int32: (length: Int, metric: UInt32)] = [:]
        for (index, routes) in routes {
            guard let link = links[index], link.isUsable, !link.isLoopback else { continue }
            for route in routes where covers(route, address) {
                let known = best[index] ?? (-1, .max)
                if (-route.length, route.metric) < (-known.length, known.metric) {
                    best[index] = (route.length, route.metric)
                }
            }
        }
        return best.sorted { first, second in
            (-first.value.length, first.value.metric, first.key) < (
                -second.value.length, second.value.metric, second.key
            )
        }.compactMap { links[$0.key] }
    }

    /// Routes are in tables that only rules refer to.
    var hasTablesOfTheirOwn: Bool {
        let ordinary = [UInt32(RT_TABLE_MAIN.rawValue), UInt32(RT_TABLE_DEFAULT.rawValue)]
        return routes.values.contains { $0.contains { !ordinary.contains($0.table) } }
    }

    /// The interface that has this address.
    func link(with address: HostAddress) -> Link? {
        addresses.first { $0.value.contains(address) }.flatMap { links[$0.key] }
    }

    private func covers(_ route: Route, _ address: HostAddress?) -> Bool {
        guard let address else { return route.isDefault }
        return address.isInside(route.destination, length: route.length)
    }
}
