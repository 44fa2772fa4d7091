// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The attempts of the selected transfer, with the stages of the last one that has ended.
enum AttemptsTab {
    static func lines(
        of transfer: Transfer, _ info: TransferInfo?, _ state: InterfaceState, width: Int, _ capabilities: Capabilities
    ) -> [StyledLine] {
        guard let info else { return [StyledLine(capabilities.drawn("asking the queue…"), .faint)] }
        let attempts = info.attempts ?? []
        guard !attempts.isEmpty || transfer.state == .retrying else {
            let metrics = transfer.metrics.map { stages(of: $0, width: width, capabilities) } ?? []
            let text = info.attempts == nil ? "this queue records no attempts" : "no attempt has begun"
            return [StyledLine(text, .faint)] + metrics
        }
        let hasTimes = width >= 40
        var lines = [StyledLine(row("#", hasTimes ? "BEGAN" : nil, "LASTED", "BYTES", "RESULT"), .faint)]
        let detailed = attempts.last { $0.metrics?.transactions.isEmpty == false }?.number
        for attempt in attempts {
            let end = attempt.endedAt ?? transfer.endedAt
            // As long as it runs, whole seconds have passed; what it took is rounded as everywhere.
            let lasted = end.map { ($0 - attempt.startedAt).rounded() } ?? state.now - attempt.startedAt
            let bytes = ByteCount.short(max(0, Double(attempt.lastByte) - Double(attempt.firstByte)))
            let head = row(
                "\(attempt.number)", hasTimes ? state.setup.clock.seconds(attempt.startedAt) : nil,
                TimeText.clock(lasted),
                bytes, "")
            let (texts, style) = result(of: attempt, transfer, state)
            let room = max(4, width - CellWidth.of(head))
            let shown = texts.map(capabilities.shown)
            let text = shown.first { CellWidth.of($0) <= room } ?? shown.last ?? ""
            let fitted = CellText.fit(text, width: room, mark: capabilities.glyphs.ellipsis)
            lines.append(StyledLine(head) + StyledLine(fitted, style))
            if attempt.number == detailed, let metrics = attempt.metrics {
                lines += stages(of: metrics, width: width, capabilities)
            }
        }
        if transfer.state == .retrying, let time = transfer.retryAt {
            let next = (attempts.last?.number ?? transfer.attempt) + 1
            let wait = time > state.now ? "in \(TimeText.clock(time - state.now))" : "now"
            let start = DetailView.grouped(transfer.bytes)
            lines.append(StyledLine("\(NumberText.right("\(next)", 2))  \(wait), from byte \(start)", .warning))
        }
        return lines
    }

    private static func row(
        _ number: String, _ began: String?, _ lasted: String, _ bytes: String, _ result: String
    )
        -> String
    {
        let parts = [
            NumberText.right(number, 2), began.map { CellText.fit($0, width: 8) }, NumberText.right(lasted, 6),
            NumberText.right(bytes, 5),
        ]
        return parts.compactMap(\.self).joined(separator: "  ") + "  " + result
    }

    /// Longest first; of a failure the cause matters more than the server.
    private static func result(
        of attempt: TransferAttempt, _ transfer: Transfer, _ state: InterfaceState
    ) -> ([String], Style) {
        if let error = attempt.error {
            var failed = transfer
            failed.status = .failed(.init(), error, nil)
            failed.httpStatus = attempt.status
            return ([state.setup.words.failure(error)] + state.setup.words.brief(failed), Style(role: .failed))
        }
        guard attempt.endedAt != nil else {
            return transfer.state == .running ? (["running"], .moving) : ([transfer.state.rawValue], .faint)
        }
        let status = attempt.status.map { ", \($0)" } ?? ""
        let isLast = attempt.number >= transfer.attempt
        return isLast && transfer.state == .completed
            ? (["completed" + status], .done) : (["ended" + status], .faint)
    }

    /// The stages of the last exchange.
    private static func stages(of metrics: TransferMetrics, width: Int, _ capabilities: Capabilities) -> [StyledLine] {
        guard let last = metrics.transactions.last, let begin = last.fetchStart, let end = last.responseEnd else {
            return []
        }
        let handshake = last.secureConnectionStart ?? last.connectEnd
        let spans: [(String, Double?, Double?)] = [
            ("name", last.domainLookupStart, last.domainLookupEnd), ("connect", last.connectStart, handshake),
            ("TLS", last.secureConnectionStart, last.secureConnectionEnd),
            ("request", last.requestStart, last.requestEnd), ("wait", last.requestEnd, last.responseStart),
            ("response", last.responseStart, last.responseEnd),
        ]
        let known = spans.compactMap { name, start, end in start.flatMap { start in end.map { (name, start, $0) } } }
        return StageBars(begin: begin, end: max(begin, end), stages: known.map { .init($0.0, $0.1, $0.2) }).lines(
            width: width, capabilities)
    }
}
