// SPDX-License-Identifier: MIT

/// One thing the user can do, with all that is ever said about it. ``ActionTable/all`` holds every one.
struct Action: Sendable {
    enum Name: String, Sendable, CaseIterable {
        case down, up, first, last, pageDown, pageUp, detail, close, filter
        case mark, markAll, pause, cancel, retry, trust, login, forget, limit, goOnAnyway
        case moveDown, moveUp, moveTop, moveBottom, add, pauseAll, limitAll
        case help, redraw, suspend, quit, interrupt
    }

    let name: Name
    /// The first is the one that hints show.
    let keys: [Key]
    /// One or two words, for the hint line.
    let word: String
    /// One line, for the overlay and the manual.
    let help: String
    let group: ActionGroup
    /// Its place among the hints; the lowest are the last to go when there is no room. `nil`: never hinted at.
    var hintRank: Int?
    /// Whether it has a meaning now.
    var isEnabled: @Sendable (InterfaceState) -> Bool = { _ in true }
}

/// The headings under which help lists the actions.
package enum ActionGroup: String, Sendable, CaseIterable {
    case moving = "Moving about"
    case transfers = "Transfers (the marked ones, or the selected one)"
    case queue = "Queue"
    case screen = "Screen"
}

/// What a manual page says about one key; made from the same table as the screen's own help.
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
