// SPDX-License-Identifier: MIT

/// The sections of the help: what the user wants.
package enum ActionGroup: String, Sendable, CaseIterable {
    case add = "Add and edit"
    case start = "Start and stop"
    case order = "Order"
    case find = "Find and mark"
    case show = "Show"

    /// The actions in lines of the help: those that belong together share one.
    var rows: [[Action.Name]] {
        switch self {
        case .add: [[.add], [.edit], [.open, .openFolder], [.copy], [.command]]
        case .start:
            [
                [.pause, .pauseAll], [.cancel, .cancelDeleting], [.retry, .retryAll], [.schedule], [.limit, .limitAll],
                [.trust, .login], [.proceedAnyway, .keepBoth], [.forget, .erase], [.undo],
            ]
        case .order:
            [
                [.moveDown, .moveUp], [.moveTop, .moveBottom], [.priorityUp, .priorityDown], [.sort],
                [.group, .fold, .unfold],
            ]
        case .find:
            [
                [.filter], [.nextProblem, .previousProblem], [.down, .up], [.first, .last], [.pageDown, .pageUp],
                [.mark, .markRange, .markAll],
            ]
        case .show:
            [
                [.viewNow, .viewAll, .viewProblems], [.viewHeld, .viewDone], [.viewHistory, .viewLog],
                [.viewFirstOwn, .viewSecondOwn, .viewThirdOwn], [.nextView, .previousView], [.detail],
                [.nextTab, .previousTab], [.graphSpan, .panePlace], [.paneDown, .paneUp], [.columns], [.help, .close],
                [.redraw, .suspend], [.quit, .interrupt],
            ]
        }
    }

    /// The group that has an action.
    static func of(_ name: Action.Name) -> ActionGroup {
        allCases.first { $0.rows.contains { $0.contains(name) } } ?? .show
    }
}
