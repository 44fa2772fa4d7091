// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension ActionTable {
    static let moving: [Action] = [
        Action(.down, ["j", .down], "down", "next transfer", .moves, change: { $0.step(lines: 1) }),
        Action(.up, ["k", .up], "up", "previous transfer", .moves, change: { $0.step(lines: -1) }),
        Action(.first, ["g", .home], "first", "first transfer", .moves, change: { $0.step(toEnd: -1) }),
        Action(.last, ["G", .end], "last", "last transfer", .moves, change: { $0.step(toEnd: 1) }),
        // A list needs no hint for that.
        Action(
            .pageDown, [.pageDown, .control("f")], "page down", "one screen down; scrolls details", hint: 3,
            .moves, isOfUse: { $0.isCovered && $0.hiddenLines.below > 0 }, change: { $0.step(pages: 1) }),
        Action(
            .pageUp, [.pageUp, .control("b")], "page up", "one screen up; scrolls details", hint: 3, .moves,
            isOfUse: { $0.isCovered && $0.hiddenLines.below == 0 && $0.hiddenLines.above > 0 },
            change: { $0.step(pages: -1) }),
        Action(
            .nextProblem, ["n"], "next problem", "next that waits, asks or has failed; in the log next match", .moves,
            when: hasProblem, refusal: noProblem, change: { goToProblem(1, &$0) }),
        Action(
            .previousProblem, ["N"], "previous", "previous such transfer", .moves, when: hasProblem,
            refusal: noProblem, change: { goToProblem(-1, &$0) }),
        Action(
            .close, [.escape], "back", "close the top view; then clear filter and marks", hint: 2, .keepsRange,
            when: { $0.overlay != nil || $0.list.range != nil || !$0.list.filter.isEmpty || !$0.list.marks.isEmpty },
            change: { $0.closeOne() }),
        // Enter closes the details, too, but the hint shows Esc.
        Action(
            .detail, [.enter], "details", "details of the selected transfer; again: back; on a group: fold or unfold",
            hint: 10, [.needsList, .isInRowMenu], isOfUse: { $0.overlay == nil && $0.list.selectedGroup == nil },
            when: { $0.list.hasSelection && !$0.isCovered }, refusal: \.noTarget,
            change: { state in
                if state.list.selectedGroup != nil { return state.toggleGroup() }
                state.cover(state.overlay == .detail ? nil : .detail)
            }),
        Action(
            .nextTab, ["]"], "tab", "next tab of the details: information, attempts, log, pieces, headers", hint: 13,
            .needsList, when: \.showsDetails, refusal: noTab, change: { $0.showTab(after: 1) }),
        Action(
            .previousTab, ["["], "prev tab", "previous tab of the details", .needsList, when: \.showsDetails,
            refusal: noTab, change: { $0.showTab(after: -1) }),
        Action(
            .graphSpan, ["w"], "graph span",
            "graphs of the last minute, five minutes, or hour: of the selected transfer, and of all", .needsList,
            when: { $0.graphed != nil },
            refusal: { state in
                guard state.list.selectedGroup == nil, state.showsDetails else { return noTab(state) }
                let label = state.setup.keyMap.label
                return "The graph is in the tab Info; \(label(.previousTab)) \(label(.nextTab)) show the tabs"
            },
            change: { $0.details.span = $0.details.span.next }),
        Action(
            .panePlace, ["i"], "pane place",
            "details at the right of the list, or below it, in windows of 120 columns or more", .needsList,
            when: { $0.overlay == nil && $0.usualLayout.pane != nil && $0.columns >= ScreenLayout.right },
            refusal: { state in
                let least = ScreenLayout.right
                let isNarrow = "The window is too narrow: details are at the right in \(least) columns or more"
                let isLow = "The window is too low for details beside the list"
                return state.isListCovered ?? (state.columns < least ? isNarrow : nil)
                    ?? (state.list.hasSelection ? isLow : nil) ?? state.noTarget
            },
            change: { $0.movePane() }),
        Action(
            .paneDown, [.control("d")], "scroll", "scroll the details below or beside the list", .needsList,
            when: \.canScrollPane, refusal: noPane, change: { $0.scrollPane(1) }),
        Action(
            .paneUp, [.control("u")], "scroll back", "scroll them back", .needsList, when: \.canScrollPane,
            refusal: noPane, change: { $0.scrollPane(-1) }),
        Action(
            .filter, ["/"], "filter",
            "filter by name, URL or reason, a state, or state:failed, size>1G; every term must match", hint: 11,
            when: { $0.overlay == nil && ($0.list.view.hasOwnList || !$0.list.order.isEmpty) },
            refusal: { $0.isListCovered ?? $0.noTarget }, change: { $0.ask(.filter, text: $0.list.filter) }),
    ]

    private static func hasProblem(_ state: InterfaceState) -> Bool {
        if state.list.view == .log {
            return state.showsLog && !state.list.filter.isEmpty && !state.logWindow.isWhole
        }
        if state.isCovered { return false }
        guard let shown = state.list.shownHistory else { return state.list.listing.problems > 0 }
        return shown.contains { state.list.transfer($0)?.isProblem ?? false }
    }

    private static func noProblem(_ state: InterfaceState) -> String? {
        guard state.list.view == .log else { return state.list.order.isEmpty ? state.emptyQueue : "No problems here" }
        if state.list.filter.isEmpty {
            return "No words to go to; \(state.setup.keyMap.label(.filter)) shows the lines that have some"
        }
        return state.logEntries.isEmpty ? "No line has these words" : "All lines with these words are shown"
    }

    /// Goes to the next problem; in the log to the next line, since each matches.
    private static func goToProblem(_ step: Int, _ state: inout InterfaceState) {
        if state.showsLog { return state.goToMatch(step) }
        if let id = state.list.problem(step) { state.select(id) }
    }

    private static func noTab(_ state: InterfaceState) -> String? {
        if state.list.selectedGroup != nil { return "A group has no tabs; its transfers have" }
        return state.list.selected == nil
            ? state.noTarget : "No details are shown; \(state.setup.keyMap.label(.detail)) shows them"
    }

    private static func noPane(_ state: InterfaceState) -> String? {
        if state.list.selectedGroup == nil, state.overlay == .detail {
            return "\(state.setup.keyMap.label(.pageDown)) and \(state.setup.keyMap.label(.pageUp)) scroll the details"
        }
        guard state.list.selected != nil, state.usualLayout.pane != nil else { return noTab(state) }
        return "All details of this tab are shown"
    }
}
