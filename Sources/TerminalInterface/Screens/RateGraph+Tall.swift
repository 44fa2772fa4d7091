// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Graphs with height, in windows that have the rows for them: 60 samples in 30 columns, so that every window shows all
/// of the time, with lines at the peak and at the mean.
extension RateGraph {
    private static let tallFrom = 30
    private static let tallHeight = 4, tallColumns = 30, tallLabel = 14
    private static var tallWidth: Int { tallColumns + tallLabel }

    /// Whether graphs in so many columns are those.
    static func isTall(_ state: InterfaceState, width: Int) -> Bool { state.rows >= tallFrom && width >= tallWidth }

    /// The selected transfer's.
    static func tall(
        _ series: Series, now: Double?, _ style: Style, _ capabilities: Capabilities
    ) -> [StyledLine] {
        var graph = TallGraph(samples: series.samples, top: series.scale, height: tallHeight)
        // In the first row a line would be one at the top of the scale.
        graph.lines = [series.peak, series.mean].filter { graph.row(of: $0) > 0 }
        var labels = [String?](repeating: nil, count: tallHeight)
        labels[0] = top(series)
        labels[tallHeight - 1] = now.map { "now \(NumberText.rate($0))" }
        for (name, value) in [("peak", series.peak), ("mean", series.mean)] {
            let row = graph.row(of: value)
            // Beside its line, or as near to that as others leave.
            let free = labels.indices.filter { labels[$0] == nil }.min { abs($0 - row) < abs($1 - row) }
            if let free { labels[free] = "\(name) \(NumberText.rate(value))" }
        }
        return labelled(graph.drawn(columns: tallColumns, style, capabilities), labels, capabilities)
    }

    /// That of all transfers, downloads above the uploads; empty if nothing moved.
    static func tallOfAll(_ state: InterfaceState, _ capabilities: Capabilities) -> [StyledLine] {
        let limits = state.rates.limits
        let halves = [TransferKind.download, .upload].map { kind in
            let limit = kind == .upload ? limits?.upload : limits?.download
            return (kind: kind, series: Series(state.rates.samples(kind, state.details.span), limit: limit))
        }
        guard halves.contains(where: { $0.series.map { !$0.isFlat } ?? false }) else { return [] }
        return halves.flatMap { kind, series in
            let isUpload = kind == .upload
            let height = tallHeight / 2
            let graph = TallGraph(
                samples: series?.samples ?? [], top: series?.scale ?? 1, height: height, isMirrored: isUpload)
            let top = series.map { (isUpload ? "↑ " : "↓ ") + Self.top($0) }
            let now = "  now " + NumberText.rate(state.rates.shown(kind, state.list.tally))
            return labelled(
                graph.drawn(columns: tallColumns, isUpload ? .upload : .moving, capabilities),
                isUpload ? [now, top] : [top, now], capabilities)
        }
    }

    private static func top(_ series: Series) -> String {
        (series.isLimited ? "≤" : "max ") + RateText.label(Int(series.scale)) + "/s"
    }

    private static func labelled(
        _ lines: [StyledLine], _ labels: [String?], _ capabilities: Capabilities
    ) -> [StyledLine] {
        zip(lines, labels).map { $0 + StyledLine(" " + capabilities.drawn($1 ?? ""), .faint) }
    }
}
