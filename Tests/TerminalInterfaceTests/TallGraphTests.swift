// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface

struct TallGraphTests {
    private func texts(_ graph: TallGraph, _ columns: Int, _ capabilities: Capabilities = .unicode) -> [String] {
        graph.drawn(columns: columns, .moving, capabilities).map { $0.spans.map(\.text).joined() }
    }

    /// Two samples in a column, sixteen steps in four rows.
    @Test func standsOrHangs() {
        var graph = TallGraph(samples: [1, 16, 8, 0], top: 16, height: 4)
        #expect(texts(graph, 2).map { $0.prefix(1) } == ["⢸", "⢸", "⢸", "⣼"])
        graph.isMirrored = true
        #expect(texts(graph, 2).map { $0.prefix(1) } == ["⢻", "⢸", "⢸", "⢸"])
        #expect(texts(graph, 2, .ascii).map { $0.prefix(1) } == ["#", "#", "#", "#"])
    }

    /// Blank where there is no sample, one dot for a second without a byte, and more for one with any.
    @Test func nothingIsNotZero() {
        #expect(texts(TallGraph(samples: [], top: 1, height: 1), 1) == [" "])
        #expect(texts(TallGraph(samples: [nil, 0], top: 1e9, height: 1), 1) == ["⢀"])
        #expect(texts(TallGraph(samples: [nil, 1], top: 1e9, height: 1), 1) == ["⢠"])
    }

    @Test func linesStandWhereARowIsEmpty() {
        let graph = TallGraph(samples: [nil, nil, 2, 2], top: 16, height: 4, lines: [16, 2])
        #expect(texts(graph, 2)[0] == "──" && texts(graph, 2)[3].hasPrefix("─"))
        #expect(graph.row(of: 16) == 0 && graph.row(of: 2) == 3)
    }

    /// From the first sample on with the label that it will have, in a window of 30 rows.
    @Test(arguments: [1, 60]) func theGraphOfATransferHasHeight(_ count: Int) {
        var running = Samples.transfer(1, .running, "a", bytes: 10, total: 100)
        running.edit { $0.rate = 900 }
        var state = Samples.state([running])
        state.resize(columns: 120, rows: 40)
        let rates = (0..<count).map { Int64?(200 + Int64($0) * 10) }
        state.rates.transfer = TransferRates(id: running.id, series: [.init(step: 1, rates: rates)])
        (state.rates.downSeries, state.rates.upSeries) = ([.init(step: 1, rates: rates)], [.init(step: 1, rates: [5])])
        let graph = RateGraph(of: running, state, width: 44, allowsBelow: false, .unicode)
        #expect(graph.rows.map(\.label) == ["Rate", "1 min", "", ""] && graph.hasFigures)
        let lines = graph.rows.map { $0.line.spans.map(\.text).joined() }
        #expect(lines[0].contains(" max ") && lines[3].contains(" now 900B/s"))
        #expect(lines.contains { $0.contains("peak ") } && lines.contains { $0.contains("mean ") })
        #expect(lines.allSatisfy { CellWidth.of($0) <= 44 })
        let all = RateGraph.tallOfAll(state, .unicode).map { $0.spans.map(\.text).joined() }
        #expect(all.count == 4 && all[0].contains("↓ max ") && all[3].contains("↑ max 5B/s"))
        let grid = render(state, columns: 120, rows: 40, capabilities: .unicode)
        #expect((0..<40).contains { grid.text(row: $0).contains("all ↓ ↑, 1 min") })
        state.resize(columns: 120, rows: 29)
        #expect(RateGraph(of: running, state, width: 44, allowsBelow: false, .unicode).rows.count == 2)
    }
}
