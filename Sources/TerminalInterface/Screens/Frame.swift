// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The lines above the list: rates with graphs, and the tabs of the views.
enum Frame {
    /// The least space between the rates and what is in force.
    private static let gap = 4
    /// The window from which a graph is shown, from which a long one with its scale, and their lengths.
    private static let graphFrom = 60, longFrom = 100, graphColumns = 14, longColumns = 24

    static func drawHeader(_ state: InterfaceState, in grid: inout Grid, row: Int, _ capabilities: Capabilities) {
        let columns = grid.columns
        let glyphs = capabilities.glyphs
        let isNarrow = columns < graphFrom
        let isLong = columns >= longFrom
        let hasGraphs = !isNarrow && !state.rates.down.isEmpty
        let title = capabilities.shown(state.title)
        let down = glyphs.down + ByteCount.short(rate(state.rates.downNow, state.tally.rateDown, state)) + "/s"
        let up = glyphs.up + ByteCount.short(rate(state.rates.upNow, state.tally.rateUp, state)) + "/s"
        let space = isNarrow ? 1 : 2
        let rates = CellWidth.of(title) + space + CellWidth.of(down) + space + CellWidth.of(up)
        let downScale = Graph.scale(state.rates.down, limit: state.rates.limits?.download)
        let downGraph =
            !hasGraphs ? 0 : (isLong ? longColumns : graphColumns) + 1 + (isLong ? Graph.label(downScale).count + 1 : 0)
        let right = capabilities.drawn(inForce(state, room: columns - rates - downGraph - gap))

        guard columns >= CellWidth.of(title) + space + CellWidth.of(down) else {
            grid.write(CellText.fit(title, width: columns, mark: glyphs.ellipsis), row: row, column: 0, style: .bold)
            return
        }
        var place = grid.write(title, row: row, column: 0, style: .bold) + space
        place += grid.write(down, row: row, column: place, style: .moving)
        if hasGraphs {
            place += 1
            let width = isLong ? longColumns : graphColumns
            place += grid.write(
                Graph.draw(state.rates.down, width: width, top: downScale, glyphs), row: row, column: place,
                style: .moving)
            if isLong {
                place += 1 + grid.write(Graph.label(downScale), row: row, column: place + 1, style: .faint)
            }
        }
        let start = columns - CellWidth.of(right)
        if place + space + CellWidth.of(up) <= start - (right.isEmpty ? 0 : 1) {
            place += space
            place += grid.write(up, row: row, column: place, style: .upload)
            if hasGraphs {
                let scale = Graph.scale(state.rates.up, limit: state.rates.limits?.upload)
                let label = isLong ? " " + Graph.label(scale) : ""
                let most = isLong ? longColumns : graphColumns
                let width = min(most, start - place - 1 - label.count - (right.isEmpty ? 0 : gap))
                if width >= 4 {
                    place +=
                        1
                        + grid.write(
                            Graph.draw(state.rates.up, width: width, top: scale, glyphs), row: row, column: place + 1,
                            style: .upload)
                    grid.write(label, row: row, column: place, style: .faint)
                }
            }
        }
        let isWarning = isNarrow && state.tally[.failed] > 0
        grid.write(right, row: row, column: max(0, start), style: isWarning ? .failure : .faint)
    }

    /// The service's figure while transfers run; at the end it lags behind.
    private static func rate(_ sampled: Double?, _ sum: Int, _ state: InterfaceState) -> Double {
        state.tally[.running] > 0 ? sampled ?? Double(sum) : Double(sum)
    }

    /// Slots and limits, as far as there is room; in a narrow window failures and count.
    private static func inForce(_ state: InterfaceState, room: Int) -> String {
        if state.columns < graphFrom {
            let failed = state.tally[.failed] > 0 ? "\(state.tally[.failed]) FAILED  " : ""
            let count = String(state.tally.count)
            return [failed + count, count].first { CellWidth.of($0) <= room + gap - 2 } ?? ""
        }
        let limits = state.rates.limits ?? state.limits
        let running = state.tally[.running] + state.tally[.verifying]
        let slots = state.columns >= longFrom ? "\(running)/\(state.limits.concurrent) slots" : nil
        let (limit, short) = limitText(limits, state)
        // What matters less is left out first.
        let choices: [[String?]] = [[slots, limit], [limit], [slots, short], [short], []]
        let texts = choices.map { $0.compactMap(\.self).joined(separator: "  ") }
        return texts.first { CellWidth.of($0) <= room } ?? ""
    }

