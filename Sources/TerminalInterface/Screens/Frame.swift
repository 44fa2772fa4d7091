// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The lines above the list: rates with graphs, and the tabs of the views.
enum Frame {
    /// The least space between the rates and what is in force.
    private static let gap = 4
    /// The window from which a graph is shown.
    static let graphFrom = 60
    /// The one from which a long graph with its scale is shown, and their lengths.
    private static let longFrom = 100, graphColumns = 14, longColumns = 24
    /// Seconds within which the service reports a download that awaits a slow disk.
    private static let reportedAfter = 3.0

    static func drawHeader(_ state: InterfaceState, in grid: inout Grid, row: Int, _ capabilities: Capabilities) {
        let columns = grid.columns
        let glyphs = capabilities.glyphs
        let isNarrow = columns < graphFrom
        let isLong = columns >= longFrom
        let hasGraphs = !isNarrow && !state.rates.down.isEmpty
        let title = capabilities.shown(state.setup.title)
        let down = glyphs.down + ByteCount.short(state.rates.shown(.download, state.list.tally)) + "/s"
        let up = glyphs.up + ByteCount.short(state.rates.shown(.upload, state.list.tally)) + "/s"
        let space = isNarrow ? 1 : 2
        let rates = CellWidth.of(title) + space + CellWidth.of(down) + space + CellWidth.of(up)
        let downScale = Graph.scale(state.rates.down, limit: state.rates.limits?.download)
        let downGraph =
            !hasGraphs ? 0 : (isLong ? longColumns : graphColumns) + 1 + (isLong ? topLabel(downScale).count + 1 : 0)
        let right = capabilities.drawn(
            inForce(state, room: columns - rates - downGraph - gap, capabilities))

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
                place += 1 + grid.write(topLabel(downScale), row: row, column: place + 1, style: .faint)
            }
        }
        let start = columns - CellWidth.of(right)
        if place + space + CellWidth.of(up) <= start - (right.isEmpty ? 0 : 1) {
            place += space
            place += grid.write(up, row: row, column: place, style: .upload)
            if hasGraphs {
                let scale = Graph.scale(state.rates.up, limit: state.rates.limits?.upload)
                let label = isLong ? " " + topLabel(scale) : ""
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
        let isFailure = isNarrow && state.list.tally[.failed] > 0
        let isWarning = !isNarrow && (NetworkText.isWarning(state) || state.limits.isHeld == true)
        let style: Style = isFailure ? .failure : isWarning ? .warning : .faint
        grid.write(right, row: row, column: max(0, start), style: style)
        // Behind failures, how many there are of all.
        guard isFailure, !right.isEmpty else { return }
        let count = String(state.list.tally.count)
        grid.write(count, row: row, column: max(0, columns - count.count), style: .faint)
    }

    private static func topLabel(_ scale: Double) -> String { "max " + Graph.label(scale) }

    /// Slots, limits and network, as far as there is room; in a narrow window failures and count.
    private static func inForce(_ state: InterfaceState, room: Int, _ capabilities: Capabilities) -> String {
        if state.columns < graphFrom {
            let failed = state.list.tally[.failed] > 0 ? "\(state.list.tally[.failed]) FAILED  " : ""
            let held = state.limits.isHeld == true ? "held  " : ""
            let count = String(state.list.tally.count)
            return [failed + held + count, failed + count, count].first { CellWidth.of($0) <= room + gap - 2 } ?? ""
        }
        let limits = state.rates.limits ?? state.limits
        let slots = state.columns >= longFrom ? slotsText(state) : nil
        let (limit, short) = limitText(limits, state)
        let network = NetworkText.label(state, capabilities)
        // What matters less is left out first; a network that holds up transfers stays.
        var others: [[String?]] = [[slots, limit], [limit], [slots, short], [short], []]
        if state.limits.isHeld == true { others = others.map { ["queue held"] + $0 } + others }
        let withNetwork = others.map { $0 + [network] }
        let choices = NetworkText.isWarning(state) ? withNetwork + others : [withNetwork[0]] + others
        let texts = choices.map { $0.compactMap(\.self).joined(separator: "  ") }
        return texts.first { CellWidth.of($0) <= room } ?? ""
    }

    /// More may run than there are slots now: those that had one when a limit was lowered. What is verified may have
    /// given its slot to another transfer, so that it fills slots but never exceeds them; a start shows that there was
    /// a slot, and that others only await the disk, which the service reports later.
    private static func slotsText(_ state: InterfaceState) -> String {
        let (running, limit) = (state.list.tally[.running], state.limits.concurrent)
        let isSettled = state.list.startedAt.map { state.now - $0 >= reportedAfter } ?? true
        guard running <= limit || !isSettled else { return "\(running) running, limit \(limit)" }
        return "\(min(running + state.list.tally[.verifying], limit))/\(limit) slots"
    }

    private static func limitText(_ limits: QueueLimits, _ state: InterfaceState) -> (String?, String?) {
        let parts = [limits.download.map { "↓" + RateText.label($0) }, limits.upload.map { "↑" + RateText.label($0) }]
            .compactMap(\.self)
        guard !parts.isEmpty else { return (nil, nil) }
        let until = state.rates.limitsEnd.map { " until " + state.setup.clock.text($0, now: state.now) } ?? ""
        let short = (limits.download ?? limits.upload).map { "≤" + RateText.label($0) }
        return ("limit " + parts.joined(separator: " ") + until, short)
    }

    static func drawViews(_ state: InterfaceState, in grid: inout Grid, row: Int, _ capabilities: Capabilities) {
        let line = viewLine(state, columns: grid.columns, capabilities)
        for tab in line.tabs {
            let isWarning = tab.view == .problems && state.list.tally.problems > 0
            let style: Style = tab.view == state.list.view ? .key : isWarning ? .warning : .plain
            let width = max(0, line.room - tab.start)
            grid.write(tab.text, row: row, column: tab.start, width: width, style: style)
        }
        let right = line.position
        grid.write(right, row: row, column: max(0, grid.columns - CellWidth.of(right)), style: .faint)
    }

    struct TabArea {
        var view: QueueView
        var text: String
        var start: Int
    }

    /// The tabs, the columns that they may take, and what stands at their right.
    struct ViewLine {
        var tabs: [TabArea]
        var room: Int
        var position: String
    }

    /// What may be in the line, the most first: forms of the tabs, each with forms of the position. Names stay as long
    /// as anything else can go.
    private static let combinations: [(tabs: Int, positions: [Int])] = [
        (0, [0, 1, 2, 4]), (1, [0, 1, 2, 3]), (2, [2, 3]), (3, [2, 3]), (4, [2, 3]), (5, [2, 3]), (6, [2, 3]),
        (7, [2, 3]),
    ]

    static func viewLine(_ state: InterfaceState, columns: Int, _ capabilities: Capabilities) -> ViewLine {
        let positions = (0..<5).map { position(state, capabilities, form: $0) }
        func room(_ position: String) -> Int { columns - CellWidth.of(position) - 2 }
        let forms = tabForms(state, capabilities)
        var (texts, chosen) = (forms[forms.count - 1], positions[3])
        search: for combination in combinations {
            for position in combination.positions where width(forms[combination.tabs]) <= room(positions[position]) {
                (texts, chosen) = (forms[combination.tabs], positions[position])
                break search
            }
        }
        var start = 0
        let tabs = zip(state.list.views, texts).map { view, tab in
            let text = view == state.list.view ? "[\(tab)]" : tab
            defer { start += CellWidth.of(text) + 2 }
            return TabArea(view: view, text: text, start: start)
        }
        return ViewLine(tabs: tabs, room: room(chosen), position: chosen)
    }

    /// The view whose tab is at a column of a window of `columns`; `nil` between them.
    static func view(at column: Int, _ state: InterfaceState, columns: Int, _ capabilities: Capabilities) -> QueueView?
    {
        let line = viewLine(state, columns: columns, capabilities)
        return line.tabs.first {
            column < line.room && ($0.start..<$0.start + CellWidth.of($0.text)).contains(column)
        }?.view
    }

    /// With the brackets around the view that is shown.
    private static func width(_ tabs: [String]) -> Int { CellWidth.of(tabs.joined(separator: "  ")) + 2 }

    /// With counts and words, with words, with those of own views cut, with the beginnings of words, with keys alone of
    /// own views and words or their beginnings of all others, or keys alone.
    private static func tabForms(_ state: InterfaceState, _ capabilities: Capabilities) -> [[String]] {
        func key(_ view: QueueView) -> String? { state.setup.keyMap.key(view.action) }
        func title(_ view: QueueView) -> String { capabilities.shown(state.list.title(view)) }
        /// Of own views alone, in so many columns.
        func cut(_ view: QueueView, _ columns: Int, mark: String) -> String {
            let whole = title(view)
            guard view.ownPlace != nil, CellWidth.of(whole) > columns else { return whole }
            var text = CellText.fit(whole, width: columns, mark: mark)
            // A wide character did not fit.
            while text.last == " " { text.removeLast() }
            return text
        }
        /// Whether it is an own view, and another is shown.
        func isBare(_ view: QueueView) -> Bool { view.ownPlace != nil && view != state.list.view && key(view) != nil }
        func count(_ view: QueueView) -> String? { state.list.count(view).map(String.init) }
        func joined(_ parts: String?...) -> String { parts.compactMap(\.self).joined(separator: " ") }
        let forms: [(QueueView) -> String] = [
            { joined(key($0), title($0), count($0)) },
            { joined(key($0), title($0)) },
            { joined(key($0), cut($0, 7, mark: capabilities.glyphs.ellipsis)) },
            { joined(key($0), cut($0, 4, mark: "")) },
            { joined(key($0), $0.ownPlace == nil ? String(title($0).prefix(4)) : cut($0, 4, mark: "")) },
            { joined(key($0), isBare($0) ? nil : title($0)) },
            { joined(key($0), isBare($0) ? nil : String(title($0).prefix(4))) },
            { $0 == state.list.view ? joined(key($0), title($0)) : key($0) ?? title($0) },
        ]
        return forms.map { form in state.list.views.map(form) }
    }

    /// The number of the selected transfer; of a group that of its first member.
    private static func place(_ state: InterfaceState) -> Int? {
        guard state.list.isGrouped else { return state.list.selectedIndex.map { $0 + 1 } }
        let first = state.list.selection ?? state.list.groupMembers.first
        return first.flatMap { state.list.listing.membersBefore($0) }.map { $0 + 1 }
    }

    /// `2 marked  /iso  by server  14/51`, `●2  /iso  by server  14/51`, `●2  /iso  14/51`, `14/51`, or `●2  /iso`
    private static func position(_ state: InterfaceState, _ capabilities: Capabilities, form: Int) -> String {
        let isShort = form > 0
        var parts: [String] = []
        switch state.overlay {
        case .output: return "output"
        // They show what they are.
        case .detail: if form < 2 { parts.append("details") }
        case nil:
            if !state.list.marks.isEmpty {
                let count = state.list.marks.count
                parts.append(
                    isShort
                        ? "\(capabilities.glyphs.mark)\(count)"
                        : state.list.range == nil ? "\(count) marked" : "marking \(count)")
            }
            if !state.list.filter.isEmpty {
                let text = capabilities.shown("/" + state.list.filter)
                parts.append(
                    CellText.fit(
                        text, width: min(isShort ? 10 : 24, CellWidth.of(text)), mark: capabilities.glyphs.ellipsis))
            }
        }
        if state.setup.isReadOnly { parts.insert("watching", at: 0) }
        if form == 3 { parts = [] }
        if state.list.view == .log {
            // A filter, and the counts of the tabs, matter more than that the log follows; the names of the tabs more
            // than how many lines there are.
            if form != 3 || state.logScroll.back > 0 { parts.append(LogView.position(state, isShort: form >= 2)) }
        } else {
            if form < 2, state.list.isGrouped, let grouping = state.list.grouping {
                parts.append("by \(grouping.rawValue)")
            }
            let count = state.list.visible.count - state.list.hiddenCount
            if form < 4, let place = place(state), place <= count { parts.append("\(place)/\(count)") }
        }
        return parts.joined(separator: "  ")
    }
}
