// SPDX-License-Identifier: MIT

import TerminalInterface
import TransferModel

extension ConfigurationFile {
    /// `[interface.views]`: views by name, each with the filter of its transfers.
    static let viewsTable = "views"

    /// The user's views in the order of their lines, and what is wrong. A mistake stops nothing: the view that it is
    /// about does not exist.
    /// - Parameter now: seconds since 1970, the base of ages.
    func ownViews(now: Double) -> (views: [OwnView], mistakes: [KeyMistake]) {
        guard let value = root[Self.interface]?.table?[Self.viewsTable] else { return ([], []) }
        guard let table = value.table else {
            let place = location(of: Self.viewsTable, table: Self.interface)
            return ([], [KeyMistake(place: place, text: "'views' is a table: use [\(Self.interface).views]")])
        }
        let names = table.keys.map { (name: $0, place: location(of: $0, table: Self.viewsTable)) }
        let sorted = names.sorted { (Self.line($0.place), $0.name) < (Self.line($1.place), $1.name) }
        var views: [OwnView] = []
        var mistakes: [KeyMistake] = []
        for (name, place) in sorted {
            do throws(TransferError) {
                guard let filter = table[name]?.string else {
                    throw TransferError(.usage, "a view is a filter in quotes, such as \"size>1G\"")
                }
                let view = try OwnView(name: name, filter: filter, now: now)
                guard views.count < OwnView.most else {
                    throw TransferError(.usage, "there are keys for \(OwnView.most) views")
                }
                views.append(view)
            } catch {
                mistakes.append(KeyMistake(place: place, text: "view '\(name)': \(MessageCatalog.cause(of: error))"))
            }
        }
        return (views, mistakes)
    }

    /// Of a place; those without one come last.
    private static func line(_ place: String) -> Int { place.split(separator: ":").last.flatMap { Int($0) } ?? .max }
}
