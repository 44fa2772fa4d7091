// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The network in the first line.
enum NetworkText {
    /// `wlan0`, `wwan0 expensive: 2 wait`, `no network: 2 wait`; `nil` if nothing uses it, or it is unknown.
    static func label(_ state: InterfaceState, _ capabilities: Capabilities) -> String? {
        guard state.list.tally.active > 0, let network = state.rates.network else { return nil }
        let waiting = state.list.tally[.waiting]
        let others = waiting > 0 ? ": \(waiting) wait\(waiting == 1 ? "s" : "")" : ""
        guard network.obstacle == nil, let name = network.interface else { return "no network" + others }
        let cost = network.expensive == true ? " expensive" : network.constrained == true ? " constrained" : ""
        return capabilities.shown(name) + cost + others
    }

    /// Whether it holds up transfers.
    static func isWarning(_ state: InterfaceState) -> Bool {
        guard state.list.tally.active > 0, let network = state.rates.network else { return false }
        return network.obstacle != nil || state.list.tally[.waiting] > 0
    }
}
