// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The single table of actions, with their default keys. ``KeyMap``, and through it key dispatch, hint line, help
/// overlay, man page and `fileq keys`, are generated from it.
enum ActionTable {
    static let all: [Action] = moving + views + transfers + queue + screen

    private static let views: [Action] = [
        view(.viewAll, .all, "all transfers"),
        view(.viewActive, .active, "what runs or is verified"),
        view(.viewProblems, .problems, "what waits, retries, asks or has failed"),
        view(.viewDone, .done, "what is completed or cancelled"),
        view(.viewHistory, .history, "what ended, as long as the service keeps it"),
        view(.viewLog, .log, "what happened, and the command line that equals each key"),
        view(.viewFirstOwn, .firstOwn, "the first view in [interface.views] of the configuration"),
        view(.viewSecondOwn, .secondOwn, "the second one"),
        view(.viewThirdOwn, .thirdOwn, "the third one"),
        Action(
            name: .nextView, keys: [.tab], word: "next view", help: "next view", group: .views,
            isEnabled: { !$0.isCovered }),
        Action(
            name: .previousView, keys: [.backTab], word: "prev view", help: "previous view", group: .views,
            isEnabled: { !$0.isCovered }),
        Action(
            name: .sort, keys: [.character("s")], word: "sort",
            help: "sort by the column of the next key; s then reverses, q returns to the order of the queue",
            group: .views, hintRank: 13,
            isEnabled: { ($0.view == .history ? !$0.visible.isEmpty : !$0.order.isEmpty) && $0.overlay == nil }),
        Action(
            name: .group, keys: [.character("z")], word: "group",
            help: "group by server, folder, or place on the server; then no groups; keys act on a whole group",
            group: .views, isEnabled: { !$0.order.isEmpty && $0.overlay == nil && !$0.view.hasOwnList }),
        Action(
            name: .columns, keys: [.character("c")], word: "columns",
            help: "choose, order and size the columns of the list", group: .views,
            isEnabled: { state in
                state.overlay == nil && !state.view.hasOwnList && state.listWidth >= ColumnLayout.leastForWishes
            }),
        Action(
            name: .fold, keys: [.left], word: "fold", help: "fold the group", group: .views, hintRank: 10,
            isEnabled: { state in state.groupInReach.map { !state.groups.isFolded($0) } ?? false }),
        Action(
            name: .unfold, keys: [.right], word: "unfold", help: "unfold the group", group: .views, hintRank: 10,
            isEnabled: { state in state.groupInReach.map(state.groups.isFolded) ?? false }),
    ]

    private static func view(_ name: Action.Name, _ view: QueueView, _ help: String) -> Action {
        let digit = Unicode.Scalar(UInt8(48 + view.rawValue))
        return Action(
            name: name, keys: [.character(digit)], word: view.title.lowercased(), help: help, group: .views,
            isEnabled: { !$0.isCovered && $0.views.contains(view) })
    }

    private static let moving: [Action] = [
        Action(name: .down, keys: [.character("j"), .down], word: "down", help: "next transfer", group: .moving),
        Action(name: .up, keys: [.character("k"), .up], word: "up", help: "previous transfer", group: .moving),
        Action(name: .first, keys: [.character("g"), .home], word: "first", help: "first transfer", group: .moving),
        Action(name: .last, keys: [.character("G"), .end], word: "last", help: "last transfer", group: .moving),
        Action(
            name: .pageDown, keys: [.pageDown, .control("f")], word: "page down",
            help: "one screen down; scrolls details and help", group: .moving, hintRank: 3),
        Action(
            name: .pageUp, keys: [.pageUp, .control("b")], word: "page up",
            help: "one screen up; scrolls details and help", group: .moving, hintRank: 3),
        Action(
            name: .nextProblem, keys: [.character("n")], word: "next problem",
            help: "next that waits, asks or has failed; in the log next match", group: .moving, isEnabled: hasProblem),
        Action(
            name: .previousProblem, keys: [.character("N")], word: "prev problem", help: "previous such transfer",
            group: .moving, isEnabled: hasProblem),
        Action(
            name: .close, keys: [.escape], word: "back",
            help: "close the top view; then clear filter and marks",
            group: .moving, hintRank: 2,
            isEnabled: { $0.overlay != nil || $0.range != nil || !$0.filter.isEmpty || !$0.marks.isEmpty }),
        Action(
            name: .detail, keys: [.enter], word: "details",
            help: "details of the selected transfer; again: back; on a group: fold or unfold",
            group: .moving, hintRank: 10, isEnabled: { $0.hasSelection && !$0.isCovered }),
        Action(
            name: .nextTab, keys: [.character("]")], word: "tab",
            help: "next tab of the details: information, attempts, log, pieces, headers", group: .moving, hintRank: 13,
            isEnabled: \.showsDetails),
        Action(
            name: .previousTab, keys: [.character("[")], word: "prev tab", help: "previous tab of the details",
            group: .moving, isEnabled: \.showsDetails),
        Action(
            name: .graphSpan, keys: [.character("w")], word: "graph span",
            help: "graphs of the last minute, five minutes, or hour: of the selected transfer, and of all",
            group: .moving, isEnabled: { $0.graphed != nil }),
        Action(
            name: .panePlace, keys: [.character("i")], word: "pane place",
            help: "details at the right of the list, or below it, in windows of 120 columns or more", group: .moving,
            isEnabled: { $0.overlay == nil && $0.usualLayout.pane != nil && $0.columns >= ScreenLayout.right }),
        Action(
            name: .paneDown, keys: [.control("d")], word: "scroll", help: "scroll the details below or beside the list",
            group: .moving, isEnabled: \.canScrollPane),
        Action(
            name: .paneUp, keys: [.control("u")], word: "scroll back", help: "scroll them back", group: .moving,
            isEnabled: \.canScrollPane),
        Action(
            name: .filter, keys: [.character("/")], word: "filter",
            help:
                "filter by name, URL or reason, a state, or state:failed, size>1G; every term must match",
            group: .moving, hintRank: 11,
            isEnabled: { $0.overlay == nil && ($0.view.hasOwnList || !$0.order.isEmpty) }),
    ]

