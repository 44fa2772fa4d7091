// SPDX-License-Identifier: MIT

import Testing

@testable import TerminalInterface

struct HintLineTests {
    /// Keys of the queue have nothing to do with what covers it.
    @Test func outputHintsTheKeysThatScroll() {
        var state = Samples.queued(3)
        state.resize(columns: 80, rows: 24)
        func hints() -> [Action.Name] { HintLineView.hints(for: state, width: 200).map(\.name) }
        state.receive(CommandOutcome(lines: (1...100).map(String.init)), of: "list")
        #expect(hints() == [.pageDown, .close, .help, .quit])
        let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
        #expect(grid.text(row: 23).hasPrefix("PgDn page down  Esc back  ? help  q back "))
        state.keys(.character("G"))
        #expect(hints() == [.pageUp, .close, .help, .quit])
        state.resize(columns: 80, rows: 400)
        #expect(hints() == [.close, .help, .quit])
        state.keys(.escape)
        #expect(hints().contains(.pauseAll) && !hints().contains(.pageDown))
    }
}
