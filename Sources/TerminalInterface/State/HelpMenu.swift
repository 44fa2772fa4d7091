// SPDX-License-Identifier: MIT

/// All actions, one of them chosen: the help, which is a menu.
struct HelpMenu: Hashable, Sendable {
    var choice = Action.Name.add
    /// Words of the wanted action.
    var filter = LineEditor()
    var isFiltering = false

    /// The lines of the help that have actions, group by group.
    static let rows: [[Action.Name]] = ActionGroup.allCases.flatMap(\.rows)

    /// Those whose keys or words have all words of the filter, as the table has them.
    func matches(_ keyMap: KeyMap) -> [Action] {
        let words = filter.text.lowercased().split(separator: " ")
        return Self.rows.joined().compactMap(keyMap.action).filter { action in
            let text = [action.word, action.help, action.group.rawValue].joined(separator: " ").lowercased()
            return words.allSatisfy { word in
                text.contains(word) || action.keys.contains { $0.label.lowercased() == word }
            }
        }
    }

    /// The choice so many lines further down, at the same place in the line.
    func moved(_ step: Int) -> HelpMenu {
        let all = Self.rows
        guard let row = all.firstIndex(where: { $0.contains(choice) }), let place = all[row].firstIndex(of: choice)
        else { return self }
        return choosing(row: min(max(0, row + step), all.count - 1), place)
    }

    func choosing(row: Int, _ place: Int) -> HelpMenu {
        var menu = self
        menu.choice = Self.rows[row][min(place, Self.rows[row].count - 1)]
        return menu
    }

    /// Another one of those that the filter leaves.
    func moved(_ step: Int, in matches: [Action]) -> HelpMenu {
        guard !matches.isEmpty else { return self }
        var menu = self
        let place = matches.firstIndex { $0.name == choice } ?? 0
        menu.choice = matches[min(max(0, place + step), matches.count - 1)].name
        return menu
    }
}
