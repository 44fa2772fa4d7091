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
        func part(_ sign: String, _ name: String, _ value: String?, _ style: Style = .plain) -> [StyledLine] {
            let text = capabilities.shown(value ?? capabilities.glyphs.ellipsis)
            return field(sign, capabilities.shown(name), text, style, width: width, capabilities)
        }
        func lines(_ sign: String, _ fields: [TransferHeads.Field]) -> [StyledLine] {
            fields.flatMap { part(sign, $0.name + ":", $0.value, $0.value == nil ? .faint : .plain) }
        }
        let status = heads.status.map { part("<", String($0), "", statusStyle($0)) } ?? []
        return part(">", heads.method, heads.url) + lines(">", heads.request) + status + lines("<", heads.response)
    }

    /// Of a field; more are cut.
    private static let mostLines = 12

    /// A field on as many lines as it needs: `…` at the end of one would be a secret.
    private static func field(
        _ sign: String, _ name: String, _ value: String, _ style: Style, width: Int, _ capabilities: Capabilities
    ) -> [StyledLine] {
        let text = value.isEmpty ? name : "\(name) \(value)"
        let isShort = CellWidth.of(text) <= width - 2
        let parts =
            isShort
            ? [text]
            : CellText.wrap(text, width: max(1, width - 4), most: mostLines, mark: capabilities.glyphs.ellipsis)
        return parts.enumerated().map { index, part in
            guard index == 0 else { return StyledLine(CellText.spaces(4), .faint) + StyledLine(part, style) }
            guard part.hasPrefix(name) else { return StyledLine("\(sign) ", .faint) + StyledLine(part, .key) }
            let rest = String(part.dropFirst(name.count))
            return StyledLine("\(sign) ", .faint) + StyledLine(name, .key) + StyledLine(rest, style)
        }
    }

    private static func statusStyle(_ status: Int) -> Style { status >= 400 ? .failure : .plain }
}
