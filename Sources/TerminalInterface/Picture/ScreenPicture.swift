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
    ///   - keys: pressed before; those that act on the queue have no effect.
    ///   - isUnicode: whether glyphs beyond ASCII are drawn.
    ///   - now: seconds since 1970.
    /// - Throws: what the queue does.
    package static func take(
        of client: any QueueClient, options: TerminalProgram.Options, columns: Int, rows: Int, keys: String = "",
        isUnicode: Bool = true, now: Double
    ) async throws -> ScreenPicture {
        var state = InterfaceState(options)
        state.isReadOnly = true
        state.now = now
        state.resize(columns: columns, rows: rows)
        state.receive(.snapshot(try await client.snapshot()))
        if let report = try? await client.rates(seconds: 60, of: state.graphed) { state.rates = RateFacts(report) }
        for scalar in keys.unicodeScalars {
            _ = state.press(scalar == "\n" ? .enter : .character(scalar))
            for effect in state.dueEffects() {
                switch effect {
                case .history(let place, let limit):
                    let found = try await client.history(HistoryQuery(before: place, limit: limit))
                    state.receive(found, before: place, limit: limit)
                case .log(let query):
                    if let page = try? await client.log(query) { state.receive(page, of: query) }
                case .inform(let id): if let info = try? await client.info(id) { state.receive(info) }
                default: break
                }
            }
        }
        // The picture is that of the screen, with its hints.
        state.isReadOnly = options.isReadOnly
        if let id = state.graphed, id != state.rates.transfer?.id,
            let report = try? await client.rates(seconds: 60, of: id)
        {
            state.rates = RateFacts(report)
        }
        let grid = render(state, columns: columns, rows: rows, capabilities: isUnicode ? .unicode : .ascii)
        return ScreenPicture(grid, theme: options.theme)
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
