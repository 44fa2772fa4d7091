// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The latest request of the selected transfer, and the response, without secrets.
enum HeadersTab {
    static func lines(
        of transfer: Transfer, _ info: TransferInfo?, width: Int, _ capabilities: Capabilities
    ) -> [StyledLine] {
        guard let info else { return [StyledLine(capabilities.drawn("asking the queue…"), .faint)] }
        guard let heads = info.heads else {
            let text = "no request, or none of the last that the queue keeps"
            return CellText.wrap(text, width: max(1, width)).map { StyledLine($0, .faint) }
        }
        let mark = capabilities.glyphs.ellipsis
        func line(_ sign: String, _ name: String, _ value: String?, _ style: Style = .plain) -> StyledLine {
            let head = CellText.fit(
                capabilities.shown(name), width: min(width - 2, CellWidth.of(capabilities.shown(name))), mark: mark)
            let text = capabilities.shown(value ?? mark)
            let room = width - 3 - CellWidth.of(head)
            let fitted = room > 0 ? " " + CellText.fit(text, width: min(room, CellWidth.of(text)), mark: mark) : ""
            return StyledLine("\(sign) ", .faint) + StyledLine(head, .key) + StyledLine(fitted, style)
        }
        func lines(_ sign: String, _ fields: [TransferHeads.Field]) -> [StyledLine] {
            fields.map { line(sign, $0.name + ":", $0.value, $0.value == nil ? .faint : .plain) }
        }
        let status = heads.status.map { [line("<", String($0), "", statusStyle($0))] } ?? []
        return [line(">", heads.method, heads.url)] + lines(">", heads.request) + status + lines("<", heads.response)
    }

    private static func statusStyle(_ status: Int) -> Style { status >= 400 ? .failure : .plain }
}
