// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The rate of the selected transfer in its last minute, five minutes or hour, as rows of the details.
struct RateGraph {
    struct Row {
        var label: String
        var line: StyledLine
    }

    private static let height = 2
    /// A column for each sample.
    private static let widest = 60
    /// Below that there is no graph.
    private static let least = 8

    private(set) var rows: [Row] = []
    /// Bytes per second of half of the samples are below it; `nil` without a graph.
    private(set) var median: Double?
    /// Whether the rate and the median stand beside it.
    private(set) var hasFigures = false

    /// Empty where no sample is known, or there is no room.
    init(of transfer: Transfer, _ state: InterfaceState, width: Int, _ capabilities: Capabilities) {
        let samples = state.graphedSamples
        guard samples.contains(where: { $0 != nil }) else { return }
        let limits = state.rates.limits
        let own = transfer.rateLimit
        let ofAll = transfer.kind == .download ? limits?.download : limits?.upload
        let scale = Graph.scale(samples, limit: [own, ofAll].compactMap(\.self).min())
        let label = Graph.label(scale) + "/s"
        let known = samples.compactMap(\.self).sorted()
        let middle = known[known.count / 2]
        let now = transfer.state == .running ? "now \(NumberText.rate(transfer.rate)), " : ""
        let figures = "\(now)median \(NumberText.rate(middle))"
        hasFigures = width >= Self.widest + 2 + max(CellWidth.of(figures), CellWidth.of(label))
        let columns = min(Self.widest, width - 1 - CellWidth.of(label))
        guard columns >= Self.least else {
            hasFigures = false
            return
        }
        median = middle
        let style: Style = transfer.kind == .upload ? .upload : .moving
        let graph = Graph.rows(samples, width: columns, height: Self.height, top: scale, capabilities.glyphs)
        let beside = [(hasFigures ? "  " : " ") + label, hasFigures ? "  " + figures : ""]
        let labels = ["Rate", Self.span(columns * state.details.span.rawValue)]
        rows = zip(labels, zip(graph, beside)).map { label, parts in
            Row(label: label, line: StyledLine(parts.0, style) + StyledLine(parts.1, .faint))
        }
    }

    /// `25 s`, `5 min`
    private static func span(_ seconds: Int) -> String { seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min" }
}
