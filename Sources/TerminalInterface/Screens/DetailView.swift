// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The details of the selected transfer.
enum DetailView {
    static func lines(
        of state: InterfaceState, columns: Int? = nil, _ capabilities: Capabilities = .unicode, inPane: Bool = false
    ) -> [StyledLine] {
        guard let transfer = state.list.selected else { return [] }
        let columns = columns ?? state.columns
        let titles = DetailTabs.titles(of: transfer, state.details.tab, room: columns)
        guard state.details.tab == .info else {
            let title = inPane ? nil : title(of: transfer, beside: titles, columns: columns, capabilities)
            let head = StyledLine(titles, .bold) + StyledLine(title ?? "", .faint)
            return (inPane ? [] : [head])
                + DetailTabs.lines(
                    of: transfer, state.details.tab, state, width: columns, capabilities,
                    isNamed: inPane || title != nil)
        }
        let tabs = inPane ? [] : [StyledLine(titles, .bold)]
        let labelWidth = columns >= 40 ? 13 : 9
        let width = max(1, columns - labelWidth - 1)
        var lines = tabs
        let allowsBelow = !inPane || state.usualLayout.isPaneRight
        let graph = RateGraph(of: transfer, state, width: width, allowsBelow: allowsBelow, capabilities)
        let fields = fields(of: transfer, state, graph, width: width, capabilities)
        for field in inPane ? fields.filter({ !elsewhere.contains($0.label) }) : fields {
            for row in field.rows {
                let label = CellText.fit(row.label, width: labelWidth, mark: "")
                lines.append(StyledLine(label + " ", .faint) + row.line)
            }
            guard field.rows.isEmpty else { continue }
            for (index, part) in CellText.wrap(shown(field.value, width, capabilities), width: width).enumerated() {
                let label = CellText.fit(index == 0 ? field.label : "", width: labelWidth, mark: "")
                lines.append(StyledLine(label + " ", .faint) + StyledLine(part, field.style))
            }
        }
        return lines
    }

    /// What title, tabs and row say of a transfer whose details are in a pane.
    private static let elsewhere: Set<String> = ["Name", "Progress", "Attempt", "ID"]

    /// Columns of the longest value: one that is longer would hide all others, and is cut in its middle.
    private static let longest = 600

    private static func shown(_ value: String, _ width: Int, _ capabilities: Capabilities) -> String {
        let text = capabilities.shown(value)
        let most = max(longest, 5 * width)
        guard CellWidth.of(text) > most else { return text }
        return CellText.fit(text, width: most, ellipsis: .middle, mark: capabilities.glyphs.ellipsis)
    }

    /// The least columns of ID and name at the right of the tabs.
    private static let leastTitle = 16

    /// ID and name, which the information has as fields, at the right end of the line; `nil` if there is no room.
    private static func title(
        of transfer: Transfer, beside titles: String, columns: Int, _ capabilities: Capabilities
    ) -> String? {
        let room = columns - CellWidth.of(titles) - 2
        guard room >= leastTitle else { return nil }
        let whole = "\(transfer.id) \(capabilities.shown(DisplayName.of(transfer)))"
        let width = min(room, CellWidth.of(whole))
        let title = CellText.name(whole, width: width, mark: capabilities.glyphs.ellipsis)
        return CellText.spaces(2 + room - width) + title
    }

    private struct Field {
        var label: String
        var value: String
        var style: Style = .plain
        /// Drawn instead of the value.
        var rows: [RateGraph.Row] = []

        init?(_ graph: RateGraph) {
            guard !graph.rows.isEmpty else { return nil }
            (label, value, rows) = ("Rate", "", graph.rows)
        }

        /// `nil` if empty.
        init?(_ label: String, _ value: String?, _ style: Style = .plain) {
            guard let value, !value.isEmpty else { return nil }
            (self.label, self.value, self.style) = (label, value, style)
        }
    }

    private static func fields(
        of transfer: Transfer, _ state: InterfaceState, _ graph: RateGraph, width: Int, _ capabilities: Capabilities
    ) -> [Field] {
        let style = StateText.style(of: transfer)
        let percent = NumberText.percent(transfer.shownFraction)
        let bar = transfer.bar(width: min(40, width - 5), style: capabilities.glyphs.bar)?.text ?? ""
        let sizes = transfer.total.map { "\(grouped(transfer.bytes)) of \(grouped($0))" } ?? exact(transfer.bytes)
        let held = state.held(transfer)
        let happened = StateText.sentence(
            transfer, state.setup.words, now: state.now, separator: capabilities.glyphs.separator, held: held)
        // Nothing is said twice.
        func unsaid(_ text: String?) -> String? { text.flatMap { happened.contains($0) ? nil : $0 } }
        let general: [Field?] = [
            Field("Name", DisplayName.of(transfer), .bold),
            Field("State", happened, style),
            Field("Do", held?.help ?? StateText.advice(transfer, state.setup.words, state.setup.keyMap)),
            Field("Error", unsaid(transfer.error.map(state.setup.words.failure)), .failure),
            Field("HTTP status", unsaid(transfer.httpStatus.map(String.init))),
            Field(graph),
            Field("Address", TransferURL.readable(transfer.url)),
            Field(
                transfer.kind == .download ? "Source" : "Target",
                transfer.finalURL.map(TransferURL.readable)),
            Field("File", DisplayName.path(transfer.file, home: state.setup.homeFolder)),
            Field("Position", position(of: transfer, state)),
            Field("Priority", priority(of: transfer)),
            Field("Progress", bar.isEmpty ? percent : "\(bar) \(percent)", style),
            Field("Bytes", transfer.bytes > 0 || transfer.total != nil ? sizes : nil),
            Field("Confirmed", confirmed(transfer)),
            Field("Resumable", transfer.uploadProtocol.map(UploadCarrier.words)),
            Field("Speed", speed(transfer, graph, isMoving: held == nil)),
            Field("Limit", transfer.rateLimit.map { RateText.label($0) + "/s" }),
            Field("Took", took(transfer)),
            Field(
                "Time left",
                transfer.state == .running && held == nil ? capabilities.drawn(StateText.left(transfer)) : nil),
            Field("Connections", transfer.connections.map(String.init)),
            Field("Attempt", transfer.shownAttempt.map(String.init)),
            Field("Added", time(transfer.addedAt, state)),
            Field("Ended", time(transfer.endedAt, state)),
            Field("ID", transfer.id.description),
        ]
        let question = (transfer.question.map { state.setup.words.question($0).details } ?? []).map {
            Field($0.label.prefix(1).uppercased() + $0.label.dropFirst(), $0.value)
        }
        return (general + question + (transfer.metrics.map(fields) ?? [])).compactMap(\.self)
    }

