// SPDX-License-Identifier: MIT

/// A column of the list, as the configuration names it.
package enum ListColumn: String, Sendable, CaseIterable {
    case id, name, server, size, state, rate, left, limit, folder, added, confirmed, priority

    /// - Parameter name: in the configuration; `progress` and `percent` are parts of the state.
    init?(named name: String) {
        guard let column = ["progress", "percent"].contains(name) ? .state : Self(rawValue: name) else { return nil }
        self = column
    }

    /// The least width, without other wishes.
    var least: Int {
        switch self {
        case .id: 4
        case .name, .left: 6
        case .size, .limit: 5
        case .rate, .priority: 8
        case .confirmed: 9
        case .added: 10
        case .server, .folder: 16
        case .state: 18
        }
    }

    /// The width to which it grows if there is room.
    var widest: Int {
        switch self {
        case .name: 80
        case .state: 48
        case .folder: 40
        case .server: 32
        default: least
        }
    }

    /// Whether numbers end, rather than text begins, in line.
    var isRight: Bool {
        switch self {
        case .id, .size, .rate, .left, .confirmed: true
        default: false
        }
    }

    /// Whether a row without a rate may put its reason there.
    var isForFigures: Bool { [.rate, .left, .limit].contains(self) }
}

/// The columns of the list in the order of the user, with their widths.
package struct ListColumns: Sendable, Hashable {
    package struct Choice: Sendable, Hashable {
        var column: ListColumn
        /// `nil`: as wide as its content and the window want.
        var width: Int?
    }

    /// The widths that the user may give a column. The name stays readable.
    static func widths(of column: ListColumn) -> ClosedRange<Int> { (column == .name ? column.least : 3)...200 }

    private(set) var choices: [Choice]

    init(_ choices: [Choice]) { self.choices = choices }

    init(_ columns: [ListColumn]) { choices = columns.map { Choice(column: $0) } }

    /// A mistake in a text, as one line without full stop.
    package struct Mistake: Error, Sendable, Hashable { package let text: String }

    /// `id,name:30,size`: names with optional widths.
    package init(parsing text: String) throws(Mistake) {
        choices = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: ":", omittingEmptySubsequences: false).map { word in
                String(word.drop { $0 == " " }.prefix { $0 != " " })
            }
            guard let column = ListColumn(named: words.first ?? "") else {
                let names = ListColumn.allCases.map(\.rawValue).joined(separator: ", ")
                throw Mistake(text: "'\(words.first ?? "")' is no column; there are \(names)")
            }
            guard !contains(column) else {
                // What once were three columns is one.
                if column == .state { continue }
                throw Mistake(text: "'\(column.rawValue)' is there twice")
            }
            let width = words.count > 1 ? Int(words[1]) : nil
            let widths = Self.widths(of: column)
            guard words.count <= 2, words.count == 1 || width.map(widths.contains) == true else {
                let range = "\(widths.lowerBound) to \(widths.upperBound) columns"
                throw Mistake(text: "'\(part)' is no column and width; write \(column.rawValue):20, with \(range)")
            }
            choices.append(Choice(column: column, width: width))
        }
        guard contains(.name) else { throw Mistake(text: "'name' must be one of the columns") }
    }

    /// As ``init(parsing:)`` reads it.
    package var text: String {
        choices.map { choice in choice.column.rawValue + (choice.width.map { ":\($0)" } ?? "") }.joined(separator: ",")
    }

    func contains(_ column: ListColumn) -> Bool { choices.contains { $0.column == column } }

    subscript(column: ListColumn) -> Choice? { choices.first { $0.column == column } }

    // MARK: Changes

    /// Shows a column at the end, or hides it. The name stays.
    mutating func toggle(_ column: ListColumn) {
        if contains(column) {
            if column != .name { choices.removeAll { $0.column == column } }
        } else {
            choices.append(Choice(column: column))
        }
    }

    mutating func move(_ column: ListColumn, by step: Int) {
        guard let place = choices.firstIndex(where: { $0.column == column }),
            choices.indices.contains(place + step)
        else { return }
        choices.swapAt(place, place + step)
    }

    /// - Parameter width: `nil`: as the window wants.
    mutating func setWidth(_ width: Int?, of column: ListColumn) {
        guard let place = choices.firstIndex(where: { $0.column == column }) else { return }
        let widths = Self.widths(of: column)
        choices[place].width = width.map { min(max($0, widths.lowerBound), widths.upperBound) }
    }
}