    private static let transfers: [Action] = [
        Action(
            name: .mark, keys: [.character(" ")], word: "mark", help: "mark or unmark, and move to the next",
            group: .transfers, hintRank: 9, isEnabled: { $0.hasSelection && $0.overlay == nil }),
        Action(
            name: .markRange, keys: [.character("v")], word: "mark range",
            help: "mark from here to where the selection moves; again: keeps the marks, {close} takes them back",
            group: .transfers, isEnabled: { $0.hasSelection && $0.overlay == nil }),
        Action(
            name: .markAll, keys: [.control("a")], word: "mark all", help: "mark all shown; again: none",
            group: .transfers, isEnabled: { $0.hasSelection && $0.overlay == nil }),
        Action(
            name: .trust, keys: [.character("T")], word: "trust?",
            help: "decide on a certificate that the system does not trust",
            group: .transfers, hintRank: 1, isEnabled: { $0.question(.trust) != nil }),
        Action(
            name: .login, keys: [.character("u")], word: "log in",
            help: "enter user and password if a server requires them",
            group: .transfers, hintRank: 1, isEnabled: { $0.question(.login) != nil }),
        Action(
            name: .pause, keys: [.character("p")], word: "pause", help: "pause; resume if paused",
            group: .transfers, hintRank: 3, isEnabled: { hasTarget($0) { !$0.isEnded && $0 != .verifying } }),
        Action(
            name: .cancel, keys: [.character("x"), .delete], word: "cancel",
            help: "cancel; the partial file stays, and {retry} resumes it",
            group: .transfers, hintRank: 4, isEnabled: { hasTarget($0) { !$0.isEnded } }),
        Action(
            name: .cancelDeleting, keys: [.character("X")], word: "delete",
            help: "cancel and delete the partial file; asks first", group: .transfers,
            isEnabled: { hasTarget($0) { !$0.isEnded && $0 != .verifying } }),
        Action(
            name: .retry, keys: [.character("r")], word: "retry",
            help: "restart if failed or cancelled; now, if it waits for the next attempt or its time",
            group: .transfers, hintRank: 5,
            isEnabled: { state in
                hasTarget(state, where: isRetried)
                    || !state.isCovered && state.hasTarget { isScheduled($0, state.now) }
            }),
        Action(
            name: .forget, keys: [.character("d")], word: "remove",
            help: "remove finished transfers from the list; history and files stay",
            group: .transfers, hintRank: 7,
            isEnabled: { $0.view != .history && hasTarget($0, where: \.isEnded) }),
        Action(
            name: .erase, keys: [.character("D")], word: "erase",
            help: "remove finished transfers from the list and the history; files stay", group: .transfers,
            hintRank: 7,
            isEnabled: { hasTarget($0, where: \.isEnded) }),
        Action(
            name: .edit, keys: [.character("e")], word: "edit",
            help: "edit address, name, folder, start, priority, limit and login; the bytes stay", group: .transfers,
            hintRank: 6,
            isEnabled: { state in
                !state.isCovered && state.canEdit
                    && state.hasTarget { $0.state != .completed }
            }),
        Action(
            name: .limit, keys: [.character("l")], word: "limit", help: "limit the speed: 500k, 2M; none: no limit",
            group: .transfers, hintRank: 12, isEnabled: { hasTarget($0) { !$0.isEnded } }),
        Action(
            name: .proceedAnyway, keys: [.character("A")], word: "use anyway",
            help: "use any network, whatever it costs, now and in later attempts", group: .transfers,
            hintRank: 7,
            isEnabled: { state in !state.isCovered && state.hasTarget(where: \.canBeLifted) }),
        Action(
            name: .open, keys: [.character("o")], word: "open", help: "open the file with the program for its kind",
            group: .transfers, hintRank: 8,
            isEnabled: { state in
                !state.isCovered && state.canOpen && state.hasTarget(where: InterfaceState.hasFile)
            }),
        Action(
            name: .openFolder, keys: [.character("O")], word: "open folder", help: "open the folder of the file",
            group: .transfers,
            isEnabled: { state in
                !state.isCovered && state.canOpen && state.hasTarget { $0.file.beginsWithSlash }
            }),
        Action(
            name: .copy, keys: [.character("y")], word: "copy",
            help: "copy address, path, ID or curl line to the terminal's clipboard", group: .transfers, hintRank: 15,
            isEnabled: { hasTarget($0) }),
    ]

