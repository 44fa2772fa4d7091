// SPDX-License-Identifier: MIT

import TerminalInterface
import TransferControl
import TransferModel

/// How the list is shown. A mistake in the configuration stops nothing: the default is used.
struct InterfaceLook {
    private(set) var theme = Theme.auto
    private(set) var columns: ListColumns?
    private(set) var grouping: Grouping?
    private(set) var pane = PanePlace.auto
    private(set) var view = QueueView.now
    /// `nil`: the order of the view.
    private(set) var order: ListOrder?
    private(set) var mistakes: [ConfigurationFile.KeyMistake] = []

    init() {}

    /// - Throws: code `usage` for a mistake that was typed.
    init(
        theme: String, columns: String?, grouping: String?, pane: String = "auto", view: String = "now",
        sort: String = "queue", file: ConfigurationFile?
    ) throws(TransferError) {
        self.theme = try Self.read("theme", theme, file, &mistakes, Self.theme) ?? .auto
        self.pane = try Self.read("pane", pane, file, &mistakes, Self.pane) ?? .auto
        let own = file?.ownViews(now: 0).views ?? []
        self.view =
            try Self.read("view", view, file, &mistakes) { name throws(TransferError) in
                if let view = QueueView.named(name, own: own) { return view }
                let titles = QueueView.titles(own: own).map { $0.title.lowercased() }.joined(separator: ", ")
                throw TransferError(.usage, "'\(name)' is no view; there are \(titles)")
            } ?? .now
        order = try Self.read("sort", sort, file, &mistakes, Self.order) ?? nil
        if let columns {
            self.columns = try Self.read("list-columns", columns, file, &mistakes, Self.columns)
        }
        if let grouping {
            self.grouping = try Self.read("group", grouping, file, &mistakes, Self.grouping) ?? nil
        }
    }

    private static func theme(_ text: String) throws(TransferError) -> Theme {
        if let theme = Theme(rawValue: text) { return theme }
        throw TransferError(.usage, "'\(text)' is no theme; there are \(list(Theme.allCases))")
    }

    private static func pane(_ text: String) throws(TransferError) -> PanePlace {
        if let place = PanePlace(rawValue: text) { return place }
        throw TransferError(.usage, "'\(text)' is no place; there are \(list(PanePlace.allCases))")
    }

    private static func columns(_ text: String) throws(TransferError) -> ListColumns {
        do throws(ListColumns.Mistake) { return try ListColumns(parsing: text) } catch {
            throw TransferError(.usage, error.text)
        }
    }

    /// `size`, `-size` the other way round, or `queue`.
    private static func order(_ text: String) throws(TransferError) -> ListOrder? {
        if text == "queue" { return nil }
        let isReversed = text.hasPrefix("-")
        if let key = ListOrder.Key(rawValue: isReversed ? String(text.dropFirst()) : text) {
            return ListOrder(key: key, isReversed: isReversed)
        }
        throw TransferError(
            .usage, "'\(text)' is no order; there are queue, \(list(ListOrder.Key.allCases)); -size reverses size")
    }

    private static func grouping(_ text: String) throws(TransferError) -> Grouping? {
        if let grouping = Grouping(rawValue: text) { return grouping }
        if text == "none" { return nil }
        throw TransferError(.usage, "'\(text)' is no grouping; there are none, \(list(Grouping.allCases))")
    }

    private static func read<Value>(
        _ option: String, _ text: String, _ file: ConfigurationFile?, _ mistakes: inout [ConfigurationFile.KeyMistake],
        _ parse: (String) throws(TransferError) -> Value
    ) throws(TransferError) -> Value? {
        do { return try parse(text) } catch {
            guard let place = file?.placeOfInterfaceOption(option, text) else {
                throw TransferError(.usage, option: "--\(option)", MessageCatalog.cause(of: error))
            }
            let cause = MessageCatalog.cause(of: error)
            mistakes.append(.init(place: place, text: "\(option): \(cause); the default is used"))
            return nil
        }
    }

    private static func list<Value: RawRepresentable<String>>(_ values: [Value]) -> String {
        values.map(\.rawValue).joined(separator: ", ")
    }
}
