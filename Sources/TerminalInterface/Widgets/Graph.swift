// SPDX-License-Identifier: MIT

/// A graph of one row or more, a sample for each column. Knows nothing of transfers.
enum Graph {
    /// In one row.
    static func draw(
        _ samples: some BidirectionalCollection<Double?>, width: Int, top: Double, _ glyphs: Glyphs
    )
        -> String
    {
        rows(samples, width: width, height: 1, top: top, glyphs).joined()
    }

    /// The newest samples at the right; blank where there is none, and never blank for zero. The upper row comes first.
    /// - Parameter top: the value of a full column.
    static func rows(
        _ samples: some BidirectionalCollection<Double?>, width: Int, height: Int, top: Double, _ glyphs: Glyphs
    )
        -> [String]
    {
        guard width > 0, height > 0 else { return [] }
        let shown = samples.suffix(width)
        let eighths = shown.map { value -> Int? in
            guard let value else { return nil }
            guard value > 0, top > 0 else { return 0 }
            return Int(max(1, min(Double(8 * height), (value / top * Double(8 * height)).rounded(.up))))
        }
        return (0..<height).reversed().map { row in
            let columns = eighths.map { value -> String in
                guard let value, value > 8 * row || row == 0 else { return " " }
                return glyphs.graph[min(8, value - 8 * row)]
            }
            return CellText.spaces(width - shown.count) + columns.joined()
        }
    }

    /// The next 1, 2 or 5 times a power of ten, in units of 1024, at or above `peak`.
    static func scale(_ peak: Double) -> Double {
        guard peak > 0, peak.isFinite else { return 1024 }
        var unit = 1.0
        while unit * 500 < peak, unit < 1e15 { unit *= 1024 }
        for step in [1, 2, 5, 10, 20, 50, 100, 200, 500.0] where step * unit >= peak { return step * unit }
        return unit * 500
    }

    /// `5M`, the label of a scale; a limit may be `1.5M`.
    static func label(_ scale: Double) -> String {
        var (value, unit) = (scale, "")
        for next in ["K", "M", "G", "T"] where value >= 999.5 { (value, unit) = (value / 1024, next) }
        let tenths = Int((value * 10).rounded())
        guard value < 10, !tenths.isMultiple(of: 10) else { return "\(Int(value.rounded()))\(unit)" }
        return "\(tenths / 10).\(tenths % 10)\(unit)"
    }
}
