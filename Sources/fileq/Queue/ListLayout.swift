// SPDX-License-Identifier: MIT

import TerminalInterface
import TransferModel

/// The queue as a table for a terminal. No I/O.
///
/// In a narrow window, columns are dropped in this order: time left, rate, size, percent. No line is wider than the
/// window.
struct ListLayout {
    private struct Columns {
        static let state = 11, percent = 4, size = 5, rate = 7, eta = 8
        /// The minimum width of a name.
        static let name = 16

        let id: Int
        let name: Int
        let (percentFits, sizeFits, rateFits, etaFits): (Bool, Bool, Bool, Bool)

        init(width: Int, id: Int, showsMotion: Bool) {
            self.id = id
            var room = width - id - 1 - Self.state - 1
            func fits(_ column: Int) -> Bool {
                guard room - column - 1 >= Self.name else { return false }
                room -= column + 1
                return true
            }
            percentFits = fits(Self.percent)
            sizeFits = percentFits && fits(Self.size)
            rateFits = showsMotion && sizeFits && fits(Self.rate)
            etaFits = rateFits && fits(Self.eta)
            name = max(1, room)
        }
    }

    private let screen: QueueScreen
    private let columns: Columns
    private let now: Double
    private let localTime: LocalTime
    private var glyphs: TerminalGlyphs { screen.traits.glyphs }

    /// - Parameters:
    ///   - transfers: all rows; their IDs set the column width.
    ///   - showsMotion: whether to show rate and time left.
    init(
        screen: QueueScreen, transfers: [Transfer], now: Double, showsMotion: Bool = true,
        localTime: LocalTime = .system
    ) {
        self.screen = screen
        self.now = now
        self.localTime = localTime
        let widest = transfers.map(\.id.rawValue).max().map { String($0).count } ?? 0
        columns = Columns(width: screen.columns, id: max(2, widest), showsMotion: showsMotion)
    }

    /// Headers, one or two lines per transfer, and a summary; empty without transfers.
    func lines(of transfers: [Transfer]) -> [String] {
        guard !transfers.isEmpty else { return [] }
        var lines = [heads]
        for transfer in transfers { lines += self.lines(of: transfer) }
        lines.append(fit(Self.summary(of: transfers), screen.columns))
        return lines
    }

    var heads: String {
        fit(
            compose(
                id: "ID", state: CellText.fit(glyphs.down.isEmpty ? "STATE" : "  STATE", width: Columns.state),
                percent: "%", size: "SIZE",
                rate: "RATE", eta: "LEFT",
                name: "NAME"), screen.columns)
    }

    func lines(of transfer: Transfer) -> [String] {
        let text = fit(glyphs.shown(TransferName.short(transfer)), columns.name)
        let name = screen.link?.text(text, for: transfer) ?? text
        var lines = [
            compose(
                id: transfer.id.description, state: state(of: transfer), percent: ListFigures.percent(transfer) ?? "",
                size: ListFigures.size(transfer) ?? "", rate: ListFigures.rate(transfer) ?? "",
                eta: ListFigures.left(transfer, glyphs) ?? "", name: name)
        ]
        let notes = ListFigures.notes(transfer, now: now, time: localTime.text).map(glyphs.shown)
        if let shortest = notes.last {
            let margin = String(repeating: " ", count: min(columns.id + 3, max(0, screen.columns - 10)))
            let note = notes.first { CellWidth.of($0) + margin.count <= screen.columns } ?? shortest
            lines.append(fit(margin + note, screen.columns))
        }
        return lines
    }

    private func state(of transfer: Transfer) -> String {
        let (sign, colour) =
            switch transfer.state {
            case .completed: (glyphs.done, "32")
            case .failed: (glyphs.failed, "31")
            default: (transfer.kind == .download ? glyphs.down : glyphs.up, transfer.state == .running ? "36" : "0")
            }
        let width = max(1, min(Columns.state, screen.columns - columns.id - 1))
        let word = transfer.state.rawValue
        let text = CellText.fit(sign.isEmpty ? word : "\(sign) \(word)", width: width)
        return screen.traits.wantsColours && colour != "0" ? "\u{1b}[\(colour)m\(text)\u{1b}[0m" : text
    }

    private func compose(
        id: String, state: String, percent: String, size: String, rate: String, eta: String, name: String
    ) -> String {
        var parts = [Self.right(id, columns.id), state]
        if columns.percentFits { parts.append(Self.right(percent, Columns.percent)) }
        if columns.sizeFits { parts.append(Self.right(size, Columns.size)) }
        if columns.rateFits { parts.append(Self.right(rate, Columns.rate)) }
        if columns.etaFits { parts.append(Self.right(eta, Columns.eta)) }
        if screen.columns > columns.id + Columns.state + 2 { parts.append(name) }
        return parts.joined(separator: " ")
    }

