// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Which bytes of the selected transfer are where.
enum PiecesTab {
    static func lines(
        of transfer: Transfer, _ info: TransferInfo?, width: Int, _ capabilities: Capabilities
    )
        -> [StyledLine]
    {
        guard let total = transfer.total ?? (transfer.state == .completed ? transfer.bytes : nil), total > 0 else {
            let unknown = transfer.state.isEnded ? "the size is not known" : "the size is not known yet"
            let text = transfer.total == 0 ? "an empty file" : "\(ByteCount.short(Double(transfer.bytes))); \(unknown)"
            return CellText.wrap(text, width: max(1, width)).map { StyledLine($0, .faint) }
        }
        return transfer.kind == .upload
            ? upload(transfer, total, width, capabilities) : download(transfer, info, total, width, capabilities)
    }

    private static func download(
        _ transfer: Transfer, _ info: TransferInfo?, _ total: Int64, _ width: Int, _ capabilities: Capabilities
    ) -> [StyledLine] {
        var map = PieceMap(total: total)
        var moving = 0
        var stored: Int64 = 0
        let isWhole = transfer.state == .completed || transfer.state == .verifying
        if let ranges = info?.ranges, !isWhole {
            // What a service reports may be of another size.
            let inside = ranges.stored.map { $0.clamped(to: 0..<total) }
            for range in inside { map.add(range, .done) }
            stored = ByteRangeSet(inside).count
            if transfer.state == .running {
                moving = ranges.requested.count
                for range in ranges.requested { map.add(at: range.lowerBound) }
            }
        } else {
            // Without ranges there is one connection, which stores bytes in order.
            stored = isWhole ? total : min(total, transfer.bytes)
            map.add(0..<stored, .done)
            if transfer.state == .running { (moving, _) = (1, map.add(at: stored)) }
        }
        var legend: [(PieceMap.Part, String)] = [
            (.done, "on disk \(percent(stored, total))"), (.moving, "moving: \(moving)"),
            (.missing, "missing \(ByteCount.short(Double(max(0, total - stored))))"),
        ]
        if moving == 0 { legend.remove(at: 1) }
        if isWhole { legend = [(.done, "on disk, whole")] }
        // The first glyph of the legend would be a part of the map above it.
        var lines = [map.line(width, capabilities, done: .done), StyledLine()]
        lines += self.legend(legend, done: .done, width, capabilities)
        if info?.ranges == nil, !isWhole, transfer.connections ?? 1 > 1 {
            lines.append(StyledLine("drawn as if in order: the queue reports no ranges", .faint))
        }
        return lines
    }

    private static func upload(
        _ transfer: Transfer, _ total: Int64, _ width: Int, _ capabilities: Capabilities
    ) -> [StyledLine] {
        let isWhole = transfer.state == .completed || transfer.state == .verifying
        let confirmed = isWhole ? total : min(total, max(0, transfer.confirmed ?? 0))
        let sent = max(confirmed, min(total, transfer.bytes))
        var map = PieceMap(total: total)
        map.add(0..<sent, .sent)
        map.add(0..<confirmed, .done)
        let legend: [(PieceMap.Part, String)] = [
            (.done, "confirmed \(percent(confirmed, total))"), (.sent, "sent \(percent(sent - confirmed, total))"),
            (.missing, "not sent \(ByteCount.short(Double(total - sent)))"),
        ]
        let whole: [(PieceMap.Part, String)] = [(.done, "confirmed, whole")]
        return [map.line(width, capabilities, done: .upload), StyledLine()]
            + self.legend(isWhole ? whole : legend, done: .upload, width, capabilities)
    }

    /// Glyphs in the styles of the map. One line if it fits, else one for each part.
    private static func legend(
        _ parts: [(PieceMap.Part, String)], done: Style, _ width: Int, _ capabilities: Capabilities
    ) -> [StyledLine] {
        let entries = parts.map { part, text in
            StyledLine(capabilities.drawn(part.glyph), part.style(done: done)) + StyledLine(" " + text)
        }
        let gap = StyledLine("   ")
        let needed = entries.reduce(-gap.width) { $0 + gap.width + $1.width }
        guard needed <= width, let first = entries.first else { return entries }
        return [entries.dropFirst().reduce(first) { $0 + gap + $1 }]
    }

    /// 100 only if whole.
    private static func percent(_ part: Int64, _ total: Int64) -> String {
        NumberText.percent(Double(part) / Double(total)).replacing(" ", with: "")
    }
}
