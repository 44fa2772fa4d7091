// SPDX-License-Identifier: MIT

/// A graph of several rows, with two samples for each column, in dots; in ASCII with the larger of the two. Knows
/// nothing of transfers.
struct TallGraph {
    /// The newest last; `nil` where there is none.
    var samples: [Double?]
    /// The value of a full column.
    var top: Double
    var height: Int
    /// Hangs from its first row.
    var isMirrored = false
    /// Values at which a line stands where the graph leaves a row empty.
    var lines: [Double] = []

    private static let dots = 4
    /// Of the left and the right sample of a column, from the lowest dot up.
    private static let left: [UInt32] = [0x40, 0x04, 0x02, 0x01], right: [UInt32] = [0x80, 0x20, 0x10, 0x08]
    private static let standing = [" ", ".", "-", "=", "#"], hanging = [" ", "'", "\"", "=", "#"]

    /// The row of a value, from 0 at the top.
    func row(of value: Double) -> Int {
        let row = min(height - 1, max(0, (level(value) ?? 1) - 1) / Self.dots)
        return isMirrored ? row : height - 1 - row
    }

    /// Of all dots above each other. One that moved a byte is never as low as one that moved none.
    private func level(_ value: Double?) -> Int? {
        guard let value else { return nil }
        guard value > 0, top > 0 else { return 1 }
        let most = Double(Self.dots * height)
        return Int(max(2, min(most, (value / top * most).rounded(.up))))
    }

    /// As many rows as it is high, the upper one first.
    func drawn(columns: Int, _ style: Style, _ capabilities: Capabilities) -> [StyledLine] {
        let shown = samples.suffix(2 * columns).map { level($0) ?? 0 }
        let levels = Array(repeating: 0, count: max(0, 2 * columns - shown.count)) + shown
        let marked = Set(lines.map(row))
        return (0..<height).map { row in
            let base = Self.dots * (isMirrored ? row : height - 1 - row)
            var line = StyledLine("")
            for column in 0..<columns {
                let parts = [levels[2 * column], levels[2 * column + 1]].map { min(Self.dots, max(0, $0 - base)) }
                if parts == [0, 0], marked.contains(row) {
                    line.append(capabilities.glyphs.rule, .track)
                } else {
                    line.append(cell(parts[0], parts[1], capabilities), style)
                }
            }
            return line
        }
    }

    private func cell(_ left: Int, _ right: Int, _ capabilities: Capabilities) -> String {
        guard left + right > 0 else { return " " }
        guard capabilities.text != .ascii, capabilities.glyphs.bar != .ascii else {
            return (isMirrored ? Self.hanging : Self.standing)[max(left, right)]
        }
        func bits(_ count: Int, _ dots: [UInt32]) -> UInt32 {
            (isMirrored ? dots.reversed() : dots).prefix(count).reduce(0, |)
        }
        let value = 0x2800 + bits(left, Self.left) + bits(right, Self.right)
        return Unicode.Scalar(value).map(String.init) ?? " "
    }
}

extension StyledLine {
    /// Adds to the last span if its style is the same.
    mutating func append(_ text: String, _ style: Style) {
        if let last = spans.indices.last, spans[last].style == style || spans[last].text.isEmpty {
            spans[last].text += text
            spans[last].style = style
        } else {
            spans.append(Span(text: text, style: style))
        }
    }
}
