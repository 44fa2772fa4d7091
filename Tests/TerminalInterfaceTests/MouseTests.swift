// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel

@testable import TerminalInterface

struct MouseTests {
    private func at(_ row: Int, _ column: Int) -> Key { .mouse(Mouse(button: .left, row: row, column: column)) }

    /// 80 × 24: header, views, headings, list from row 3.
    @Test func clicksSelectOpenAndMark() {
        var state = Samples.queued(50)
        state.keys(at(5, 20))
        #expect(state.selection?.rawValue == 3 && state.overlay == nil)
        state.keys(at(5, 20))
        #expect(state.overlay == .detail)
        state.keys(.escape, at(4, 1))
        #expect(state.selection?.rawValue == 2 && state.marks == Set(ids(2)))
        state.keys(at(4, 0))
        #expect(state.marks.isEmpty)
    }

    @Test func theWheelMovesAndScrolls() {
        var state = Samples.queued(50)
        state.keys(.mouse(Mouse(button: .wheelDown, row: 9, column: 9)))
        #expect(state.selection?.rawValue == 4)
        state.keys(.mouse(Mouse(button: .wheelUp, row: 9, column: 9)))
        #expect(state.selection?.rawValue == 1)
        state.keys(.character("?"), .mouse(Mouse(button: .wheelDown, row: 9, column: 9)))
        #expect(state.overlayTop == 3 && state.selection?.rawValue == 1)
    }

    @Test func everyTabHeadingAndHintIsWhereItIsDrawn() throws {
        for (columns, rows) in [(80, 24), (120, 40), (60, 20)] {
            var state = Samples.kinds
            state.resize(columns: columns, rows: rows)
            let grid = render(state, columns: columns, rows: rows, capabilities: .unicode)
            let layout = state.layout
            let tabs = Array(grid.text(row: try #require(layout.views)))
            let done = try #require(tabs.firstIndex(of: "4"))
            state.keys(at(layout.views ?? 0, done))
            #expect(state.view == .done)
            state.keys(at(layout.views ?? 0, 0))
            #expect(state.view == .all)
            // Names in front are narrow, so characters are columns.
            let headings = String(grid.text(row: try #require(layout.headings)))
            let name = try #require(headings.range(of: "NAME"))
            state.keys(at(layout.headings ?? 0, headings.distance(from: headings.startIndex, to: name.lowerBound)))
            #expect(state.listOrder == ListOrder(key: .name))
            state.keys(at(layout.headings ?? 0, headings.distance(from: headings.startIndex, to: name.lowerBound)))
            #expect(state.listOrder?.isReversed == true)
            let hints = grid.text(row: rows - 1)
            let help = try #require(hints.range(of: "? help"))
            state.keys(at(rows - 1, hints.distance(from: hints.startIndex, to: help.lowerBound)))
            #expect(state.overlay == .help)
        }
    }

    @Test func tabsOfTheDetailsAreWhereTheyAreDrawn() throws {
        for (rows, isPane) in [(24, false), (40, true)] {
            var state = Samples.state([Samples.transfer(7, .running, "夏祭り.mp4", bytes: 1, total: 2)])
            state.resize(columns: 80, rows: rows)
            if !isPane { state.keys(.enter) }
            for tab in [DetailTab.pieces, .attempts, .log, .info] {
                let grid = render(state, columns: 80, rows: rows, capabilities: .unicode)
                let row = try #require((0..<rows).first { grid.text(row: $0).contains("Attempts") })
                let text = grid.text(row: row)
                let start = try #require(text.range(of: tab.title)).lowerBound
                state.keys(at(row, CellWidth.of(String(text[..<start]))))
                #expect(state.details.tab == tab)
            }
            let tab = state.details.tab
            state.keys(at(3, 79))
            #expect(state.details.tab == tab)
        }
    }

    @Test func noClickAnswersAQuestion() {
        var state = Samples.queued(3)
        state.keys(.control("a"), .character("X"))
        #expect(state.keys(at(3, 20)).isEmpty && state.prompt != nil)
    }

    @Test func anywhereOnAnyWindow() {
        var random = SeededGenerator(11)
        for _ in 0..<300 {
            var state = RenderPropertyTests.randomState(&random)
            state.resize(columns: Int.random(in: 1...140, using: &random), rows: Int.random(in: 1...45, using: &random))
            for _ in 0..<4 {
                let place = (Int.random(in: 0...45, using: &random), Int.random(in: 0...140, using: &random))
                state.keys(at(place.0, place.1))
            }
            #expect(state.visible.isEmpty == (state.selection == nil))
        }
    }
}
