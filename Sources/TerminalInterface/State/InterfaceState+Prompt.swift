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

    /// Handles the key that replies.
    mutating func reply(_ key: Key, to prompt: Prompt) -> [Effect] {
        mode = .list
        switch prompt.purpose {
        case .sort: sort(by: key)
        case .copy: return copy(key)
        default:
            let effects = decide(prompt, key)
            if effects.isEmpty { noteUndecided(prompt.purpose, key) }
            return effects
        }
        return []
    }

    mutating func press(_ key: Key, in prompt: Prompt) -> [Effect] {
        let isFilter = prompt.purpose == .filter
        switch key {
        case .enter:
            mode = .list
            return submit(prompt)
        case .escape, .control("c"):
            mode = .list
            if isFilter { setFilter("") }
        default:
            var prompt = prompt
            guard prompt.editor.press(key) else { return [] }
            mode = .prompt(prompt)
            if isFilter { setFilter(prompt.editor.text) }
        }
        return []
    }

    mutating func setFilter(_ text: String) {
        list.setFilter(text, now: now)
        // Where it leaves out the selected one, the first match is selected, not the heading of its group.
        refilter(near: list.isGrouped ? 1 : 0)
    }

    private mutating func submit(_ asked: Prompt) -> [Effect] {
        let text = RateText.trimmed(asked.editor.text)
        do throws(TransferError) {
            switch asked.purpose {
            case .limit(let ids):
                let rate = try RateText.parse(text)
                let limit = rate.map { "Limit \(RateText.label($0))/s" } ?? "No limit"
                let count = ids.count > 1 ? " for \(ids.count) transfers" : ""
                let isNew = ids.contains { list.transfer($0)?.rateLimit != rate }
                let end = isNew ? "\(count). \(setup.keyMap.label(.undo)) undoes." : "\(count), as before."
                notice = Notice(text: limit + end)
                return [.perform(.limit(rate), ids)]
            case .limitAll:
                var wanted = try RateText.parse(text, into: limits)
                // Another client may hold or release the queue meanwhile.
                wanted.isHeld = nil
                var before = limits
                before.isHeld = nil
                let end = wanted == before ? ", as before." : ". \(setup.keyMap.label(.undo)) undoes."
                notice = Notice(text: RateText.words(wanted) + end)
                return [.setLimits(wanted)]
            case .user(let id):
                if !text.isEmpty { ask(.password(id, user: text), text: "", about: asked.question) }
                return []
            case .password(let id, let user):
                let login = Credential(user: user, password: asked.editor.text)
                ask(.keep(id, login), text: Self.keepQuestion, about: asked.question)
                return []
            case .filter:
                if let error = list.listFilter.error { throw error }
                return []
            case .trust, .keep, .quit, .confirm, .sort, .copy: return []
            }
        } catch {
            mode = .prompt(asked)
            notice = Notice(text: setup.words.failure(error), isError: true)
            return []
        }
    }
}
