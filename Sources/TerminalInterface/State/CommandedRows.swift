// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Rows that a key has acted on, until they leave the list or it is too late for that to be the cause. Pure.
struct CommandedRows: Hashable, Sendable {
    /// Seconds.
    private static let patience = 10.0
    /// More leave together.
    private static let most = 200

    private(set) var ids: Set<TransferID> = []
    private(set) var isReverted = false
    private var at = 0.0

    init() {}

    init(_ ids: some Sequence<TransferID>, isReverted: Bool, at now: Double) {
        (self.ids, self.isReverted, at) = (Set(ids.prefix(Self.most)), isReverted, now)
    }

    /// Forgets and returns those that are not shown any more.
    mutating func leaving(at now: Double, _ isShown: (TransferID) -> Bool) -> [TransferID] {
        if abs(now - at) > Self.patience { ids = [] }
        let gone = ids.filter { !isShown($0) }
        ids.subtract(gone)
        return gone.sorted()
    }
}

extension InterfaceState {
    /// The rows on the list whose transfers a key has changed.
    mutating func noteCommands(_ effects: [Effect]) {
        guard !list.view.hasOwnList else { return }
        for case .perform(let command, let ids) in effects where command != .remove {
            commanded = CommandedRows(ids.lazy.filter(list.isShown), isReverted: command.undoWord != nil, at: now)
        }
    }

    /// A row that leaves because of a key does not vanish without a word: a notice names the view that it is in.
    mutating func sayWhereRowsWent() {
        guard !list.view.hasOwnList else { return }
        let gone = commanded.leaving(at: now, list.isShown)
        guard let first = gone.first else { return }
        let transfer = list.transfers[first]
        let view = transfer.map(QueueView.showing) ?? .history
        let name = transfer.map { TextSanitizer.clean(DisplayName.of($0)) } ?? "It"
        let what = gone.count > 1 ? "They" : CellText.fit(name, width: min(30, CellWidth.of(name)))
        let place =
            view == list.view && !list.filter.isEmpty
            ? (gone.count > 1 ? "are" : "is") + " hidden by the filter"
            : "moved to \(view.title) (\(setup.keyMap.label(view.action)))"
        notice = Notice(text: "\(what) \(place)." + (commanded.isReverted ? " \(undoes)" : ""))
    }
}
