// SPDX-License-Identifier: MIT

import TerminalInterface
import TransferControl
import TransferModel

/// A transfer as lines of name and value, then its attempts. No I/O.
struct InfoLayout {
    private let glyphs: TerminalGlyphs
    private let columns: Int
    private let isForPeople: Bool
    private let link: FileLink?
    /// The escaping of names and text from the network.
    private let shown: @Sendable (String) -> String
    /// The format of times, in seconds since 1970.
    private let time: @Sendable (Double) -> String

    /// - Parameters:
    ///   - screen: the terminal; `nil`: for a program, with unescaped names and UTC.
    ///   - localTime: the reader's time zone.
    init(screen: QueueScreen?, localTime: LocalTime) {
        let glyphs = screen?.traits.glyphs ?? .unicode
        (self.glyphs, columns) = (glyphs, screen?.columns ?? 100)
        (isForPeople, link) = (screen != nil, screen?.link)
        if screen == nil {
            shown = { LineText.escaped($0) }
            time = { Timestamp.text($0) }
        } else {
            shown = { glyphs.shown($0) }
            time = { localTime.text($0) }
        }
    }

    /// - Parameter partialSize: bytes that the partial file seems to have; those of parts that are missing are among
    ///   them.
    func lines(of info: TransferInfo, partialSize: Int64? = nil) -> [String] {
        let mirrors = (info.mirrors ?? []).map { ("mirror", TransferURL.displayedForPeople($0)) }
        // Unless it is extended.
        let expiry = info.uploadExpires.map { [("kept until", "\(time($0)) by the server")] } ?? []
        let stored = info.ranges?.stored.reduce(0) { $0 + Int64($1.count) } ?? info.transfer.bytes
        let partial = partialSize.flatMap { size in
            size > stored ? ("part file", "\(size) bytes long, of which \(stored) are stored") : nil
        }
        let rows = facts(info.transfer) + [partial].compactMap(\.self) + expiry + mirrors + ranges(info.ranges)
        var lines = rows.map { name, value in
            let text = shown(value)
            let linked = name == "file" ? link?.text(text, for: info.transfer) ?? text : text
            return name + String(repeating: " ", count: max(1, 12 - name.count)) + linked
        }
        let attempts = info.attempts ?? []
        for (index, attempt) in attempts.enumerated() {
            let isLast = index == attempts.indices.last
            let unended = isLast ? Self.standing(info.transfer.state) : "interrupted"
            lines += self.lines(of: attempt, info.transfer.id, unended: unended)
        }
        if attempts.isEmpty, let metrics = info.transfer.metrics {
            lines.append("  " + shown(ResultText.metrics(metrics)))
            lines += Waterfall(glyphs: glyphs, columns: columns).lines(of: metrics)
        }
        return lines
    }

    /// Half-open, as the bytes of attempts. On a terminal not more of them than a few lines hold.
    private func ranges(_ ranges: TransferRanges?) -> [(String, String)] {
        guard let ranges else { return [] }
        let most = isForPeople ? 12 : Int.max
        func words(_ list: [Range<Int64>]) -> String {
            guard !list.isEmpty else { return "none" }
            let shown = list.prefix(most).map { "\($0.lowerBound) to \($0.upperBound)" }
            let others = list.count - shown.count
            return "bytes " + shown.joined(separator: ", ") + (others > 0 ? ", and \(others) more ranges" : "")
        }
        let requested = ranges.requested.isEmpty ? [] : [("requested", words(ranges.requested))]
        return [("stored", words(ranges.stored))] + requested
    }

    /// Omits unknown values.
    private func facts(_ transfer: Transfer) -> [(String, String)] {
        let rows: [(String, String?)] = [
            ("id", transfer.id.description),
            ("kind", transfer.kind.rawValue),
            ("state", transfer.state.rawValue),
            ("address", TransferURL.displayedForPeople(transfer.url)),
            (
                "downloaded from",
                transfer.kind == .download ? transfer.finalURL.map(TransferURL.displayedForPeople) : nil
            ),
            ("uploaded to", transfer.kind == .upload ? transfer.finalURL.map(TransferURL.displayedForPeople) : nil),
            ("file", transfer.file),
            ("progress", progress(transfer)),
            ("confirmed", transfer.confirmed.map { "\($0) bytes" }),
            ("resumable by", transfer.uploadProtocol.map(UploadCarrier.words)),
            ("status", transfer.httpStatus.map(String.init)),
            ("reason", MessageCatalog.reason(of: transfer)),
            ("advice", MessageCatalog.advice(for: transfer)),
            ("question", transfer.question.map(MessageCatalog.summary)),
            ("error", transfer.error.map { words($0, of: transfer.id) }),
            ("waiting", transfer.waitingSince.map { "since \(time($0))" }),
            ("next attempt", transfer.retryAt.map(time)),
            ("limit", transfer.rateLimit.map { RateText.label($0) + "/s" }),
            ("priority", transfer.priority.map(PriorityStep.word)),
            ("not before", transfer.earliestBegin.map(time)),
            ("after", transfer.after.map { TransferID.list($0) }),
            (
                "network",
                transfer.isDiscretionary == true ? "only one without cost, while no other transfer runs" : nil
            ),
            ("session", transfer.session),
            ("words", transfer.taskDescription),
            ("batch", transfer.batch?.name),
            ("added", time(transfer.addedAt)),
            ("ended", transfer.endedAt.map(time)),
            ("took", transfer.duration.map(TimeSpan.taken)),
        ]
        return rows.compactMap { name, value in value.map { (name, $0) } }
    }

    private func progress(_ transfer: Transfer) -> String {
        var text = transfer.total.map { "\(transfer.bytes) of \($0) bytes" } ?? "\(transfer.bytes) bytes"
        if let percent = ListFigures.percent(transfer) { text = "\(percent), \(text)" }
        if let rate = ListFigures.rate(transfer) { text += ", \(rate)" }
        if let left = ListFigures.left(transfer, glyphs) { text += ", \(left) left" }
        if let connections = transfer.connections { text += ", \(connections) connections" }
        return text
    }

    /// Of the last attempt, as long as it has no end.
    private static func standing(_ state: TransferState) -> String {
        switch state {
        case .running, .verifying: "still running"
        case .queued, .waiting, .retrying, .paused: state.rawValue
        case .completed, .failed, .cancelled: "interrupted"
        }
    }

    private func words(_ error: TransferError, of id: TransferID) -> String {
        "\(MessageCatalog.queuedText(error, of: id)) (\(error.code.rawValue), \(error.code.name))"
    }

    /// - Parameters:
    ///   - id: of the transfer.
    ///   - unended: what is said instead of the time it took.
    private func lines(of attempt: TransferAttempt, _ id: TransferID, unended: String) -> [String] {
        var head =
            "attempt \(attempt.number): \(time(attempt.startedAt)), bytes \(attempt.firstByte) to \(attempt.lastByte)"
        if let status = attempt.status { head += ", status \(status)" }
        if let ended = attempt.endedAt {
            head += ", " + TimeSpan.taken(max(0, ended - attempt.startedAt))
        } else {
            head += ", \(unended)"
        }
        var lines = ["", shown(head), "  " + shown(TransferURL.displayedForPeople(attempt.url))]
        if let error = attempt.error { lines.append("  " + shown(words(error, of: id))) }
        if let metrics = attempt.metrics {
            lines.append("  " + shown(ResultText.metrics(metrics)))
            lines += Waterfall(glyphs: glyphs, columns: columns).lines(of: metrics)
        }
        return lines
    }
}
