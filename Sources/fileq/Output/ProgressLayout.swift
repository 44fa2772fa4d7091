// SPDX-License-Identifier: MIT

import TerminalInterface
import TransferModel

/// The bars as text: takes board and window, returns lines. No I/O.
///
/// No line of ``lines(of:columns:rows:now:)`` is wider than the window less one column. In a narrow window, columns are
/// dropped in this order: bytes, time left, rate, bar, percent.
struct ProgressLayout {
    let glyphs: TerminalGlyphs
    /// Whether bars have the colours of the interface.
    var hasColours = false

    /// One line per running transfer, as many as fit, and a total line.
    func lines(of board: ProgressBoard, columns: Int, rows: Int, now: Double) -> [String] {
        let width = max(1, columns - 1)
        let plan = Columns(width: width)
        let hasTotal = board.count > 1
        let room = max(1, rows - 1 - (hasTotal ? 1 : 0))
        let rows = board.rows
        var shown = Array(rows.prefix(room))
        let hidden = rows.count - shown.count
        if hidden > 0, room > 1 { shown.removeLast() }
        var lines = shown.map { line(of: $0, plan: plan, width: width, now: now) }
        if hidden > 0, room > 1 {
            lines.append(fit("\(glyphs.ellipsis) and \(hidden + 1) more", width))
        }
        if hasTotal { lines.append(totalLine(of: board, plan: plan, width: width)) }
        return lines
    }

    private func line(of transfer: Transfer, plan: Columns, width: Int, now: Double) -> String {
        let arrow = transfer.kind == .download ? glyphs.down : glyphs.up
        let figures = Figures(
            name: "\(arrow) \(glyphs.shown(TransferName.short(transfer)))", fraction: transfer.fraction,
            bytes: bytesText(transfer.bytes, transfer.total),
            rate: transfer.rate.map { ByteCount.short($0) + "/s" } ?? "", eta: TimeSpan.short(transfer.eta),
            colour: transfer.state != .running ? Self.faint : transfer.kind == .upload ? Self.upload : Self.download)
        let notes = StateNote.texts(of: transfer, now: now, separator: glyphs.separator)
        return compose(figures, plan, width, notes: notes.map(glyphs.shown))
    }

    private func totalLine(of board: ProgressBoard, plan: Columns, width: Int) -> String {
        var name = "\(board.ended) of \(board.count)"
        if board.failed > 0 { name += ", \(board.failed) failed" }
        return compose(
            Figures(
                name: name, fraction: board.fraction, bytes: bytesText(board.bytes, board.knownTotal),
                rate: board.rate > 0 ? ByteCount.short(board.rate) + "/s" : "", eta: TimeSpan.short(board.eta)), plan,
            width)
    }

    private struct Figures {
        var name: String
        var fraction: Double?
        var bytes: String
        var rate: String
        var eta: String
        /// Of what is done of the bar.
        var colour = ProgressLayout.download
    }

    private static let download = "36", upload = "35", faint = "90"
    /// No sequence moves the cursor: a line is as wide as without them.
    static let colourEnd = "\u{1b}[0m"

    private func bar(_ fraction: Double?, _ width: Int, _ colour: String) -> String {
        guard hasColours, let fraction else { return Bar.draw(fraction: fraction, width: width, style: glyphs.bar) }
        let parts = Bar.parts(fraction: fraction, width: width, style: glyphs.bar)
        return "\u{1b}[\(colour)m\(parts.done)\(Self.colourEnd)\u{1b}[\(Self.faint)m\(parts.rest)\(Self.colourEnd)"
    }

