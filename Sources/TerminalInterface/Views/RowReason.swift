// SPDX-License-Identifier: MIT

import TransferModel

/// Why a transfer does not progress, as text for one row: state and reason, most important first.
struct RowReason {
    /// Minimum widths for the long state, and for the percentage column.
    private static let roomForWord = 24, roomForPercent = 40
    /// The minimum width of the name next to a reason.
    private static let leastName = 14
    /// The minimum width of a reason.
    private static let leastRoom = 10

    /// Columns of the name.
    let name: Int
    /// `  45%`, or blanks, after the name; empty without space.
    let percent: String
    /// `waiting 0:42 · no route to example.org`, in the remaining columns.
    let text: String

    /// - Parameters:
    ///   - room: columns after the arrow.
    ///   - nameColumns: the width of names in other rows.
    /// - Returns: `nil` for a moving transfer, without a reason, and without space.
    init?(
        _ transfer: Transfer, name: String, nameColumns: Int, room: Int, now: Double, words: InterfaceWords,
        capabilities: Capabilities
    ) {
        guard let whole = Self.text(transfer, words, now: now, columns: .max, capabilities) else { return nil }
        let percentColumns = room - nameColumns - 1 >= Self.roomForPercent ? 5 : 0
        let wanted = CellWidth.of(StateText.word(transfer.state)) + 1 + CellWidth.of(whole)
        let nameWidth = Self.nameWidth(
            natural: CellWidth.of(name), nameColumns, room: room, wanted: percentColumns + 1 + wanted)
        let columns = room - nameWidth - 1 - percentColumns
        guard columns >= Self.leastRoom else { return nil }
        let word = columns >= Self.roomForWord ? StateText.word(transfer.state) : StateText.short(transfer.state)
        let left = columns - CellWidth.of(word) - 1
        let reason = Self.text(transfer, words, now: now, columns: left, capabilities) ?? ""
        self.name = nameWidth
        let percent = transfer.bytes > 0 && transfer.fraction != nil ? " " + NumberText.percent(transfer.fraction) : ""
        self.percent = percentColumns == 0 ? "" : percent + CellText.spaces(percentColumns - percent.utf8.count)
        self.text = CellText.fit("\(word) \(reason)", width: columns, mark: capabilities.glyphs.ellipsis)
    }

    /// One of three widths, so that states align: the widest at which the whole reason fits, else the narrowest that
    /// fits the name, which is truncated to two fifths at most.
    private static func nameWidth(natural: Int, _ nameColumns: Int, room: Int, wanted: Int) -> Int {
        let stops = [room / 4, room * 2 / 5, nameColumns].map { min(nameColumns, max(leastName, $0)) }
        if let fitting = stops.last(where: { room - $0 >= wanted && $0 >= min(natural, stops[1]) }) { return fitting }
        return stops.first { $0 >= natural } ?? stops[1]
    }

    private static func text(
        _ transfer: Transfer, _ words: InterfaceWords, now: Double, columns: Int, _ capabilities: Capabilities
    ) -> String? {
        guard ![.running, .completed, .verifying].contains(transfer.state) else { return nil }
        if let question = StateText.question(transfer) { return question }
        let text = StateText.reason(
            transfer, words, now: now, columns: columns, separator: capabilities.glyphs.separator, shortened: shortened)
        return text.map(capabilities.shown)
    }

    /// Messages begin with host or path; in a row the event matters more, and the name is next to it.
    private static func shortened(_ text: String, of transfer: Transfer) -> String {
        var beginnings = [transfer.file + ": ", transfer.file + ".fileq-part: "]
        if let url = try? TransferURL(transfer.url) { beginnings += [url.authority + ": ", url.host + ": "] }
        return beginnings.first(where: text.hasPrefix).map { String(text.dropFirst($0.count)) } ?? text
    }
}
