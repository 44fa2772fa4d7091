// SPDX-License-Identifier: MIT

import TransferModel

/// The name of a transfer in line-based output.
enum TransferName {
    /// The last component of its path, or all within an uploaded folder; a word for a stream.
    static func short(_ transfer: Transfer) -> String {
        guard transfer.file != "-" else { return transfer.kind == .download ? "standard output" : "standard input" }
        if let path = transfer.pathWithinUpload { return path }
        return transfer.file.lastPathPart.map(String.init) ?? TransferURL.displayedForPeople(transfer.url)
    }
}

/// The state as text, if the figures do not show it.
enum StateNote {
    /// `nil` while bytes move.
    static func text(of transfer: Transfer, now: Double, separator: String = "·") -> String? {
        let reason = MessageCatalog.reason(of: transfer).map { ": \($0)" } ?? ""
        switch transfer.state {
        case .waiting:
            guard let since = transfer.waitingSince else { return "waiting" + reason }
            return "waiting \(TimeSpan.clock(now - since))"
                + (MessageCatalog.reason(of: transfer).map { " \(separator) \($0)" } ?? "")
        case .retrying:
            guard let retryAt = transfer.retryAt, retryAt > now else { return "retrying" + reason }
            return "retrying in \(TimeSpan.short(retryAt - now)) (attempt \(transfer.attempt))" + reason
        case .paused: return "paused" + reason
        case .verifying: return "checking"
        case .running where transfer.kind == .upload && transfer.total.map { transfer.bytes >= $0 } == true:
            return "waiting for the server"
        case .queued, .running, .completed, .failed, .cancelled: return nil
        }
    }

    /// The same, and shorter forms that keep the cause; longest first, empty while bytes move.
    static func texts(of transfer: Transfer, now: Double, separator: String = "·") -> [String] {
        guard let whole = text(of: transfer, now: now, separator: separator) else { return [] }
        let causes = causes(of: transfer)
        switch transfer.state {
        case .waiting:
            let time = transfer.waitingSince.map { "waiting \(TimeSpan.clock(now - $0)) \(separator) " } ?? "waiting: "
            return [whole] + causes.map { time + $0 } + causes.map { "waits: \($0)" }
        case .retrying:
            guard let retryAt = transfer.retryAt, retryAt > now else {
                return [whole] + causes.map { "retrying: \($0)" }
            }
            let pause = TimeSpan.short(retryAt - now)
            return [whole] + causes.map { "retrying in \(pause) (attempt \(transfer.attempt)): \($0)" }
                + causes.map { "\($0), again in \(pause)" }
        case .paused: return [whole] + causes.map { "paused: \($0)" }
        default: return [whole]
        }
    }

    /// Of waiting or failing, in a few words, longest first.
    static func causes(of transfer: Transfer) -> [String] {
        // The server alone is enough only where the key that helps stands beside it.
        if transfer.state == .paused, case .login(let login)? = transfer.question {
            let words = MessageCatalog.short(login)
            return [words.whole, words.least]
        }
        return MessageCatalog.brief(of: transfer).map { $0.allSatisfy(\.isNumber) ? "HTTP \($0)" : $0 }
    }
}

/// The permanent lines: result, metrics and summary.
enum ResultText {
    /// `1.00G in 1:23, 12.3M/s, resumed at byte 1048576`
    static func success(_ ended: ProgressBoard.Ended) -> String {
        let transfer = ended.transfer
        let moved = moved(by: transfer)
        var text = ByteCount.short(Double(transfer.bytes))
        if let note = MessageCatalog.reason(of: transfer), moved == 0 { return "\(text), \(note)" }
        if transfer.kind == .download, transfer.metrics?.exchanges == 0 {
            return "\(text), already present with this checksum"
        }
        if let elapsed = ended.elapsed { text += " in \(TimeSpan.taken(elapsed))\(rate(moved, elapsed))" }
        if let place = transfer.finalURL, let url = try? TransferURL(place) {
            text += ", \(transfer.kind == .download ? "from" : "to") \(url.scheme)://\(url.authority)"
        }
        if let from = transfer.metrics?.resumedFrom, from > 0 {
            text += ", resumed at byte \(from) (\(ByteCount.short(Double(moved))) moved)"
        }
        if let notice = MessageCatalog.reason(of: transfer) { text += "; \(notice)" }
        return text
    }