    private func compose(_ figures: Figures, _ plan: Columns, _ width: Int, notes: [String] = []) -> String {
        var parts = [CellText.fit(figures.name, width: plan.name, ellipsis: .middle, mark: glyphs.ellipsis)]
        if plan.bar > 0 { parts.append(bar(figures.fraction, plan.bar, figures.colour)) }
        if plan.hasPercent { parts.append(right(percent(figures.fraction), Columns.percent)) }
        if let shortest = notes.last {
            // The state as text replaces figures without meaning.
            let room = width - parts.reduce(0) { $0 + LiveRegion.width($1) + 1 }
            if room >= 6 { parts.append(fit(notes.first { CellWidth.of($0) <= room } ?? shortest, room)) }
        } else {
            if plan.hasBytes { parts.append(right(figures.bytes, Columns.bytes)) }
            if plan.hasRate { parts.append(right(figures.rate, Columns.rate)) }
            if plan.hasETA { parts.append(right(figures.eta, Columns.eta)) }
        }
        return parts.joined(separator: " ")
    }

    private func bytesText(_ bytes: Int64, _ total: Int64?) -> String {
        let done = ByteCount.short(Double(bytes))
        return total.map { "\(done)/\(ByteCount.short(Double($0)))" } ?? done
    }

    private func percent(_ fraction: Double?) -> String {
        // Rounded down: 100 % only if complete.
        fraction.map { "\(Int($0 * 100))%" } ?? "--%"
    }

    private func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - CellWidth.of(text))) + text
    }

    private func fit(_ text: String, _ width: Int) -> String {
        CellText.fit(text, width: width, ellipsis: .end, mark: glyphs.ellipsis)
    }

    /// Which columns fit, the same for all lines of a width.
    struct Columns: Equatable {
        static let percent = 4, bytes = 11, rate = 7, eta = 8

        private(set) var name = 0
        private(set) var bar = 0
        private(set) var hasPercent = false
        private(set) var hasRate = false
        private(set) var hasETA = false
        private(set) var hasBytes = false

        init(width: Int) {
            // Columns shown, and the minimum width left for the name.
            let choices: [(percent: Bool, bar: Bool, rate: Bool, eta: Bool, bytes: Bool, name: Int)] = [
                (true, true, true, true, true, 24), (true, true, true, true, false, 14),
                (true, true, true, false, false, 12),
                (true, true, false, false, false, 10), (true, false, false, false, false, 6),
            ]
            for choice in choices {
                let fixed =
                    (choice.percent ? Self.percent + 1 : 0) + (choice.rate ? Self.rate + 1 : 0)
                    + (choice.eta ? Self.eta + 1 : 0) + (choice.bytes ? Self.bytes + 1 : 0)
                let room = width - fixed
                let bar = choice.bar ? min(40, max(10, room * 2 / 5)) : 0
                let name = room - (choice.bar ? bar + 1 : 0)
                guard name >= choice.name else { continue }
                self.name = name
                self.bar = bar
                (hasPercent, hasRate, hasETA, hasBytes) = (choice.percent, choice.rate, choice.eta, choice.bytes)
                return
            }
            name = width
        }
    }
}

/// The glyphs of the bars, and the sanitizing of text.
struct TerminalGlyphs: Sendable, Equatable {
    var down: String
    var up: String
    var done: String
    var failed: String
    var ellipsis: String
    var bar: Bar.Style
    /// Between what is moved and where it goes.
    var arrow = "→"
    var separator: String { bar == .ascii ? "-" : "·" }

    static let unicode = TerminalGlyphs(down: "↓", up: "↑", done: "✓", failed: "✗", ellipsis: "…", bar: .unicode)
    static let ascii = TerminalGlyphs(
        down: "v", up: "^", done: "ok", failed: "!!", ellipsis: "~", bar: .ascii, arrow: "->")

    /// Words in place of glyphs, for screen readers.
    static func words(isUnicode: Bool) -> TerminalGlyphs {
        TerminalGlyphs(
            down: "", up: "", done: "", failed: "", ellipsis: "...", bar: isUnicode ? .unicode : .ascii, arrow: "to")
    }

    /// `raw` without control sequences and undrawable characters.
    func shown(_ raw: String) -> String {
        let clean = TextSanitizer.clean(raw)
        guard bar == .ascii else { return clean }
        return String(
            String.UnicodeScalarView(
                clean.unicodeScalars.compactMap { scalar in
                    scalar.isASCII ? scalar : CellWidth.of(String(scalar)) > 0 ? "?" : nil
                }))
    }
}
