// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// A question in the bottom line.
struct Prompt: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        case filter
        /// A rate limit for these.
        case limit([TransferID])
        case limitAll
        /// Whether to trust a server's key; one key replies.
        case trust(TransferID)
        case user(TransferID)
        /// Drawn as dots.
        case password(TransferID, user: String)
        /// Whether to save a login; one key replies.
        case keep(TransferID, Credential)
        /// One key replies; the question is the label.
        case quit
        /// The order of the list; one key replies.
        case sort
        /// The choice of what to copy; one key replies.
        case copy
        /// When these start.
        case start([TransferID])
        /// What to do with the files that exist in the place of these; one key replies.
        case existing([TransferID])
        /// A command that loses bytes or records; one key replies.
        case confirm(QueueCommand, [TransferID])

        /// One key replies, and the label is the question.
        var isAnsweredByKey: Bool {
            switch self {
            case .quit, .trust, .keep, .confirm, .sort, .copy, .existing: true
            case .filter, .limit, .limitAll, .start, .user, .password: false
            }
        }

        var isHidden: Bool { if case .password = self { true } else { false } }
    }

    var purpose: Purpose
    /// The longest first; shorter ones where the text has too little room beside it.
    var labels: [String]
    /// The subject of the prompt, on lines of its own.
    var subject: InterfaceWords.Question?
    /// The question on the screen, to which a reply belongs: the transfer may ask something else by now.
    var question: ConsentQuestion?
    var editor = LineEditor()
    /// The text is the value so far: what is typed takes its place, other keys edit it.
    var isOffered = false

    private static let noLimit = "(none or empty: no limit)"

    /// - Parameters:
    ///   - text: to be edited, or the question.
    ///   - limits: in force.
    init(
        _ purpose: Purpose, text: String, about question: ConsentQuestion?, _ limits: QueueLimits,
        _ words: InterfaceWords
    ) {
        (self.purpose, self.question) = (purpose, question)
        // `6 slots, 2 per-host`, as it is typed.
        let slots = "\(limits.concurrent) slots" + (limits.perHost.map { ", \($0) per-host" } ?? "")
        labels =
            switch purpose {
            case .filter: ["Filter: "]
            case .limit(let ids): ["\(Self.limit(ids)) \(Self.noLimit): ", "\(Self.limit(ids)): "]
            case .limitAll:
                [
                    "Limit down [up] [\(slots)] \(Self.noLimit): ", "Limit down [up] [\(slots)]: ",
                    "Limit down [up] [slots]: ", "Limit: ",
                ]
            case .user: ["User: "]
            case .password(_, let user): ["Password of \(user): "]
            case .start: ["Start at (23:30, tomorrow 08:00, +2h or now): ", "Start at: "]
            case .quit, .trust, .keep, .confirm, .sort, .copy, .existing: [text]
            }
        if case .trust = purpose { subject = question.map(words.question) }
        if !purpose.isAnsweredByKey { editor = LineEditor(text) }
        switch purpose {
        case .limit, .limitAll: isOffered = !text.isEmpty
        default: break
        }
    }

    private static func limit(_ ids: [TransferID]) -> String { ids.count == 1 ? "Limit" : "Limit for \(ids.count)" }
}
