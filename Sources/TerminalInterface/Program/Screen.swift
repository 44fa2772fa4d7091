// SPDX-License-Identifier: MIT

import CTerminal
import TransferModel

/// The terminal in full-screen mode. Belongs to the thread that opened it.
final class Screen {
    /// A report of the terminal other than a key.
    enum Report: Hashable { case focus(Bool), scheme(isDark: Bool), reply(InputDecoder.Reply) }

    private(set) var capabilities: Capabilities
    private let theme: Theme
    private var facts = ct_facts()
    private let depth: Theme.Depth
    private var decoder = InputDecoder()
    private var cells: [ct_cell] = []

    /// - Throws: code `other` without a suitable terminal.
    init(
        _ environment: [String: String], theme: Theme = .auto, hasMouse: Bool = true
    ) throws(TransferError) {
        let isUnicode: Int32 = TerminalText.isUnicode { environment[$0] }.map { $0 ? 1 : 0 } ?? -1
        switch Int(ct_open(ColourPolicy.wantsColours(environment), isUnicode, &facts)) {
        case CT_OK: break
        case CT_NO_TERMINAL: throw TransferError(.other, "standard input and output are not a terminal")
        case CT_DUMB: throw TransferError(.other, "the terminal (TERM=dumb) cannot move the cursor")
        case CT_BUSY: throw TransferError(.other, "the screen is already in use")
        default: throw TransferError(.other, "cannot use the terminal: unknown TERM")
        }
        capabilities = Self.capabilities(facts)
        depth = Self.depth(facts)
        self.theme = theme
        if hasMouse { ct_report(UInt32(CT_REPORT_MOUSE)) }
        // The colours follow the terminal's.
        if theme == .auto, depth != .none { ct_report(UInt32(CT_REPORT_SCHEME)) }
        let luminance = facts.luminance < 0 ? Theme.luminance(environment["COLORFGBG"]) : Int(facts.luminance)
        Self.define(theme.resolved(luminance: luminance), depth)
    }

    private static func capabilities(_ facts: ct_facts) -> Capabilities {
        guard facts.unicode else { return .ascii }
        if facts.ambiguous_wide { return .narrow }
        return facts.block_glyphs ? .unicode : Capabilities(text: .unicode, glyphs: .ascii)
    }

    /// Over a slow line, replies arrive after the first frame.
    /// - Returns: whether something looks different now.
    func receive(_ reply: InputDecoder.Reply) -> Bool {
        let before = facts
        ct_reply(reply.text, Int32(reply.last), &facts)
        capabilities = Self.capabilities(facts)
        let isRecoloured = facts.luminance != before.luminance && theme == .auto && depth != .none
        if isRecoloured { recolour(theme.resolved(luminance: Int(facts.luminance))) }
        return isRecoloured || facts.ambiguous_wide != before.ambiguous_wide
    }

    private static func depth(_ facts: ct_facts) -> Theme.Depth {
        if facts.colours == 0 { return .none }
        if facts.direct { return .direct }
        return facts.colours >= 256 ? .palette : .basic
    }

    private static func define(_ theme: Theme, _ depth: Theme.Depth) {
        for style in Style.all {
            let look = theme.look(of: style, depth)
            ct_style(
                Int32(style.index), Int32(look.foreground), Int32(look.background),
                UInt32(
                    (look.isBold ? CT_BOLD : 0) | (look.isDim ? CT_DIM : 0) | (look.isReversed ? CT_REVERSE : 0)))
        }
    }

    /// Has the terminal report when it gets and loses the focus.
    func reportFocus() { ct_report(UInt32(CT_REPORT_FOCUS)) }

    /// Replaces the colours by those of another theme.
    func recolour(_ theme: Theme) {
        Self.define(theme, depth)
        ct_redraw()
    }

    func close() { ct_close() }

    var columns: Int { Int(ct_columns()) }
    var rows: Int { Int(ct_rows()) }

    /// Hands every row to curses, which alone finds and sends what changed.
    func show(_ grid: Grid) {
        for row in 0..<grid.rows {
            cells.removeAll(keepingCapacity: true)
            for column in 0..<grid.columns {
                let cell = grid[row, column]
                // The right half of a wide character.
                guard !cell.glyph.isEmpty else { continue }
                cells.append(Self.cell(cell, columns: grid.width(row: row, column: column)))
            }
            ct_row(Int32(row), cells, Int32(cells.count))
        }
        let place = grid.cursor ?? grid.focus
        ct_cursor(Int32(place?.row ?? -1), Int32(place?.column ?? 0), grid.cursor != nil)
        ct_flush()
    }

    private static func cell(_ cell: Grid.Cell, columns: Int) -> ct_cell {
        var scalars = cell.glyph.unicodeScalars.makeIterator()
        func next() -> UInt32 { scalars.next()?.value ?? 0 }
        return ct_cell(
            text: (next(), next(), next(), next(), next()), columns: UInt8(columns), style: cell.style.index)
    }

    func resize() { ct_resize() }

    func redraw() { ct_redraw() }

    /// Stops the process as Ctrl-Z does; returns after SIGCONT.
    func suspend() { ct_suspend() }

    /// The process continues after SIGSTOP.
    func resume() { ct_resume() }

    /// All keys and reports so far, and whether there was any input, of use or not.
    func keys() -> (keys: [Key], reports: [Report], hasInput: Bool) {
        var keys: [Key] = []
        var reports: [Report] = []
        var hasInput = false
        while true {
            let code = ct_key()
            if code != CT_KEY_NONE { hasInput = true }
            guard code != CT_KEY_IGNORED else { continue }
            if let report = Self.report(of: Int(code)) {
                reports.append(report)
                continue
            }
            let input = Self.input(of: Int(code))
            keys += decoder.take(input)
            guard input == .pause else { continue }
            return (keys, reports + decoder.takeReplies().map(Report.reply), hasInput)
        }
    }

    private static func report(of code: Int) -> Report? {
        switch code {
        case CT_KEY_FOCUS_IN: .focus(true)
        case CT_KEY_FOCUS_OUT: .focus(false)
        case CT_KEY_DARK: .scheme(isDark: true)
        case CT_KEY_LIGHT: .scheme(isDark: false)
        default: nil
        }
    }

    private static func input(of code: Int) -> InputDecoder.Input {
        switch code {
        case CT_KEY_NONE: .pause
        case CT_KEY_UP: .key(.up)
        case CT_KEY_DOWN: .key(.down)
        case CT_KEY_LEFT: .key(.left)
        case CT_KEY_RIGHT: .key(.right)
        case CT_KEY_HOME: .key(.home)
        case CT_KEY_END: .key(.end)
        case CT_KEY_PAGE_UP: .key(.pageUp)
        case CT_KEY_PAGE_DOWN: .key(.pageDown)
        case CT_KEY_ENTER: .key(.enter)
        case CT_KEY_BACKSPACE: .key(.backspace)
        case CT_KEY_DELETE: .key(.delete)
        case CT_KEY_BACK_TAB: .key(.backTab)
        case CT_KEY_FUNCTION + 1...CT_KEY_FUNCTION + 12: .key(.function(code - CT_KEY_FUNCTION))
        case CT_KEY_PASTE_BEGIN: .pasteBegin
        case CT_KEY_PASTE_END: .pasteEnd
        case CT_KEY_MOUSE: .mouseBegin
        case CT_KEY_MOUSE_OLD: .oldMouseBegin
        case 0...255: .byte(UInt8(code))
        default: .key(.unknown)
        }
    }
}
