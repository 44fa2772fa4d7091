// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Views and order of the list.
extension InterfaceState {
    mutating func show(_ view: QueueView) {
        guard self.view != view else { return }
        self.view = view
        earlyActions = []
        overlay = nil
        logBack = 0
        if view == .history { history.opened() }
        refilter(near: selectedIndex)
    }

    /// The next view, or the one before.
    mutating func showView(after step: Int) {
        let all = views
        show(all[(view.rawValue - 1 + step + all.count) % all.count])
    }

    /// `Sort: [n]ame ser[v]er …`
    var sortQuestion: String {
        let keys = sortKeys.map { key in
            let parts = key.rawValue.split(
                separator: Character(key.letter), maxSplits: 1, omittingEmptySubsequences: false)
            return parts.joined(separator: "[\(key.letter)]")
        }
        let usual = view == .history ? "[q] latest" : "[q]ueue"
        return (["Sort:"] + keys + [usual, "[s] reverse "]).joined(separator: " ")
    }

    /// What has ended has neither a rate nor a time left.
    private var sortKeys: [ListOrder.Key] {
        ListOrder.Key.allCases.filter { view != .history || $0 != .rate && $0 != .left }
    }

    /// The key after that of ``Action/Name/sort``; any other changes nothing.
    /// - Parameter isNoted: no heading shows the order for sure.
    mutating func sort(by key: Key, isNoted: Bool = true) {
        guard case .character(let letter) = key else { return }
        let index = selectedIndex
        if letter == "q" {
            listOrder = nil
        } else if letter == "s" {
            guard listOrder != nil else {
                let usual = view == .history ? "shows the latest first" : "is in the order of the queue"
                notice = Notice(text: "The list \(usual); \(keyMap.label(.sort)), then a letter, sorts it")
                return
            }
            listOrder?.isReversed.toggle()
        } else if let key = sortKeys.first(where: { $0.letter == letter }) {
            listOrder = ListOrder(key: key, isReversed: listOrder?.key == key && listOrder?.isReversed == false)
        } else {
            notice = Notice(text: "Not sorted: no column has the key \(letter)")
            return
        }
        refilter(near: index)
        if isNoted { noteOrder() }
    }

    /// Headings may be left out, or have no column for it.
    private mutating func noteOrder() {
        let usual = view == .history ? "the latest first" : "the order of the queue"
        guard let listOrder else {
            notice = Notice(text: view == .history ? "The latest first" : "In \(usual)")
            return
        }
        let reversed = listOrder.isReversed ? ", reversed" : ""
        notice = Notice(
            text: "Sorted by \(listOrder.key.rawValue)\(reversed); \(keyMap.label(.sort)) q returns to \(usual)")
    }

    /// What rows depend on beside their transfer.
    var surroundings: RowText.Surroundings {
        var around = RowText.Surroundings(
            now: now, clock: clock, words: words, keys: keyMap.words, homeFolder: homeFolder, lastMoved: lastMoved)
        guard tally[.queued] > 0 else { return around }
        around.read(
            listing.queued, occupying: listing.running.compactMap { transfers[$0] }, limits,
            taken: listing.running.count
        ) { transfers[$0] }
        return around
    }
}