    private static let queue: [Action] = [
        Action(
            name: .moveDown, keys: [.character("J")], word: "move down", help: "move down by one",
            group: .queue, hintRank: 14, isEnabled: isMovable),
        Action(
            name: .moveUp, keys: [.character("K")], word: "move up", help: "move up by one",
            group: .queue, hintRank: 15, isEnabled: isMovable),
        Action(
            name: .moveTop, keys: [.character("t")], word: "to top", help: "move to the top",
            group: .queue, hintRank: 16, isEnabled: isMovable),
        Action(
            name: .moveBottom, keys: [.character("b")], word: "to bottom", help: "move to the bottom",
            group: .queue, isEnabled: isMovable),
        Action(
            name: .priorityUp, keys: [.character("+")], word: "higher", help: "higher priority: low, normal, high",
            group: .queue, isEnabled: { hasPriority($0, isUp: true) }),
        Action(
            name: .priorityDown, keys: [.character("-")], word: "lower", help: "lower priority",
            group: .queue, isEnabled: { hasPriority($0, isUp: false) }),
        Action(
            name: .undo, keys: [.character("U")], word: "undo",
            help: "undo the last command: pause, cancel, remove, move, priority, limits; for ten minutes",
            group: .queue, hintRank: 12),
        Action(
            name: .command, keys: [.character(":")], word: "command",
            help: "run a command line, as in a shell: Tab completes, Up recalls", group: .queue, hintRank: 11,
            isEnabled: { $0.overlay != .help && !$0.vocabulary.commands.isEmpty }),
        Action(
            name: .add, keys: [.character("a")], word: "add",
            help: "add transfers: a form for addresses, a curl line, or files to upload",
            group: .queue, hintRank: 6, isEnabled: { $0.overlay == nil }),
        Action(
            name: .pauseAll, keys: [.character("P")], word: "pause all",
            help: "hold the whole queue, also what is added; again: release what {pauseAll} paused",
            group: .queue, hintRank: 17, isEnabled: \.isLoaded),
        Action(
            name: .retryAll, keys: [.character("R")], word: "retry failed", help: "retry all failed transfers",
            group: .queue, isEnabled: { $0.tally[.failed] > 0 }),
        Action(
            name: .limitAll, keys: [.character("L")], word: "limit all",
            help: "limit the queue: 4M, 4M 1M for down and up, none; 6 slots", group: .queue, hintRank: 18),
    ]

    private static let screen: [Action] = [
        Action(
            name: .help, keys: [.character("?"), .function(1)], word: "help", help: "this help; again: back",
            group: .screen, hintRank: 1),
        Action(
            name: .redraw, keys: [.control("l")], word: "redraw", help: "redraw the screen",
            group: .screen),
        Action(
            name: .suspend, keys: [.control("z")], word: "suspend", help: "suspend to the shell; fg resumes",
            group: .screen),
        Action(
            name: .quit, keys: [.character("q")], word: "quit", help: "quit; from details or help: back to the list",
            group: .screen, hintRank: 0),
        Action(
            name: .interrupt, keys: [.control("c")], word: "quit", help: "quit from anywhere; twice: without asking",
            group: .screen),
    ]

    /// Only the order of the queue can be changed by hand.
    private static func isMovable(_ state: InterfaceState) -> Bool {
        state.listOrder == nil && state.view != .history && hasTarget(state)
    }

    private static func hasPriority(_ state: InterfaceState, isUp: Bool) -> Bool {
        guard state.view != .history, hasTarget(state, where: { !$0.isEnded }) else { return false }
        return PriorityStep.next(state.firstTarget { !$0.state.isEnded }?.priority, isUp: isUp) != nil
    }

    private static func hasProblem(_ state: InterfaceState) -> Bool {
        if state.view == .log { return state.overlay == nil && state.hasFurtherMatches }
        if state.isCovered { return false }
        guard let shown = state.shownHistory else { return state.listing.problems > 0 }
        return shown.contains { state.transfer($0)?.isProblem ?? false }
    }

    /// Whether `retry` applies in this state.
    static func isRetried(_ state: TransferState) -> Bool {
        state == .failed || state == .cancelled || state == .retrying
    }

    /// Whether it waits for its time.
    static func isScheduled(_ transfer: Transfer, _ now: Double) -> Bool {
        transfer.state == .queued && transfer.earliestBegin.map { $0 > now } ?? false
    }

    private static func hasTarget(_ state: InterfaceState, where fits: (TransferState) -> Bool = { _ in true }) -> Bool
    {
        guard !state.isCovered else { return false }
        return state.hasTarget(in: fits)
    }
}
