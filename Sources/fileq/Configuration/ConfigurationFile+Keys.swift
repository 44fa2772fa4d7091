// SPDX-License-Identifier: MIT

import ArgumentParser
import Platform
import TerminalInterface
import TransferModel

extension ConfigurationFile {
    /// `[interface.keys]`: beside the options of the command, a table of its actions.
    private static let keysTable = "keys"
    static let interface = InterfaceCommand.configuration.commandName ?? ""

    /// Keys of a command's table that are no options.
    static func tables(of command: CommandInventory) -> Set<String> {
        switch command.commandName {
        case interface: [keysTable, viewsTable]
        case remoteTable: remoteKeys
        default: []
        }
    }

    /// What is wrong in `[interface.keys]`.
    struct KeyMistake: Hashable, Sendable {
        /// `PATH:LINE`.
        var place: String
        /// One line without full stop.
        var text: String

        var sentence: String { "\(place): \(text)" }
        /// With the name of the file alone.
        var brief: String { "\(place.lastPathPart.map(String.init) ?? place): \(text)" }
    }

    /// The user's keys, and what is wrong.
    ///
    /// A value is a key, `none`, or a list of keys, which may be empty. A mistake stops no command: the action that it
    /// is about has its default keys.
    func keyMap() -> (map: KeyMap, mistakes: [KeyMistake]) {
        guard let value = root[Self.interface]?.table?[Self.keysTable] else { return (.standard, []) }
        guard let table = value.table else {
            let place = location(of: Self.keysTable, table: Self.interface)
            return (.standard, [KeyMistake(place: place, text: "'keys' is a table: use [\(Self.interface).keys]")])
        }
        var changes: [String: [String]] = [:]
        var mistakes: [KeyMistake] = []
        for name in table.keys.sorted() {
            guard let value = table[name] else { continue }
            if !KeyMap.actionNames.contains(name) {
                mistakes.append(mistake(name, "unknown action '\(name)'\(Self.suggestion(for: name))"))
            } else if let keys = Self.texts(value) {
                changes[name] = keys
            } else {
                mistakes.append(
                    mistake(name, "'\(name)' takes a key or a list of keys, in quotes: \"p\" or [\"p\", \"F5\"]"))
            }
        }
        let (map, found) = KeyMap.changed(changes)
        return (map, mistakes + found.map { mistake($0.action, $0.text) })
    }

    /// `PATH:LINE` of an option of the interface that has this value here; `nil`: it comes from elsewhere.
    func placeOfInterfaceOption(_ option: String, _ text: String) -> String? {
        if let value = root[Self.interface]?.table?[option] {
            return value.string == text ? location(of: option, table: Self.interface) : nil
        }
        return root[option]?.string == text ? location(of: option, table: nil) : nil
    }

    /// The user's keys, from the file of this process's environment.
    /// - Throws: code `usage` if the file cannot be read.
    static func keyMapOfUser() throws(TransferError) -> (map: KeyMap, mistakes: [KeyMistake]) {
        try read(Places(environment: ProcessEnvironment.value).configuration)?.keyMap() ?? (.standard, [])
    }

    private func mistake(_ action: String, _ text: String) -> KeyMistake {
        KeyMistake(place: location(of: action, table: Self.keysTable), text: text)
    }

    private static func texts(_ value: ConfigurationValue) -> [String]? {
        if let text = value.string { return [text] }
        guard let array = value.array else { return nil }
        let texts = array.compactMap(\.string)
        return texts.count == array.count ? texts : nil
    }

    private static func suggestion(for name: String) -> String {
        let near = KeyMap.actionNames.map { ($0, OptionHints.distance(name.lowercased(), $0)) }.min { $0.1 < $1.1 }
        guard let near, near.1 <= max(1, name.count / 3) else { return "; 'fileq keys' lists the actions" }
        return "; did you mean '\(near.0)'?"
    }
}
