// SPDX-License-Identifier: MIT

/// A graph of one row, a sample for each column. Knows nothing of transfers.
enum Graph {
    /// The newest samples at the right; blank where there is none, and never blank for zero.
    /// - Parameter top: the value of a full column.
    static func draw(
        _ samples: some BidirectionalCollection<Double?>, width: Int, top: Double, _ glyphs: Glyphs
    )
        -> String
    {
        guard width > 0 else { return "" }
        let shown = samples.suffix(width)
        let columns = shown.map { value -> String in
            guard let value else { return " " }
            guard value > 0, top > 0 else { return glyphs.graph[0] }
            let step = Int((value / top * 8).rounded(.up))
            return glyphs.graph[min(8, max(1, step))]
        }
        return CellText.spaces(width - shown.count) + columns.joined()
    }

    /// The next 1, 2 or 5 times a power of ten, in units of 1024, at or above `peak`.
    static func scale(_ peak: Double) -> Double {
        guard peak > 0, peak.isFinite else { return 1024 }
        var unit = 1.0
        while unit * 500 < peak, unit < 1e15 { unit *= 1024 }
        for step in [1, 2, 5, 10, 20, 50, 100, 200, 500.0] where step * unit >= peak { return step * unit }
        return unit * 500
    }

    /// `5M`, the label of a scale.
    static func label(_ scale: Double) -> String {
        var (value, unit) = (scale, "")
        for next in ["K", "M", "G", "T"] where value >= 1000 { (value, unit) = (value / 1024, next) }
        return "\(Int(value.rounded()))\(unit)"
    }
}
