// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// What is said of a group: its states and totals.
enum GroupText {
    /// `2 FAILED, 1 waiting, 6 active, 12 done`: what needs the user first, and gives the group its colour. The longest
    /// comes first; the last has at most seven columns, unless there are very many.
    static func states(_ tally: Tally) -> [String] {
        let moving = tally[.running] + tally[.verifying]
        let ended = StateCounts.texts([(tally[.completed], "done"), (tally[.cancelled], "cancelled")])
        let all =
            StateCounts.texts([(tally[.failed], "FAILED")]) + StateCounts.unfinished(tally, problemsFirst: true) + ended
        let lists = (1...max(1, all.count)).reversed().map { all.prefix($0).joined(separator: ", ") }
        let short =
            tally[.failed] > 0
            ? "\(tally[.failed]) FAIL"
            : tally.problems > 0 ? "\(tally.problems) wait" : moving > 0 ? "\(moving) run" : "\(tally.count)"
        return lists + [short]
    }

    /// One line about the selected group, instead of the why line.
    static func draw(_ state: InterfaceState, in grid: inout Grid, row: Int, _ capabilities: Capabilities) {
        guard let group = state.list.selectedGroup.flatMap({ state.list.groups[$0] }) else { return }
        let states = states(group.tally)
        let isFolded = state.list.selectedGroup.map(state.list.groups.isFolded) ?? false
        let unfolds = isFolded ? ", \(state.setup.keyMap.label(.unfold)) unfolds" : ""
        let advice = "; keys act on all of them"
        let count = group.members.count == 1 ? "1 transfer" : "\(group.members.count) transfers"
        let texts = ["\(advice)\(unfolds)", advice, ""].map { "\(count): \(states[0])\($0)" } + [count]
        let text = texts.first { CellWidth.of($0) <= grid.columns } ?? count
        grid.write(
            CellText.fit(text, width: grid.columns, mark: capabilities.glyphs.ellipsis), row: row, column: 0,
            style: group.tally.problems > 0 ? .warning : .faint)
    }

    /// The pane of the selected group.
    static func draw(
        _ key: String, _ state: InterfaceState, in grid: inout Grid, rows: Range<Int>, _ capabilities: Capabilities
    ) {
        guard let group = state.list.groups[key], let first = rows.first else { return }
        let glyphs = capabilities.glyphs
        let shown = key == ListingSpec.finished ? "Finished" : capabilities.shown(Grouping.title(of: key))
        let title = CellText.fit(
            shown, width: min(max(0, grid.columns - 4), CellWidth.of(shown)), ellipsis: .middle, mark: glyphs.ellipsis)
        grid.write(String(repeating: glyphs.rule, count: grid.columns), row: first, column: 0, style: .faint)
        grid.write(" \(title) ", row: first, column: 1, style: .bold)
        let inset = state.usualLayout.paneInset
        for (field, row) in zip(fields(of: group), rows.dropFirst()) {
            grid.write(CellText.fit(field.0, width: 13), row: row, column: inset, style: .faint)
            grid.write(capabilities.drawn(field.1), row: row, column: inset + 14, style: .plain)
        }
    }

    private static func fields(of group: GroupedList.Group) -> [(String, String)] {
        let tally = group.tally
        let bytes = ByteCount.short(Double(tally.bytes)) + " of " + ByteCount.short(Double(tally.total))
        let unknown = tally.unknownSizes == 1 ? "1 size unknown" : "\(tally.unknownSizes) sizes unknown"
        let rates = [(tally.rateDown, "↓"), (tally.rateUp, "↑")].filter { $0.0 > 0 }.map { rate, arrow in
            "\(arrow)\(ByteCount.short(Double(rate)))/s"
        }
        let left =
            tally.unknownSizes > 0
            ? tally.leastLeft.map { "at least \(TimeText.atLeast($0))" } : tally.knownLeft.map { TimeText.left($0) }
        let rows: [(String, String?)] = [
            ("Transfers", "\(tally.count): \(states(tally)[0])"),
            ("Bytes", tally.total > 0 ? bytes + (tally.unknownSizes > 0 ? ", \(unknown)" : "") : nil),
            ("Speed", rates.isEmpty ? nil : rates.joined(separator: "  ")),
            ("Time left", left),
        ]
        return rows.compactMap { name, value in value.map { (name, $0) } }
    }
}
