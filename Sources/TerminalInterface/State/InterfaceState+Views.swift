// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Views and order of the list.
extension InterfaceState {
    mutating func show(_ view: QueueView) {
        guard list.view != view else { return }
        list.view = view
        earlyActions = []
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

    /// `Sort: [n]ame ser[v]er …`
    var sortQuestion: String {
        let keys = sortKeys.map { key in
            let parts = key.rawValue.split(
                separator: Character(key.letter), maxSplits: 1, omittingEmptySubsequences: false)
            return parts.joined(separator: "[\(key.letter)]")
        }
        let usual = list.view == .history ? "[q] latest" : "[q]ueue"
        return (["Sort:"] + keys + [usual, "[s] reverse "]).joined(separator: " ")
    }

    /// What has ended has neither a rate nor a time left.
    private var sortKeys: [ListOrder.Key] {
        ListOrder.Key.allCases.filter { list.view != .history || $0 != .rate && $0 != .left }
    }

    /// The key after that of ``Action/Name/sort``; any other changes nothing.
    /// - Parameter isNoted: no heading shows the order for sure.
    mutating func sort(by key: Key, isNoted: Bool = true) {
        guard case .character(let letter) = key else { return }
        let index = list.selectedIndex
        if letter == "q" {
            list.listOrder = nil
        } else if letter == "s" {
            guard list.listOrder != nil else {
                let usual = list.view == .history ? "shows the latest first" : "is in the order of the queue"
                notice = Notice(text: "The list \(usual); \(setup.keyMap.label(.sort)), then a letter, sorts it")
                return
            }
            list.listOrder?.isReversed.toggle()
        } else if let key = sortKeys.first(where: { $0.letter == letter }) {
            list.listOrder = ListOrder(
                key: key, isReversed: list.listOrder?.key == key && list.listOrder?.isReversed == false)
        } else {
            notice = Notice(text: "Not sorted: no column has the key \(letter)")
            return
        }
        refilter(near: index)
        if isNoted { noteOrder() }
    }

    /// Headings may be left out, or have no column for it.
    private mutating func noteOrder() {
        let usual = list.view == .history ? "the latest first" : "the order of the queue"
        guard let listOrder = list.listOrder else {
            notice = Notice(text: list.view == .history ? "The latest first" : "In \(usual)")
            return
        }
        let reversed = listOrder.isReversed ? ", reversed" : ""
        notice = Notice(
            text: "Sorted by \(listOrder.key.rawValue)\(reversed); \(setup.keyMap.label(.sort)) q returns to \(usual)")
    }

    /// What rows depend on beside their transfer.
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
