// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension InterfaceState {
    private static let noLimit = "(none or empty: no limit)"

    mutating func ask(_ purpose: Prompt.Purpose, text: String) {
        let label =
            switch purpose {
            case .filter: "Filter: "
            case .command: ":"
            case .limit(let ids): (ids.count == 1 ? "Limit" : "Limit for \(ids.count)") + " \(Self.noLimit): "
            case .limitAll:
                "Limit down [up] [\(slots)] \(Self.noLimit): "
            case .user: "User: "
            case .password(_, let user): "Password of \(user): "
            case .quit, .trust, .keep, .confirm, .sort, .copy: text
            }
        var asked = Prompt(purpose: purpose, label: label, editor: LineEditor(purpose.isAnsweredByKey ? "" : text))
        switch purpose {
        case .limit(let ids): asked.shorterLabels = [ids.count == 1 ? "Limit: " : "Limit for \(ids.count): "]
        case .limitAll:
            asked.shorterLabels = ["Limit down [up] [\(slots)]: ", "Limit down [up] [slots]: ", "Limit: "]
        default: break
        }
        prompt = asked
    }

    /// `6 slots, 2 per-host`, as it is typed.
    private var slots: String { "\(limits.concurrent) slots" + (limits.perHost.map { ", \($0) per-host" } ?? "") }

    /// Handles a key while a prompt is open.
    mutating func answer(_ key: Key) -> [Effect] {
        guard let asked = prompt else { return [] }
        if asked.purpose == .sort {
            prompt = nil
            sort(by: key)
            return []
        }
        if asked.purpose == .copy {
            prompt = nil
            return copy(key)
        }
        if asked.purpose.isAnsweredByKey {
            prompt = nil
            let effects = decide(asked.purpose, key)
            if effects.isEmpty { noteUndecided(asked.purpose, key) }
            return effects
        }
        if asked.purpose == .command, let effects = pressInPalette(key) { return effects }
        switch key {
        case .enter:
            prompt = nil
            return submit(asked)
        case .escape, .control("c"):
            prompt = nil
            if asked.purpose == .filter { setFilter("") }
        case .control("l"): return [.redraw]
        case .control("z"): return [.suspend]
        default:
            guard prompt?.editor.press(key) == true else { return [] }
            if asked.purpose == .filter { setFilter(prompt?.editor.text ?? "") }
        }
        return []
    }

    mutating func setFilter(_ text: String) {
        listFilter = ListFilter(text, now: now)
        if listFilter.hasAges { agesCountFrom = now }
        // Where it leaves out the selected one, the first match is selected, not the heading of its group.
        refilter(near: isGrouped ? 1 : 0)
    }

    private mutating func submit(_ asked: Prompt) -> [Effect] {
        let text = RateText.trimmed(asked.editor.text)
        do throws(TransferError) {
            switch asked.purpose {
            case .limit(let ids):
                let rate = try RateText.parse(text)
                let limit = rate.map { "Limit \(RateText.label($0))/s" } ?? "No limit"
                let count = ids.count > 1 ? " for \(ids.count) transfers" : ""
                let isNew = ids.contains { transfer($0)?.rateLimit != rate }
                let end = isNew ? "\(count). \(keyMap.label(.undo)) undoes." : "\(count), as before."
                notice = Notice(text: limit + end)
                return [.perform(.limit(rate), ids)]
            case .limitAll:
                var wanted = try RateText.parse(text, into: limits)
                // Another client may hold or release the queue meanwhile.
                wanted.isHeld = nil
                var before = limits
                before.isHeld = nil
                let end = wanted == before ? ", as before." : ". \(keyMap.label(.undo)) undoes."
                notice = Notice(text: RateText.words(wanted) + end)
                return [.setLimits(wanted)]
            case .user(let id):
                if !text.isEmpty { ask(.password(id, user: text), text: "") }
                return []
            case .password(let id, let user):
                ask(.keep(id, Credential(user: user, password: asked.editor.text)), text: Self.keepQuestion)
                return []
            case .filter:
                if let error = listFilter.error { throw error }
                return []
            case .trust, .keep, .quit, .confirm, .sort, .copy, .command: return []
            }
        } catch {
            prompt = asked
            notice = Notice(text: words.failure(error), isError: true)
            return []
        }
    }
}