    /// `✓ disk.iso  1.00G in 1:23, 12.3M/s`
    static func line(_ ended: ProgressBoard.Ended, _ signs: TerminalGlyphs) -> String {
        let isDone = ended.transfer.state == .completed
        let sign = isDone ? signs.done : signs.failed
        let words = isDone ? success(ended) : failure(ended.transfer)
        return "\(sign)\(sign.isEmpty ? "" : " ")\(TransferName.short(ended.transfer))  \(words)"
    }

    /// The failures once more, where lines of other files have followed on them; at most so many as a screen has.
    static func failures(_ board: ProgressBoard, _ signs: TerminalGlyphs) -> [String] {
        guard board.failed > 0, board.ended > repeatsFrom else { return [] }
        let others = board.failed - board.failures.count
        return board.failures.map { line(.init(transfer: $0, elapsed: nil), signs) }
            + (others > 0 ? ["\(signs.ellipsis) and \(others) more"] : [])
    }

    private static let repeatsFrom = 10

    /// Whether nothing was fetched or sent, since nothing had changed.
    static func isUnchanged(_ transfer: Transfer) -> Bool {
        guard transfer.state == .completed, moved(by: transfer) == 0 else { return false }
        return transfer.note != nil || transfer.kind == .download && transfer.metrics?.exchanges == 0
    }

    /// Bytes of the body transferred over the network, if known.
    static func moved(by transfer: Transfer) -> Int64 {
        transfer.metrics.map { transfer.kind == .download ? $0.bodyReceived : $0.bodySent } ?? transfer.bytes
    }

    /// `failed: example.org: connection refused`
    static func failure(_ transfer: Transfer) -> String {
        switch transfer.state {
        case .cancelled:
            "stopped" + (transfer.bytes > 0 ? " at \(ByteCount.short(Double(transfer.bytes)))" : "")
                + (MessageCatalog.reason(of: transfer).map { ": \($0)" } ?? "")
        default:
            "failed: "
                + (MessageCatalog.failure(of: transfer) ?? MessageCatalog.reason(of: transfer) ?? "no reason given")
        }
    }

    /// The first line that `-v` adds: protocol, address, exchanges and times in milliseconds.
    static func metrics(_ metrics: TransferMetrics) -> String {
        var parts = [metrics.protocolName, metrics.remoteAddress].compactMap { $0 }
        parts.append(metrics.resumedFrom > 0 ? "resumed from byte \(metrics.resumedFrom)" : "from the start")
        parts.append(metrics.exchanges == 1 ? "1 exchange" : "\(metrics.exchanges) exchanges")
        if metrics.redirects > 0 {
            parts.append(metrics.redirects == 1 ? "1 redirect" : "\(metrics.redirects) redirects")
        }
        if metrics.isReusedConnection { parts.append("connection reused") }
        let stages = [
            ("name", metrics.nameLookup), ("connect", metrics.connect), ("TLS", metrics.tls),
            ("first byte", metrics.firstByte), ("all", metrics.total),
        ]
        for case (let name, let seconds?) in stages { parts.append("\(name) \(TimeSpan.taken(seconds))") }
        return parts.joined(separator: ", ")
    }

    /// `10 transfers: 9 done, 1 failed; 1.20G in 1:23, 14.5M/s`
    static func summary(_ board: ProgressBoard) -> String {
        var parts: [String] = []
        if board.completed > board.unchanged { parts.append("\(board.completed - board.unchanged) done") }
        if board.unchanged > 0 { parts.append("\(board.unchanged) unchanged") }
        if board.failed > 0 { parts.append("\(board.failed) failed") }
        let rest = board.count - board.completed - board.failed
        if board.isWatching {
            let left = rest - board.cancelled
            if board.cancelled > 0 { parts.append("\(board.cancelled) cancelled") }
            if left > 0 { parts.append(left == 1 ? "1 continues" : "\(left) continue") }
        } else if rest > 0 {
            parts.append("\(rest) stopped")
        }
        var text = "\(board.count) transfers: " + parts.joined(separator: ", ")
        if let cost = board.cost, cost.bytes == 0, board.bytes > 0 {
            text += "; nothing moved"
        } else if let cost = board.cost {
            let moved = "\(ByteCount.short(Double(cost.bytes))) in \(TimeSpan.taken(cost.seconds))"
            text += "; \(moved)\(rate(cost.bytes, cost.seconds))"
        }
        return text
    }

    private static func rate(_ bytes: Int64, _ seconds: Double) -> String {
        seconds > 0.001 && bytes > 0 ? ", \(ByteCount.short(Double(bytes) / seconds))/s" : ""
    }
}
