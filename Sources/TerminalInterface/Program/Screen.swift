// SPDX-License-Identifier: MIT

import CTerminal
import TransferModel

/// The terminal in full-screen mode. Belongs to the thread that opened it.
final class Screen {
    let capabilities: Capabilities
    /// The content of the terminal; `nil` if unknown.
    private var painted: Grid?
    private var decoder = InputDecoder()

    /// - Throws: code `other` without a suitable terminal.
    init(wantsColours: Bool) throws(TransferError) {
        var facts = ct_facts()
        switch Int(ct_open(wantsColours, &facts)) {
        case CT_OK: break
        case CT_NO_TERMINAL: throw TransferError(.other, "standard input and output are not a terminal")
        case CT_DUMB: throw TransferError(.other, "the terminal (TERM=dumb) cannot move the cursor")
        case CT_BUSY: throw TransferError(.other, "the screen is already in use")
        default: throw TransferError(.other, "cannot use the terminal: unknown TERM")
        }
        let text: Capabilities.Text = !facts.unicode ? .ascii : facts.ambiguous_wide ? .withoutAmbiguous : .unicode
        let drawsBlocks = facts.block_glyphs && text == .unicode
        capabilities = Capabilities(text: text, glyphs: drawsBlocks ? .unicode : .ascii)
    }

    func close() { ct_close() }

    var columns: Int { Int(ct_columns()) }
    var rows: Int { Int(ct_rows()) }

    /// Draws the difference to the current content.
    func show(_ grid: Grid) {
        if painted?.columns != grid.columns || painted?.rows != grid.rows {
            painted = nil
            ct_erase()
        }
        let before = painted ?? Grid(columns: grid.columns, rows: grid.rows)
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                let cell = grid[row, column]
                guard cell != before[row, column] || isBesideChange(grid, before, row, column), !cell.glyph.isEmpty
                else { continue }
                cell.glyph.withCString {
                    ct_put(
                        Int32(row), Int32(column), Int32(grid.width(row: row, column: column)), $0,
                        UInt32(cell.style.attributes.rawValue), Int32(cell.style.colour.rawValue))
                }
            }
        }
        ct_cursor(Int32(grid.cursor?.row ?? -1), Int32(grid.cursor?.column ?? 0))
        ct_flush()
        painted = grid
    }

    /// Redraws a wide character if only its right half changed.
    private func isBesideChange(_ grid: Grid, _ before: Grid, _ row: Int, _ column: Int) -> Bool {
        column + 1 < grid.columns && grid[row, column + 1].glyph.isEmpty
            && grid[row, column + 1] != before[row, column + 1]
    }

    func resize() {
        ct_resize()
        painted = nil
    }

    func redraw() { ct_redraw() }

    /// Stops the process as Ctrl-Z does; returns after SIGCONT.
    func suspend() {
        ct_suspend()
        painted = nil
    }

    /// The process continues after SIGSTOP.
    func resume() {
        ct_resume()
        painted = nil
    }

    var isPasting: Bool { decoder.isPasting }

    func endPaste() -> Key? { decoder.endPaste() }

    /// All keys so far, and whether there was any input.
    func keys() -> (keys: [Key], hasInput: Bool) {
        var keys: [Key] = []
        var hasInput = false
        while true {
            let code = ct_key()
            let input = Self.input(of: Int(code))
            if input != .pause { hasInput = true }
            keys += decoder.take(input)
            if input == .pause { return (keys, hasInput) }
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
        case CT_KEY_PASTE_BEGIN: .pasteBegin
        case CT_KEY_PASTE_END: .pasteEnd
        case 0...255: .byte(UInt8(code))
        // Unused keys, including Tab.
        default: .key(.tab)
        }
    }
}