    private static func limitText(_ limits: QueueLimits, _ state: InterfaceState) -> (String?, String?) {
        let parts = [limits.download.map { "↓" + RateText.label($0) }, limits.upload.map { "↑" + RateText.label($0) }]
            .compactMap(\.self)
        guard !parts.isEmpty else { return (nil, nil) }
        let until = state.rates.limitsEnd.map { " until " + state.clock.text($0, now: state.now) } ?? ""
        let short = (limits.download ?? limits.upload).map { "≤" + RateText.label($0) }
        return ("limit " + parts.joined(separator: " ") + until, short)
    }

    static func drawViews(_ state: InterfaceState, in grid: inout Grid, row: Int, _ capabilities: Capabilities) {
        let right = position(state, capabilities)
        let room = grid.columns - CellWidth.of(right) - 2
        for tab in tabAreas(state, room: room) {
            let isWarning = tab.view == .problems && state.tally.problems > 0
            let style: Style = tab.view == state.view ? .key : isWarning ? .warning : .plain
            grid.write(tab.text, row: row, column: tab.start, width: max(0, room - tab.start), style: style)
        }
        grid.write(right, row: row, column: max(0, grid.columns - CellWidth.of(right)), style: .faint)
    }

    struct TabArea {
        var view: QueueView
        var text: String
        var start: Int
    }

    /// Where each tab stands.
    static func tabAreas(_ state: InterfaceState, room: Int) -> [TabArea] {
        var start = 0
        return zip(QueueView.allCases, tabs(state, room: room)).map { view, tab in
            let text = view == state.view ? "[\(tab)]" : tab
            defer { start += CellWidth.of(text) + 2 }
            return TabArea(view: view, text: text, start: start)
        }
    }

    /// The view whose tab is at a column of a window of `columns`; `nil` between them.
    static func view(at column: Int, _ state: InterfaceState, columns: Int, _ capabilities: Capabilities) -> QueueView?
    {
        let room = columns - CellWidth.of(position(state, capabilities)) - 2
        return tabAreas(state, room: room).first {
            column < room && ($0.start..<$0.start + CellWidth.of($0.text)).contains(column)
        }?.view
    }

    /// With counts and words, with words, or keys alone.
    private static func tabs(_ state: InterfaceState, room: Int) -> [String] {
        func key(_ view: QueueView) -> String { state.keyMap.key(view.action) ?? "-" }
        let forms: [(QueueView) -> String] = [
            { view in
                [key(view), view.title, view.count(state.tally).map(String.init)].compactMap(\.self)
                    .joined(separator: " ")
            }, { "\(key($0)) \($0.title)" },
            { view in
                let count = view.count(state.tally).map { " \($0)" } ?? ""
                return key(view) + (view == state.view ? " \(view.title)" : count)
            }, { key($0) },
        ]
        let lines = forms.map { form in QueueView.allCases.map(form) }
        return lines.first { CellWidth.of($0.joined(separator: "  ")) + 2 <= room } ?? lines[3]
    }

    /// `2 marked  /iso  14/51`
    static func position(_ state: InterfaceState, _ capabilities: Capabilities) -> String {
        var parts: [String] = []
        switch state.overlay {
        case .help: return "help"
        case .output: return "output"
        case .detail: parts.append("details")
        case nil:
            if !state.marks.isEmpty { parts.append("\(state.marks.count) marked") }
            if !state.filter.isEmpty {
                let text = capabilities.shown("/" + state.filter)
                parts.append(CellText.fit(text, width: min(24, CellWidth.of(text)), mark: capabilities.glyphs.ellipsis))
            }
        }
        if state.isReadOnly { parts.insert("watching", at: 0) }
        if state.view == .log {
            parts.append(LogView.position(state))
        } else if let index = state.selectedIndex {
            parts.append("\(index + 1)/\(state.visible.count)")
        }
        return parts.joined(separator: "  ")
    }
}
