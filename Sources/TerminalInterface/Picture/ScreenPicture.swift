// SPDX-License-Identifier: MIT

package import TransferControl
import TransferModel

/// The screen at one moment, as text or as a picture.
package struct ScreenPicture: Sendable {
    let grid: Grid
    private let theme: Theme

    init(_ grid: Grid, theme: Theme) { (self.grid, self.theme) = (grid, theme) }

    /// What the interface would draw of this queue now.
    /// - Parameters:
    ///   - keys: pressed before, as ``Key/sequence(_:)`` reads them; those that act on the queue have no effect.
    ///   - isUnicode: whether glyphs beyond ASCII are drawn.
    ///   - now: seconds since 1970.
    /// - Throws: what the queue does.
    package static func take(
        of client: any QueueClient, options: TerminalProgram.Options, columns: Int, rows: Int, keys: String = "",
        isUnicode: Bool = true, now: Double
    ) async throws -> ScreenPicture {
        var state = InterfaceState(options)
        state.now = now
        state.resize(columns: columns, rows: rows)
        state.receive(.snapshot(try await client.snapshot()))
        if let report = try? await client.rates(seconds: 60, of: state.graphed) { state.rates = RateFacts(report) }
        for key in Key.sequence(keys) { try await press(key, &state, client, options) }
        if let id = state.graphed, id != state.rates.transfer?.id,
            let report = try? await client.rates(seconds: 60, of: id)
        {
            state.rates = RateFacts(report)
        }
        let grid = render(state, columns: columns, rows: rows, capabilities: isUnicode ? .unicode : .ascii)
        return ScreenPicture(grid, theme: options.theme)
    }

    /// Loads what a key asks for. One that would act on the queue, or beyond the screen, is as if it had not been
    /// pressed.
    private static func press(
        _ key: Key, _ state: inout InterfaceState, _ client: any QueueClient, _ options: TerminalProgram.Options
    ) async throws {
        let before = state
        var effects = state.press(key)
        effects += state.dueEffects()
        for effect in effects {
            switch effect {
            case .history(let place, let limit):
                let found = try await client.history(HistoryQuery(before: place, limit: limit))
                state.receive(found, before: place, limit: limit)
            case .log(let query):
                if let page = try? await client.log(query) { state.receive(page, of: query) }
            case .inform(let id): if let info = try? await client.info(id) { state.receive(info) }
            case .lookAhead(let request, let serial):
                if let outlook = options.lookAhead?(request) { _ = state.receive(outlook, serial: serial) }
            case .lookAheadOfEdit(let request, let serial):
                if let outlook = options.lookAheadOfEdit?(request) { _ = state.receive(outlook, serial: serial) }
            case .list(let folder, let serial): state.receive(FolderReader.read(folder), serial: serial)
            case .find, .redraw: break
            case .perform, .add, .edit, .setLimits, .hold, .undo, .run, .on, .open, .copy, .suspend, .quit:
                state = before
                return
            }
        }
    }

    /// One for each row, without blanks at their ends.
    package var lines: [String] {
        (0..<grid.rows).map { row in
            let text = grid.text(row: row)
            return String(text.prefix(text.count - text.reversed().prefix { $0 == " " }.count))
        }
    }

    /// An SVG document, in the colours of the theme; ``Theme/auto`` is dark.
    package var svg: String { SVGPicture(grid: grid, theme: theme.resolved(luminance: -1)).text }
}
