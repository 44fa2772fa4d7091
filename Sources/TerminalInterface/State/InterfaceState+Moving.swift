// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension InterfaceState {
    /// Moves the targets within the queue, unless they are at that end already. A notice says what the list does not
    /// show.
    mutating func move(_ place: QueueMove) -> [Effect] {
        let ids = targets.map(\.id)
        let isUp = place == .up || place == .top
        let (end, those) = isUp ? ("first", list.order.prefix(ids.count)) : ("last", list.order.suffix(ids.count))
        guard Set(those) != Set(ids) else {
            let what = ids.count == 1 ? "It is the \(end)" : "They are the \(end) \(ids.count)"
            notice = Notice(text: "\(what) in the queue already")
            return []
        }
        let isPartial = list.view != .all || !list.filter.isEmpty
        if ids.count > 1 || isPartial {
            let count = ids.count > 1 ? " \(ids.count) transfers" : ""
            let way =
                switch place {
                case .up: "up"
                case .down: "down"
                case .top: "to the top"
                case .bottom: "to the bottom"
                }
            let isEnd = place == .top || place == .bottom
            let queue = isPartial ? " \(isEnd ? "of" : "in") the whole queue" : ""
            notice = Notice(text: "Moved\(count) \(way)\(queue). \(setup.keyMap.label(.undo)) undoes.")
        }
        // In an order in which each neighbour is still in place.
        return [.perform(.move(place), place == .up || place == .bottom ? ids : ids.reversed())]
    }
}
