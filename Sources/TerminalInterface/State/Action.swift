// SPDX-License-Identifier: MIT

/// A user action with all its texts. ``ActionTable/all`` has every one, ``KeyMap`` the keys in force.
struct Action: Sendable {
    enum Name: String, Sendable, CaseIterable {
        case down, up, first, last, pageDown, pageUp, detail, nextTab, previousTab, graphSpan, panePlace, paneDown,
            paneUp, close, filter
        case viewAll, viewActive, viewProblems, viewDone, viewHistory, viewLog, viewFirstOwn, viewSecondOwn,
            viewThirdOwn, nextView, previousView, nextProblem, previousProblem, sort, group, fold, unfold,
            columns
        case mark, markRange, markAll, pause, cancel, cancelDeleting, retry, trust, login, forget, erase, edit, limit,
            proceedAnyway, open, openFolder, copy
        case moveDown, moveUp, moveTop, moveBottom, priorityUp, priorityDown
        case add, pauseAll, retryAll, limitAll, undo, command
        case help, redraw, suspend, quit, interrupt

        /// In the configuration: `page-down`.
        var configured: String {
            rawValue.reduce(into: "") { name, letter in
                name += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
            }
        }
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
        case .mark, .markRange, .markAll, .detail, .nextTab, .previousTab, .graphSpan, .panePlace, .paneDown, .paneUp,
            .sort,
            .group, .fold, .unfold, .columns, .pause, .cancel,
            .cancelDeleting, .retry, .trust, .login, .forget, .erase, .edit, .limit, .proceedAnyway, .moveDown, .moveUp,
            .moveTop, .moveBottom, .priorityUp, .priorityDown, .open, .openFolder, .copy:
            true
        default: false
        }
    }

    let name: Name
    /// Hints show the first. Only a changed key map has actions without keys.
    var keys: [Key]
    /// One or two words, for the hint line.
    let word: String
    /// One line, for help overlay and man page. `{retry}` stands for the key of that action; ``KeyMap`` inserts it.
    var help: String
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
