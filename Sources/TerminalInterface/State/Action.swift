// SPDX-License-Identifier: MIT

/// A user action with all its texts. ``ActionTable/all`` has every one.
struct Action: Sendable {
    enum Name: String, Sendable, CaseIterable {
        case down, up, first, last, pageDown, pageUp, detail, close, filter
        case viewAll, viewActive, viewProblems, viewDone, viewHistory, viewLog, nextView, previousView, nextProblem,
            previousProblem, sort
        case mark, markAll, pause, cancel, cancelDeleting, retry, trust, login, forget, erase, edit, limit,
            proceedAnyway
        case moveDown, moveUp, moveTop, moveBottom, priorityUp, priorityDown
        case add, pauseAll, retryAll, limitAll, undo, command
        case help, redraw, suspend, quit, interrupt
    }

    /// Whether it changes the queue; such a one does nothing on a screen that only watches.
    var changesQueue: Bool {
        switch name {
        case .pause, .cancel, .cancelDeleting, .retry, .trust, .login, .forget, .erase, .edit, .limit, .proceedAnyway,
            .moveDown, .moveUp, .moveTop, .moveBottom, .priorityUp, .priorityDown, .add, .pauseAll, .retryAll,
            .limitAll, .undo, .command:
            true
        default: false
        }
    }

    /// Whether it applies to the list of transfers, which the log does not show.
    var needsList: Bool {
        switch name {
        case .mark, .markAll, .detail, .sort, .nextProblem, .previousProblem, .pause, .cancel, .cancelDeleting, .retry,
            .trust, .login, .forget, .erase, .edit, .limit, .proceedAnyway, .moveDown, .moveUp, .moveTop, .moveBottom,
            .priorityUp, .priorityDown:
            true
        default: false
        }
    }

    let name: Name
    /// Hints show the first.
    let keys: [Key]
    /// One or two words, for the hint line.
    let word: String
    /// One line, for help overlay and man page.
    let help: String
    let group: ActionGroup
    /// Priority among hints; the lowest are dropped last. `nil`: no hint.
    var hintRank: Int?
    /// Whether it applies now.
    var isEnabled: @Sendable (InterfaceState) -> Bool = { _ in true }
}

/// The sections of the help.
package enum ActionGroup: String, Sendable, CaseIterable {
    case moving = "Navigation"
    case views = "Views"
    case transfers = "Transfers (the marked ones, or the selected one)"
    case queue = "Queue"
    case screen = "Screen"
}

/// A key in the man page; generated from the table of the help overlay.
package struct KeyHelp: Sendable, Hashable {
    /// As printed: `j, Down`.
    package let keys: String
    /// One or two words: `pause`.
    package let word: String
    /// One line without full stop.
    package let help: String
    package let group: ActionGroup

    /// Every key of the interface, group by group.
    package static let all: [KeyHelp] = ActionGroup.allCases.flatMap { group in
        ActionTable.all.filter { $0.group == group }.map {
            KeyHelp(keys: $0.keys.map(\.label).joined(separator: ", "), word: $0.word, help: $0.help, group: group)
        }
    }
}