    private static func fields(of metrics: TransferMetrics) -> [Field?] {
        let stages = [
            ("name", metrics.nameLookup), ("connect", metrics.connect), ("TLS", metrics.tls),
            ("first byte", metrics.firstByte), ("total", Optional(metrics.total)),
        ]
        let connection = [metrics.protocolName, metrics.remoteAddress, metrics.isReusedConnection ? "reused" : nil]
        return [
            Field("Connection", connection.compactMap(\.self).joined(separator: ", ")),
            Field(
                "Times",
                stages.compactMap { stage in stage.1.map { "\(stage.0) \(TimeSpan.taken($0))" } }
                    .joined(separator: ", ")),
            Field("Received", metrics.bodyReceived > 0 ? exact(metrics.bodyReceived) : nil),
            Field("Sent", metrics.bodySent > 0 ? exact(metrics.bodySent) : nil),
            Field("Resumed from", metrics.resumedFrom > 0 ? exact(metrics.resumedFrom) : nil),
            Field("Exchanges", metrics.exchanges > 1 ? String(metrics.exchanges) : nil),
            Field("Redirects", metrics.redirects > 0 ? String(metrics.redirects) : nil),
        ]
    }

    /// `3 of 17 queued`: the place in the order in which they start.
    private static func position(of transfer: Transfer, _ state: InterfaceState) -> String? {
        guard transfer.state == .queued, transfer.earliestBegin ?? 0 <= state.now, transfer.after == nil
        else { return nil }
        let listing = state.list.listing
        return listing.queuedBefore(transfer.id).map { "\($0 + 1) of \(listing.queued.count) queued" }
    }

    /// Where it is not the usual one.
    private static func priority(of transfer: Transfer) -> String? {
        guard let priority = transfer.priority, priority != 0.5 else { return nil }
        return PriorityStep.word(priority)
    }

    /// As in rows; where that has no time of day, with it.
    private static func time(_ time: Double?, _ state: InterfaceState) -> String? {
        guard let time, time > 0 else { return nil }
        let isNear = abs(state.now - time) < 6 * 86_400
        return isNear ? state.setup.clock.text(time, now: state.now) : state.setup.clock.typed(time)
    }

    /// Without what stands beside the graph.
    private static func speed(_ transfer: Transfer, _ graph: RateGraph, isMoving: Bool) -> String? {
        let hasRate = transfer.state == .running && isMoving && !graph.hasFigures
        let rate = hasRate ? NumberText.rate(transfer.rate) : nil
        let median = graph.hasFigures ? nil : graph.median.map { "median \(NumberText.rate($0))" }
        let parts = [rate, median].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// `nil` where it says no more than the bytes.
    private static func confirmed(_ transfer: Transfer) -> String? {
        transfer.confirmed.flatMap { $0 == transfer.bytes ? nil : exact($0) }
    }

    /// `1:23, 12.3M/s on average`
    private static func took(_ transfer: Transfer) -> String? {
        guard transfer.state == .completed, let seconds = RowText.seconds(transfer) else { return nil }
        let moved = transfer.metrics.map { transfer.kind == .download ? $0.bodyReceived : $0.bodySent }
        let bytes = Double(moved ?? transfer.bytes)
        // Time between attempts is no time in which bytes moved.
        let hasRate = seconds >= 0.001 && bytes > 0 && transfer.attempt == 1
        let rate = hasRate ? ", \(NumberText.rate(bytes / seconds)) on average" : ""
        return TimeSpan.taken(seconds) + rate
    }

    private static func exact(_ bytes: Int64) -> String {
        bytes < 1000 ? "\(bytes) bytes" : "\(ByteCount.short(Double(bytes))) (\(grouped(bytes)) bytes)"
    }

    /// `1 234 567`.
    static func grouped(_ value: Int64) -> String {
        let digits = Array(String(value))
        return digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset).isMultiple(of: 3) { text += " " }
            text.append(digit.element)
        }
    }
}