    /// `12 transfers: 3 running, 9 queued; 10.2M/s`
    static func summary(of transfers: [Transfer]) -> String {
        var counts: [TransferState: Int] = [:]
        var rate = 0.0
        for transfer in transfers {
            counts[transfer.state, default: 0] += 1
            rate += transfer.rate ?? 0
        }
        let parts = TransferState.allCases.compactMap { state in counts[state].map { "\($0) \(state.rawValue)" } }
        return (transfers.count == 1 ? "1 transfer: " : "\(transfers.count) transfers: ")
            + parts.joined(separator: ", ")
            + (rate > 0 ? "; \(ByteCount.short(rate))/s" : "")
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - CellWidth.of(text))) + text
    }

    /// Truncated, not padded: it is the last column.
    private func fit(_ text: String, _ width: Int) -> String {
        CellWidth.of(text) <= width
            ? text : CellText.fit(text, width: max(1, width), ellipsis: .end, mark: glyphs.ellipsis)
    }
}

/// One line per transfer for programs and files: tab-separated fields. No I/O.
///
/// Programs get unchanged names (``LineText``), a terminal sanitized ones.
struct PlainListLayout {
    let now: Double
    var glyphs: TerminalGlyphs?
    private let localTime: LocalTime

    init(now: Double, screen: QueueScreen? = nil, localTime: LocalTime = .system) {
        self.now = now
        self.localTime = localTime
        glyphs = screen?.traits.glyphs
    }

    func line(of transfer: Transfer) -> String {
        let fields = [
            transfer.id.description, transfer.state.rawValue, ListFigures.percent(transfer) ?? "-",
            ListFigures.size(transfer) ?? "-",
            ListFigures.rate(transfer) ?? "-", left(of: transfer) ?? "-", name(of: transfer),
        ]
        let time: (Double) -> String = { glyphs == nil ? Timestamp.text($0) : localTime.text($0) }
        let note = ListFigures.note(transfer, now: now, time: time).map(TextSanitizer.clean)
        return (note.map { fields + [$0] } ?? fields).joined(separator: "\t")
    }

    /// For programs as in 0.2.0: `7s` below a minute.
    private func left(of transfer: Transfer) -> String? {
        guard let text = ListFigures.left(transfer, glyphs ?? .ascii) else { return nil }
        guard glyphs == nil, text.hasPrefix("0:"), let seconds = Int(text.dropFirst(2)) else { return text }
        return "\(seconds)s"
    }

    private func name(of transfer: Transfer) -> String {
        let name = TransferName.short(transfer)
        return glyphs?.shown(name) ?? LineText.escaped(name)
    }
}

/// The figures of both; `nil` if unknown.
enum ListFigures {
    /// Rounded down: 100 % only if complete.
    static func percent(_ transfer: Transfer) -> String? { transfer.fraction.map { "\(Int($0 * 100))%" } }

    static func size(_ transfer: Transfer) -> String? {
        (transfer.total ?? (transfer.bytes > 0 ? transfer.bytes : nil)).map { ByteCount.short(Double($0)) }
    }

    static func rate(_ transfer: Transfer) -> String? { transfer.rate.map { ByteCount.short($0) + "/s" } }

    /// Of a running one the time to go, as the interface shows it.
    static func left(_ transfer: Transfer, _ glyphs: TerminalGlyphs) -> String? {
        guard transfer.state == .running else { return nil }
        let text = StateText.left(transfer)
        return glyphs.bar == .ascii ? String(text.map { $0 == "–" ? "-" : $0 }) : text
    }

    /// When it starts, or the reason why it does not progress.
    static func note(_ transfer: Transfer, now: Double, time: (Double) -> String) -> String? {
        notes(transfer, now: now, time: time).first
    }

    /// The same, and shorter forms; longest first.
    /// - Parameter time: the format of times, in seconds since 1970.
    static func notes(_ transfer: Transfer, now: Double, time: (Double) -> String) -> [String] {
        switch transfer.state {
        case .queued:
            guard let text = start(transfer, now: now, time: time) else { return [] }
            let isScheduled = transfer.earliestBegin.map { $0 > now } ?? false
            return [text] + (isScheduled ? [] : StateNote.causes(of: transfer))
        case .waiting, .retrying: return StateNote.texts(of: transfer, now: now, separator: "-")
        case .paused, .failed:
            let question = transfer.state == .paused ? transfer.question.map(MessageCatalog.summary) : nil
            let whole = question ?? MessageCatalog.queuedFailure(of: transfer) ?? MessageCatalog.reason(of: transfer)
            return whole.map { [$0] + StateNote.causes(of: transfer) } ?? []
        case .running, .verifying, .completed, .cancelled: return []
        }
    }

    private static func start(_ transfer: Transfer, now: Double, time: (Double) -> String) -> String? {
        if let start = transfer.earliestBegin, start > now {
            return "starts \(time(start)), in \(TimeSpan.short(start - now))"
        }
        if let after = transfer.after { return "starts after \(TransferID.list(after))" }
        return MessageCatalog.reason(of: transfer)
            ?? (transfer.isDiscretionary ? "starts when no other transfer runs" : nil)
    }
}
