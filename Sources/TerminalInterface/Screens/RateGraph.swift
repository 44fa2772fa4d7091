// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The rates of the selected transfer, and of all in its direction, in the last minute, five minutes or hour, as rows
/// of the details.
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
    /// Between two graphs side by side, and the least width of each.
    private static let gap = 3, leastBeside = 38

    private(set) var rows: [Row] = []
    /// Bytes per second of half of the samples are below it; `nil` without a graph.
    private(set) var median: Double?
    /// Whether the rate and the median stand beside it.
    private(set) var hasFigures = false

    /// Empty where no sample is known, or there is no room.
    /// - Parameter allowsBelow: whether the graph of all may have rows of its own, where there is no room beside.
    init(
        of transfer: Transfer, _ state: InterfaceState, width: Int, allowsBelow: Bool = true,
        _ capabilities: Capabilities
    ) {
        let (limits, span) = (state.rates.limits, state.details.span)
        let isUpload = transfer.kind == .upload
        let ofAll = isUpload ? limits?.upload : limits?.download
        let own = Series(state.graphedSamples, limit: [transfer.rateLimit, ofAll].compactMap(\.self).min())
        let total = Series(state.rates.samples(transfer.kind, span), limit: ofAll)
        let all = total.flatMap { $0.isFlat ? nil : $0 }
        let style: Style = isUpload ? .upload : .moving
        let isMoving = transfer.state == .running && state.held(transfer) == nil
        let whole = Self.span(60 * span.rawValue)
        if Self.isTall(state, width: width) {
            if let own {
                (median, hasFigures) = (own.median, true)
                let lines = Self.tall(own, now: isMoving ? transfer.rate : nil, style, capabilities)
                rows = zip(["Rate", whole, "", ""], lines).map(Row.init)
            }
            if allowsBelow {
                let lines = Self.tallOfAll(state, capabilities)
                if !rows.isEmpty, !lines.isEmpty { rows.append(Row(label: "", line: StyledLine())) }
                rows += zip(["All", whole, "", ""], lines).map(Row.init)
            }
            return
        }
        let isBeside = own != nil && all != nil && (width - Self.gap) / 2 >= Self.leastBeside
        let room = isBeside ? (width - Self.gap) / 2 : width

        let now = isMoving ? "now \(NumberText.rate(transfer.rate)), " : ""
        let figures = (own?.median).map { "\(now)median \(NumberText.rate($0))" } ?? ""
        let name = "all " + (isUpload ? capabilities.glyphs.up : capabilities.glyphs.down)
        let sum = "now \(NumberText.rate(state.rates.shown(transfer.kind, state.list.tally)))"
        let left = own.map { Panel($0, notes: [figures, ""], room: room) }
        let right = all.map { Panel($0, notes: isBeside ? ["\(name), \(sum)", name] : [sum, ""], room: room) }
        // As much time in both.
        let shown = [left, isBeside || allowsBelow ? right : nil].compactMap(\.self)
        guard let columns = shown.map(\.columns).min(), columns >= Self.least else { return }
        let time = Self.span(columns * span.rawValue)
        if let left {
            (median, hasFigures) = (own?.median, !left.note.isEmpty)
            rows = zip(["Rate", time], left.lines(columns, style, capabilities)).map(Row.init)
        }
        guard let right, isBeside || allowsBelow else { return }
        let lines = right.lines(columns, style, capabilities)
        if isBeside {
            for (index, line) in lines.enumerated() {
                let space = max(1, room + Self.gap - rows[index].line.width)
                rows[index].line = rows[index].line + StyledLine(CellText.spaces(space)) + line
            }
        } else {
            // Full columns of both would be one.
            if !rows.isEmpty { rows.append(Row(label: "", line: StyledLine())) }
            rows += zip([name.prefix(1).uppercased() + name.dropFirst(), time], lines).map(Row.init)
        }
    }

    /// `25 s`, `5 min`
    static func span(_ seconds: Int) -> String { seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min" }

    /// Samples with their scale.
    struct Series {
        let samples: [Double?]
        let scale: Double
        /// Whether a limit is the top.
        let isLimited: Bool
        /// In rising order.
        private let known: [Double]

        /// `nil` without samples.
        init?(_ samples: [Double?], limit: Int?) {
            known = samples.compactMap(\.self).sorted()
            guard !known.isEmpty else { return nil }
            self.samples = samples
            let scale = Graph.scale(samples, limit: limit)
            self.scale = scale
            isLimited = limit.map { Double($0) == scale } ?? false
        }

        var median: Double { known[known.count / 2] }
        var peak: Double { known[known.count - 1] }
        var mean: Double { known.reduce(0, +) / Double(known.count) }
        var isFlat: Bool { known.last == 0 }
    }

    /// A graph with its scale, and a note below that.
    private struct Panel {
        let series: Series
        let label: String
        let note: String
        /// Those of the graph, if nothing else limits it.
        let columns: Int

        private var space: Int { note.isEmpty ? 1 : 2 }

        /// - Parameter notes: longest first; the first that leaves the graph its width is taken, else the last.
        init(_ series: Series, notes: [String], room: Int) {
            let label = (series.isLimited ? "≤" : "") + Graph.label(series.scale) + "/s"
            func beside(_ text: String) -> Int {
                // Its figures change, the time that the graph covers does not.
                let most = text.split(separator: " ").reduce(-1) { columns, word in
                    columns + 1 + (word.contains("/s") ? max(7, word.count) : word.count)
                }
                return max(most, CellWidth.of(label)) + (text.isEmpty ? 1 : 2)
            }
            let note = notes.first { !$0.isEmpty && room >= RateGraph.widest + beside($0) } ?? notes.last ?? ""
            columns = min(RateGraph.widest, room - beside(note))
            (self.series, self.label, self.note) = (series, label, note)
        }

        func lines(_ columns: Int, _ style: Style, _ capabilities: Capabilities) -> [StyledLine] {
            let graph = Graph.rows(
                series.samples, width: columns, height: RateGraph.height, top: series.scale, capabilities.glyphs)
            let texts = [label, note].map { $0.isEmpty ? "" : CellText.spaces(space) + capabilities.drawn($0) }
            return zip(graph, texts).map { StyledLine($0, style) + StyledLine($1, .faint) }
        }
    }
}
