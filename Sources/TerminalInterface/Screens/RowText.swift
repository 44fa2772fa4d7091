// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// What a row states of a transfer that does not move, in place of rate and time.
struct RowText: Hashable {
    /// Longest first; where none fits, the last is cut at its end.
    var texts: [String]
    var style: Style

    /// What a row depends on beside its transfer.
    struct Surroundings: Sendable {
        /// Seconds since 1970.
        var now: Double
        var clock: LocalClock
        var words: InterfaceWords
        var keys = KeyMap.standard.words
        /// Shown as `~`.
        var homeFolder: String?
        /// The transfer that starts next.
        var next: TransferID?
        /// Of ``slots``.
        var takenSlots = 0
        var slots = Int.max
        /// Slots of a host.
        var perHost: Int?
        /// The hosts that have all of these.
        var fullHosts: Set<String> = []
        /// Seconds since 1970 of the last byte of each running transfer.
        var lastMoved: [TransferID: Double] = [:]
    }

    /// Seconds without a byte after which a row says so.
    static let silence = 10.0

    /// `nil` for a transfer that moves.
    init?(_ transfer: Transfer, _ around: Surroundings) {
        let brief = around.words.brief(transfer)
        switch transfer.state {
        case .running:
            guard let texts = Self.idle(transfer, around) else { return nil }
            (self.texts, style) = (texts, .warning)
        case .verifying: (texts, style) = (["checking"], .moving)
        case .queued:
            texts = Self.queued(transfer, brief, around)
            style = transfer.attempt > 1 && !brief.isEmpty ? .warning : .plain
        case .waiting:
            let time = transfer.waitingSince.map { TimeText.clock(around.now - $0) }
            let whole = brief.flatMap { cause in time.map { ["waits \($0): \(cause)"] } ?? [] }
            texts = brief.isEmpty ? [time.map { "waits \($0)" } ?? "waits"] : whole + brief
            style = .warning
        case .retrying:
            let start = transfer.retryAt.map {
                $0 > around.now ? "in \(TimeText.clock(($0 - around.now).rounded(.up)))" : "next"
            }
            let number = "retry \(transfer.attempt)" + (start.map { " \($0)" } ?? "")
            // The cause matters more than the number.
            let time = start.map { "retry " + ($0.hasPrefix("in ") ? String($0.dropFirst(3)) : $0) }
            texts = brief.map { "\(number): \($0)" }
            texts += time.map { time in brief.map { "\(time): \($0)" } } ?? []
            texts += [number] + [time].compactMap(\.self)
            style = .warning
        case .paused: (texts, style) = Self.paused(transfer, brief, around.keys)
        case .completed: (texts, style) = (Self.completed(transfer, brief, around), .done)
        case .failed:
            texts = (brief.isEmpty ? ["failed"] : brief).map { "✗ \($0)" }
            style = .failure
        case .cancelled:
            (texts, style) = (Self.cancelled(transfer) + ["cancelled"], .faint)
        }
    }

    /// The longest text of at most `columns`; `nil` if none fits.
    func fitting(_ columns: Int) -> String? { texts.first { CellWidth.of($0) <= columns } }

    private static func idle(_ transfer: Transfer, _ around: Surroundings) -> [String]? {
        switch around.holdup(of: transfer) {
        case .response(let time): ["awaits server \(time)", "awaits \(time)", "awaits"]
        case .silence(let time, isUpload: _): ["no data \(time)", "no data"]
        default: nil
        }
    }

    private static func queued(_ transfer: Transfer, _ brief: [String], _ around: Surroundings) -> [String] {
        let holdup = around.holdup(of: transfer)
        if case .time(let time, in: let span) = holdup { return ["at \(time), in \(span)", "at \(time)"] }
        if !brief.isEmpty, transfer.attempt > 1 {
            // Due, but without a slot: the same as before the service said that it is queued.
            let number = "retry \(transfer.attempt) next"
            return brief.map { "\(number): \($0)" } + brief.map { "retry next: \($0)" } + [number, "retry next"]
        }
        let waits: [String] =
            switch holdup {
            case .next: ["queued: next", "next"]
            case .host(let host, _): ["queued: slot of \(host)", "queued: slot", "queued"]
            case .slots: ["queued: for a slot", "queued: slot", "queued"]
            case .predecessors(let ids): ["queued: after \(TransferID.list(ids))", "queued: later", "queued"]
            case .others: ["queued: when nothing else runs", "queued: when idle", "queued"]
            default: ["queued"]
            }
        return brief.map { "queued: \($0)" } + waits
    }

    private static func paused(
        _ transfer: Transfer, _ brief: [String], _ keys: InterfaceWords.Keys
    ) -> ([String], Style) {
        switch transfer.question {
        case .trust: (brief.map { "! \(keys.trust) trust? \($0)" } + ["! \(keys.trust) trust?"], .warning)
        case .login: (brief.map { "! \(keys.login) log in: \($0)" } + ["! \(keys.login) log in"], .warning)
        case nil where transfer.pausedBy == .queue: (["paused with the queue", "paused"], .faint)
        case nil: brief.isEmpty ? (["paused"], .faint) : (brief.map { "paused: \($0)" } + brief, .warning)
        }
    }

    private static func completed(_ transfer: Transfer, _ brief: [String], _ around: Surroundings) -> [String] {
        guard let end = transfer.endedAt else { return ["✓ done"] }
        let time = around.clock.text(end, now: around.now)
        let whole = taken(transfer).map { ["✓ \(time), in \($0)"] } ?? []
        return brief.map { "✓ \(time), \($0)" } + whole + ["✓ \(time)", "✓ done", "✓"]
    }

    /// Seconds that a finished transfer took; `nil` if unknown.
    static func seconds(_ transfer: Transfer) -> Double? {
        transfer.duration ?? transfer.metrics.map { $0.duration ?? $0.total }
    }

    /// The same as text.
    static func taken(_ transfer: Transfer) -> String? {
        seconds(transfer).map(TimeText.taken)
    }

    private static func cancelled(_ transfer: Transfer) -> [String] {
        let bytes = transfer.keptBytes
        if bytes > 0 { return kept(bytes).map { "cancelled, \($0) kept" } }
        guard transfer.losesBytes else { return [] }
        let size = ByteCount.short(Double(transfer.bytes))
        return ["cancelled, \(size) not resumable", "cancelled, not resumable"]
    }

    /// `6.00M`, and with a digit less.
    private static func kept(_ bytes: Int64) -> [String] {
        let size = ByteCount.short(Double(bytes))
        let digits = size.prefix { $0.isNumber || $0 == "." }
        guard digits.count == 4, digits.contains(".") else { return [size] }
        var fewer = digits.dropLast()
        if fewer.last == "." { fewer.removeLast() }
        return [size, String(fewer) + String(size.dropFirst(4))]
    }
}
