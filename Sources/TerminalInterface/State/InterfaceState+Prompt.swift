// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension InterfaceState {
    private static let noLimit = "(none or empty: no limit)"

    mutating func ask(_ purpose: Prompt.Purpose, text: String, about question: ConsentQuestion? = nil) {
        let labels: [String] =
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
            case .quit, .trust, .keep, .confirm, .sort, .copy: [text]
            }
        var asked = Prompt(purpose: purpose, labels: labels, question: question)
        if case .trust = purpose { asked.subject = question.map(setup.words.question) }
        if !purpose.isAnsweredByKey { asked.editor = LineEditor(text) }
        mode = .prompt(asked)
    }

    private static func limit(_ ids: [TransferID]) -> String { ids.count == 1 ? "Limit" : "Limit for \(ids.count)" }

    /// `6 slots, 2 per-host`, as it is typed.
    private var slots: String { "\(limits.concurrent) slots" + (limits.perHost.map { ", \($0) per-host" } ?? "") }

    mutating func setFilter(_ text: String) {
        list.setFilter(text, now: now)
        // Where it leaves out the selected one, the first match is selected, not the heading of its group.
        refilter(near: list.isGrouped ? 1 : 0)
    }

}
