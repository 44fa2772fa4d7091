// SPDX-License-Identifier: MIT

import TransferModel

/// Spans of time below one another on one scale. Knows nothing of transfers.
struct StageBars {
    struct Stage: Hashable {
        var name: String
        /// Seconds, on the scale of ``StageBars/begin``.
        var start: Double
        var end: Double

        init(_ name: String, _ start: Double, _ end: Double) {
            (self.name, self.start, self.end) = (name, start, max(start, end))
        }
    }

    var begin: Double
    var end: Double
    var stages: [Stage]

    private static let indent = 4, nameWidth = 10, timeWidth = 8

    /// A line for each stage: name, bar, time. Without bars where there is no room.
    func lines(width: Int, _ capabilities: Capabilities) -> [StyledLine] {
        stages.map { stage in
            let name = CellText.spaces(Self.indent) + CellText.fit(stage.name, width: Self.nameWidth)
            let time = NumberText.right(TimeSpan.taken(stage.end - stage.start), Self.timeWidth)
            let room = min(60, width - CellWidth.of(name) - Self.timeWidth)
            guard room >= 8 else { return StyledLine(name, .faint) + StyledLine(time) }
            let (offset, length) = Self.place(stage, begin: begin, end: end, width: room)
            let bar =
                CellText.spaces(offset) + String(repeating: capabilities.drawn("━"), count: length)
                + CellText.spaces(room - offset - length)
            return StyledLine(name, .faint) + StyledLine(bar, .moving) + StyledLine(time)
        }
    }

    /// The columns of a bar: at least one, at most `width`.
    static func place(_ stage: Stage, begin: Double, end: Double, width: Int) -> (offset: Int, length: Int) {
        let span = end - begin
        guard span > 0, width > 0 else { return (0, min(1, max(0, width))) }
        func column(_ time: Double) -> Int {
            let part = (time - begin) / span
            return part.isFinite ? Int((min(1, max(0, part)) * Double(width)).rounded()) : 0
        }
        let offset = min(column(stage.start), width - 1)
        return (offset, max(1, column(stage.end) - offset))
    }
}
