// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Views and order of the list.
extension InterfaceState {
    mutating func show(_ view: QueueView) {
        guard list.view != view else { return }
        list.view = view
        (earlyActions, commanded) = ([], CommandedRows())
        overlay = nil
        logScroll.back = 0
        if list.view == .history { list.history.opened() }
        refilter(near: list.selectedIndex)
    }

    /// The next view, or the one before.
    mutating func showView(after step: Int) {
        let all = list.views
        show(all[(list.view.rawValue - 1 + step + all.count) % all.count])
    }

    /// Values that rows need beside their transfer.
    var surroundings: RowText.Surroundings {
        var around = RowText.Surroundings(
            now: now, clock: setup.clock, words: setup.words, keys: setup.keyMap.words,
            homeFolder: setup.homeFolder, lastMoved: list.lastMoved)
        guard list.tally[.queued] > 0 else { return around }
        around.read(
            list.listing.queued, occupying: list.listing.running.compactMap { list.transfers[$0] }, limits,
            taken: list.listing.running.count
        ) { list.transfers[$0] }
        return around
    }
}
