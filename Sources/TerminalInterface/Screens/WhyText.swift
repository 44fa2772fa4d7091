// SPDX-License-Identifier: MIT

import TransferModel

/// One line about the selected transfer: why it is as it is, and which key helps.
enum WhyText {
    static func draw(_ state: InterfaceState, in grid: inout Grid, row: Int, _ capabilities: Capabilities) {
        if state.list.selectedGroup != nil { return GroupText.draw(state, in: &grid, row: row, capabilities) }
        guard let transfer = state.list.selected else { return }
        let held = state.held(transfer)
        let texts = (held?.lines ?? state.setup.words.why(transfer, state.setup.keyMap.words)).map(capabilities.shown)
        let text = texts.first { CellWidth.of($0) <= grid.columns } ?? texts.last ?? ""
        let style: Style =
            switch transfer.state {
            case .failed: Style(role: .failed)
            case .waiting, .retrying: .warning
            case .running where held != nil: .warning
            case .paused: transfer.question == nil && transfer.error == nil ? .faint : .warning
            case .queued, .running, .verifying, .completed, .cancelled: .faint
            }
        grid.write(
            CellText.fit(text, width: grid.columns, mark: capabilities.glyphs.ellipsis), row: row, column: 0,
            style: style)
    }
}
