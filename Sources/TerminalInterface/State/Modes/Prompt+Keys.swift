// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension Prompt {
    /// Handles the key that replies.
    func reply(_ key: Key, on screen: inout InterfaceState) -> [Effect] {
        screen.mode = .list
        switch purpose {
        case .sort: ActionTable.sort(by: key, &screen)
        case .copy: return ActionTable.copy(key, &screen)
        case .existing(let ids):
            var request = EditRequest(ids.filter { screen.list.transfer($0) != nil })
            request.existing = ActionTable.existing(key)
            return request.isEmpty || request.ids.isEmpty ? [] : [.edit(request)]
        default:
            let effects = decided(key, screen)
            if effects.isEmpty { noteUndecided(key, &screen) }
            return effects
        }
        return []
    }

    func press(_ key: Key, on screen: inout InterfaceState) -> [Effect] {
        let isFilter = purpose == .filter
        switch key {
        case .enter:
            screen.mode = .list
            return submit(&screen)
        case .escape, .control("c"):
            screen.mode = .list
            if isFilter { screen.setFilter("") }
        default:
            var prompt = self
            prompt.isOffered = false
            switch key {
            case .character, .paste: if isOffered { prompt.editor = LineEditor() }
            default: break
            }
            guard prompt.editor.press(key) else { return [] }
            screen.mode = .prompt(prompt)
            if isFilter { screen.setFilter(prompt.editor.text) }
        }
        return []
    }

    private func submit(_ screen: inout InterfaceState) -> [Effect] {
        let text = RateText.trimmed(editor.text)
        do throws(TransferError) {
            switch purpose {
            case .limit(let ids):
                let rate = try RateText.parse(text)
                let limit = rate.map { "Limit \(RateText.label($0))/s" } ?? "No limit"
                let count = ids.count > 1 ? " for \(ids.count) transfers" : ""
                let isNew = ids.contains { screen.list.transfer($0)?.rateLimit != rate }
                let end = isNew ? "\(count). \(screen.undoes)" : "\(count), as before."
                screen.notice = Notice(text: limit + end)
                return [.perform(.limit(rate), ids)]
            case .limitAll:
                var wanted = try RateText.parse(text, into: screen.limits)
                // Another client may hold or release the queue meanwhile.
                wanted.isHeld = nil
                var before = screen.limits
                before.isHeld = nil
                let end = wanted == before ? ", as before." : ". \(screen.undoes)"
                screen.notice = Notice(text: RateText.words(wanted) + end)
                return [.setLimits(wanted)]
            case .user(let id):
                if !text.isEmpty { screen.ask(.password(id, user: text), text: "", about: question) }
                return []
            case .password(let id, let user):
                let login = Credential(user: user, password: editor.text)
                screen.ask(.keep(id, login), text: ActionTable.keepQuestion, about: question)
                return []
            case .start(let ids):
                var request = EditRequest(ids)
                request.start = text.isEmpty || text.lowercased() == "now" ? .now : .at(text)
                return [.edit(request)]
            case .filter:
                if let error = screen.list.listFilter.error { throw error }
                return []
            case .trust, .keep, .quit, .confirm, .sort, .copy, .existing: return []
            }
        } catch {
            screen.mode = .prompt(self)
            screen.notice = Notice(text: screen.setup.words.failure(error), isError: true)
            return []
        }
    }

    /// The key that replies. Any other key cancels.
    private func decided(_ key: Key, _ screen: InterfaceState) -> [Effect] {
        switch (purpose, key) {
        case (.quit, .character("y")), (.quit, .character("Y")), (.quit, .control("c")): [.quit(isConfirmed: true)]
        // Some may have been removed meanwhile.
        case (.confirm(let command, let ids), .character("y")), (.confirm(let command, let ids), .character("Y")):
            [.perform(command, ids.filter { screen.list.transfer($0) != nil })]
        case (.trust(let id), .character("o")): [.perform(.trust(.once, to: question), [id])]
        case (.trust(let id), .character("a")): [.perform(.trust(.always, to: question), [id])]
        case (.trust(let id), .character("n")): [.perform(.decline(to: question), [id])]
        case (.keep, .escape), (.keep, .control("c")): []
        case (.keep(let id, let login), let key):
            [.perform(.login(login, key == .character("y") ? .always : .once, to: question), [id])]
        default: []
        }
    }

    /// `y` is no reply to whether a certificate is trusted once or always. Esc at the question whether to save a login
    /// cancels the login.
    private func noteUndecided(_ key: Key, _ screen: inout InterfaceState) {
        let label = screen.setup.keyMap.label
        switch purpose {
        case .trust where key != .escape && key != .control("c"):
            screen.notice = Notice(text: "Not decided: it stays paused; \(label(.trust)) asks again")
        case .keep: screen.notice = Notice(text: "Not logged in: it stays paused; \(label(.login)) asks again")
        default: break
        }
    }
}
