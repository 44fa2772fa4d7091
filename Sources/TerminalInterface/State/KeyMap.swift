// SPDX-License-Identifier: MIT

/// The actions with the keys in force: those of ``ActionTable``, and the user's changes.
package struct KeyMap: Sendable {
    /// What is wrong with the keys of an action.
    package struct Mistake: Error, Sendable, Hashable {
        /// As in the configuration.
        package var action: String
        /// One line without full stop.
        package var text: String
    }

    /// In the order of ``ActionTable``.
    let actions: [Action]
    private let byKey: [Key: Action]
    /// The keys that sentences about transfers name.
    let words: InterfaceWords.Keys

    package static let standard = KeyMap(ActionTable.all)

    private init(_ table: [Action]) {
        func label(_ name: Action.Name) -> String { Self.label(name, in: table) }
        actions = table.map { action in
            guard action.help.contains("{") else { return action }
            var action = action
            for name in Action.Name.allCases { action.help.replace("{\(name.rawValue)}", with: label(name)) }
            return action
        }
        byKey = Dictionary(
            actions.flatMap { action in action.keys.map { ($0, action) } }, uniquingKeysWith: { first, _ in first })
        words = InterfaceWords.Keys(
            lift: label(.proceedAnyway), retry: label(.retry), pause: label(.pause), cancel: label(.cancel),
            remove: label(.forget), trust: label(.trust), login: label(.login), top: label(.moveTop),
            start: label(.retry), limits: label(.limitAll), edit: label(.edit),
            replace: label(.retry), keepBoth: table.first { $0.name == .keepBoth }?.keys.first?.label,
            pauseAll: label(.pauseAll))
    }

    func action(for key: Key) -> Action? { byKey[key] }

    func action(_ name: Action.Name) -> Action? { actions.first { $0.name == name } }

    /// The first key of an action; `nil` if it has none.
    func key(_ name: Action.Name) -> String? { action(name)?.keys.first?.label }

    /// The key of an action, as sentences name it: `p`; `[pause]` if it has none.
    func label(_ name: Action.Name) -> String { Self.label(name, in: actions) }

    /// The key of the log.
    package var logLabel: String { label(.viewLog) }

    private static func label(_ name: Action.Name, in table: [Action]) -> String {
        guard let action = table.first(where: { $0.name == name }) else { return "?" }
        return action.keys.first?.label ?? "[\(action.word)]"
    }
}

extension KeyMap {
    /// Every action, as the configuration names it.
    package static let actionNames = ActionTable.all.map(\.name.configured)

    /// The table with other keys for some actions.
    /// - Parameter changes: for the name of an action all its keys, the one for hints first; empty, or `none`: it has
    ///   none.
    /// - Returns: mistakes in the order of the table; the actions that they are about have their default keys.
    package static func changed(_ changes: [String: [String]]) -> (map: KeyMap, mistakes: [Mistake]) {
        var mistakes = changes.keys.filter { !actionNames.contains($0) }.sorted().map {
            Mistake(action: $0, text: "'\($0)' is no action")
        }
        var table = ActionTable.all
        var changed: Set<Action.Name> = []
        for index in table.indices {
            let name = table[index].name
            guard let texts = changes[name.configured] else { continue }
            do throws(Mistake) {
                table[index].keys = try keys(texts, of: name)
                changed.insert(name)
            } catch {
                mistakes.append(error)
            }
        }
        // An action with its default keys again may have those of another changed one.
        while true {
            let found = conflicts(in: table, changed)
            guard !found.isEmpty else { break }
            mistakes += found
            for index in table.indices where found.contains(where: { $0.action == table[index].name.configured }) {
                table[index].keys = ActionTable.all[index].keys
                changed.remove(table[index].name)
            }
        }
        return (KeyMap(table), mistakes)
    }

    /// Stands for no key.
    package static let none = "none"

    private static func keys(_ texts: [String], of name: Action.Name) throws(Mistake) -> [Key] {
        let texts = texts == [none] ? [] : texts
        guard !texts.contains(none) else {
            throw Mistake(action: name.configured, text: "'none' stands alone: '\(name.configured)' has keys, too")
        }
        var keys: [Key] = []
        for text in texts {
            do throws(KeyNameError) {
                let key = try Key(named: text)
                guard !keys.contains(key) else {
                    throw KeyNameError(text: "'\(name.configured)' has \(key.label) twice")
                }
                keys.append(key)
            } catch {
                throw Mistake(action: name.configured, text: error.text)
            }
        }
        // The screen can always be left.
        if name == .quit, keys.isEmpty { throw Mistake(action: name.configured, text: "'quit' needs a key") }
        if name == .interrupt, !keys.contains(.control("c")) {
            throw Mistake(action: name.configured, text: "'interrupt' keeps Ctrl-C: list it with its other keys")
        }
        return keys
    }

    private static let quotedNone = "\"\(none)\""

    private static func conflicts(in table: [Action], _ changed: Set<Action.Name>) -> [Mistake] {
        let isChanged = { (action: Action) in changed.contains(action.name) }
        var found: [Mistake] = []
        // Those that were not changed own their keys.
        var owners: [Key: Action] = [:]
        for action in table.filter({ !isChanged($0) }) + table.filter(isChanged) {
            for key in action.keys {
                guard let owner = owners.updateValue(action, forKey: key) else { continue }
                owners[key] = owner
                let other = owner.name.configured
                let text =
                    if owner.name == .interrupt {
                        "Ctrl-C always quits; use another key"
                    } else if isChanged(owner) {
                        "\(key.label) is set for '\(other)', too; a key has one action"
                    } else {
                        "\(key.label) is the key of '\(other)'; set other keys for that action, too, or \(quotedNone)"
                    }
                found.append(Mistake(action: action.name.configured, text: text))
            }
        }
        return found
    }
}

/// An action with its keys, for help overlay, man page and `fileq keys`.
package struct KeyHelp: Sendable, Hashable {
    /// As in the configuration: `page-down`.
    package let action: String
    /// In force; ``Key`` as text: `["j", "Down"]`.
    package let keys: [String]
    package let defaults: [String]
    /// One or two words: `pause`.
    package let word: String
    /// One line without full stop.
    package let help: String
    package let group: ActionGroup

    package var isChanged: Bool { keys != defaults }
    /// As printed: `j, Down`, or `none`.
    package var label: String { keys.isEmpty ? KeyMap.none : keys.joined(separator: ", ") }
}

extension KeyMap {
    /// Every action of the interface, group by group.
    package var help: [KeyHelp] {
        ActionGroup.allCases.flatMap { group in
            zip(actions, ActionTable.all).filter { $0.0.group == group }.map { action, original in
                KeyHelp(
                    action: action.name.configured, keys: action.keys.map(\.label),
                    defaults: original.keys.map(\.label), word: action.word, help: action.help, group: group)
            }
        }
    }
}
