// SPDX-License-Identifier: MIT

import TerminalInterface
import TransferModel

/// The time spent in a transfer, one block of lines per transaction. No I/O.
///
/// The bars of a block share one scale, from start to end of its transaction; the first line shows the start. Stages
/// that did not occur have no line.
struct Waterfall {
    let glyphs: TerminalGlyphs
    /// Lines are at most this wide, less one column.
    let columns: Int

    /// The number of blocks shown at the beginning and at the end each.
    private static let shownAtEachEnd = 4
    private static let labelWidth = 10
    private static let timeWidth = 10
    private static let widestBar = 60

    func lines(of metrics: TransferMetrics) -> [String] {
        let all = metrics.transactions
        guard let first = all.first else { return [] }
        let blocks = [block(first, from: nil)] + all.dropFirst().map { block($0, from: first.fetchStart) }
        guard blocks.count > 2 * Self.shownAtEachEnd else { return blocks.flatMap(\.self) }
        let left = max(metrics.exchanges, all.count) - 2 * Self.shownAtEachEnd
        return blocks.prefix(Self.shownAtEachEnd).flatMap(\.self) + [
            fit("  \(glyphs.ellipsis) and \(left) more \(glyphs.ellipsis)")
        ]
            + blocks.suffix(Self.shownAtEachEnd).flatMap(\.self)
    }

    /// - Parameter start: the start of the first transaction; `nil` for that one.
    private func block(_ transaction: TransactionMetrics, from start: Double?) -> [String] {
        var lines = [fit("  " + title(transaction, from: start)), fit("    " + connection(transaction))]
        guard let begin = transaction.fetchStart, let end = transaction.responseEnd else { return lines }
        for stage in Self.stages(of: transaction) { lines.append(bar(stage, begin: begin, end: max(end, begin))) }
        return lines
    }

    private func title(_ transaction: TransactionMetrics, from start: Double?) -> String {
        var text = "\(transaction.method) \(TransferURL.displayed(transaction.url))"
        text += transaction.status.map { ": \($0)" } ?? ": no response"
        if let start, let begin = transaction.fetchStart { text += ", after \(TimeSpan.taken(begin - start))" }
        return text
    }

    private func connection(_ transaction: TransactionMetrics) -> String {
        if transaction.fetchType == .localCache { return "from the cache" }
        var parts = [
            transaction.protocolName, transaction.isReusedConnection ? "connection reused" : nil,
            transaction.isProxyConnection ? "proxy" : nil, transaction.isMultipath ? "multipath" : nil,
        ].compactMap { $0 }
        if let from = Self.endpoint(transaction.localAddress, transaction.localPort),
            let to = Self.endpoint(transaction.remoteAddress, transaction.remotePort)
        {
            parts.append("\(from) to \(to)")
        }
        parts += [transaction.tlsVersion, transaction.tlsCipher].compactMap { $0 }
        parts.append("\(transaction.requestHeaderBytes)+\(transaction.requestBodyBytesSent) bytes sent")
        parts.append("\(transaction.responseHeaderBytes)+\(transaction.responseBodyBytesReceived) received")
        return parts.joined(separator: ", ")
    }

    struct Stage: Equatable {
        var name: String
        var start: Double
        var end: Double
    }

    /// The stages that occurred, in order.
    static func stages(of transaction: TransactionMetrics) -> [Stage] {
        let tcpEnd = transaction.secureConnectionStart ?? transaction.connectEnd
        let rows: [(String, Double?, Double?)] = [
            ("name", transaction.domainLookupStart, transaction.domainLookupEnd),
            ("connect", transaction.connectStart, tcpEnd),
            ("TLS", transaction.secureConnectionStart, transaction.secureConnectionEnd),
            ("request", transaction.requestStart, transaction.requestEnd),
            ("wait", transaction.requestEnd, transaction.responseStart),
            ("response", transaction.responseStart, transaction.responseEnd),
        ]
        return rows.compactMap { name, start, end in
            guard let start, let end else { return nil }
            return Stage(name: name, start: start, end: max(start, end))
        }
    }

    private func bar(_ stage: Stage, begin: Double, end: Double) -> String {
        let time = TimeSpan.taken(stage.end - stage.start)
        let head =
            "    " + CellText.fit(stage.name, width: Self.labelWidth)
            + String(repeating: " ", count: max(0, Self.timeWidth - time.count)) + time
        let width = min(Self.widestBar, columns - 1 - CellWidth.of(head) - 3)
        guard width >= 8 else { return fit(head) }
        let (offset, length) = Self.place(stage, begin: begin, end: end, width: width)
        let caps = glyphs.bar == .ascii ? ("|", "|") : ("▕", "▏")
        return head + " " + caps.0 + String(repeating: " ", count: offset)
            + String(repeating: glyphs.bar == .ascii ? "#" : "█", count: length)
            + String(repeating: " ", count: width - offset - length) + caps.1
    }

    /// The columns of a bar: at least one, at most `width`.
    static func place(_ stage: Stage, begin: Double, end: Double, width: Int) -> (offset: Int, length: Int) {
        let span = end - begin
        guard span > 0, width > 0 else { return (0, min(1, width)) }
        func column(_ time: Double) -> Int { Int((min(1, max(0, (time - begin) / span)) * Double(width)).rounded()) }
        let offset = min(column(stage.start), width - 1)
        return (offset, max(1, column(stage.end) - offset))
    }

    private static func endpoint(_ address: String?, _ port: Int?) -> String? {
        guard let address, let port else { return nil }
        return address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }

    /// Sanitized and truncated to the width.
    private func fit(_ text: String) -> String {
        let clean = glyphs.shown(text)
        let width = max(1, columns - 1)
        return CellWidth.of(clean) <= width
            ? clean : CellText.fit(clean, width: width, ellipsis: .end, mark: glyphs.ellipsis)
    }
}
