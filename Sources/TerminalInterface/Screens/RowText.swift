// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// What a row states of a transfer that does not move.
struct RowText: Hashable {
    /// Longest first; where none fits, the last is cut at its end.
    var texts: [String]
    var style: Style
    /// Whether the progress stays beside it.
    var isBesideBar = false

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

    init(texts: [String], style: Style, isBesideBar: Bool = false) {
        (self.texts, self.style, self.isBesideBar) = (texts, style, isBesideBar)
    }

    /// `nil` for a transfer that moves.
    init?(_ transfer: Transfer, _ around: Surroundings) {
        let brief = around.words.brief(transfer)
        switch transfer.state {
        case .running:
            guard let texts = Self.idle(transfer, around) else { return nil }
            self.init(texts: texts, style: .warning, isBesideBar: true)
        case .verifying: self.init(texts: ["checking"], style: .moving)
        case .queued:
            let isRetry = transfer.attempt > 1 && !brief.isEmpty
            self.init(texts: Self.queued(transfer, brief, around), style: isRetry ? .warning : .plain)
        case .waiting:
            let time = transfer.waitingSince.map { TimeText.clock(around.now - $0) }
            let whole = brief.flatMap { cause in time.map { ["waits \($0) · \(cause)"] } ?? [] }
            let texts = brief.isEmpty ? [time.map { "waits \($0)" } ?? "waits"] : whole + brief
            self.init(texts: texts, style: .warning)
        case .retrying: self.init(texts: Self.retrying(transfer, brief, around), style: .warning)
        case .paused: self = Self.paused(transfer, brief, around.keys)
        case .completed: self.init(texts: Self.completed(transfer, brief, around), style: .faint)
        case .failed where transfer.failedOnExistingFile:
            let (replace, both) = (around.keys.replace, around.keys.keepBoth)
            let keys = (both.map { ["\($0) both, \(replace) replace"] } ?? []) + ["press \(replace)"]
            let asks = brief.prefix(1).flatMap { cause in keys.map { "\(cause) · \($0)" } }
            self.init(texts: asks + brief, style: .failure)
        case .failed: self.init(texts: brief.isEmpty ? ["failed"] : brief, style: .failure)
        case .cancelled: self.init(texts: Self.cancelled(transfer) + ["cancelled"], style: .faint)
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

    /// The cause matters more than the number of the attempt.
    private static func retrying(_ transfer: Transfer, _ brief: [String], _ around: Surroundings) -> [String] {
        guard let time = transfer.retryAt else { return brief + ["try \(transfer.attempt)"] }
        guard time > around.now else { return next(transfer, brief) }
        let wait = TimeText.clock((time - around.now).rounded(.up))
        let number = "try \(transfer.attempt) in \(wait)"
        return brief.map { "\(number) · \($0)" } + brief.map { "in \(wait) · \($0)" } + [number, "in \(wait)"]
    }

    /// Due, but without a slot: the same before and after the service has said that it is queued.
    private static func next(_ transfer: Transfer, _ brief: [String]) -> [String] {
        let number = "try \(transfer.attempt) next"
        return brief.map { "\(number) · \($0)" } + brief.map { "next · \($0)" } + [number, "next"]
    }

    private static func queued(_ transfer: Transfer, _ brief: [String], _ around: Surroundings) -> [String] {
        let holdup = around.holdup(of: transfer)
        if case .time(let time, in: let span) = holdup { return ["at \(time), in \(span)", "at \(time)"] }
        if !brief.isEmpty, transfer.attempt > 1 { return next(transfer, brief) }
        let waits: [String] =
            switch holdup {
            case .next: ["queued · next", "next"]
            case .host(let host, _): ["queued · slot of \(host)", "queued · slot", "queued"]
            case .slots: ["queued · for a slot", "queued · slot", "queued"]
            case .predecessors(let ids): ["queued · after \(TransferID.list(ids))", "queued · later", "queued"]
            case .others: ["queued · when nothing else runs", "queued · when idle", "queued"]
            default: ["queued"]
            }
        return brief.map { "queued · \($0)" } + waits
    }

    private static func paused(_ transfer: Transfer, _ brief: [String], _ keys: InterfaceWords.Keys) -> RowText {
        func asks(_ key: String, _ verb: String) -> RowText {
            let texts = ["press \(key) to \(verb)", "press \(key)"]
            return RowText(texts: brief.map { "\(texts[0]) · \($0)" } + texts, style: .warning)
        }
        switch transfer.question {
        case .trust: return asks(keys.trust, "decide")
        case .login: return asks(keys.login, "log in")
        case nil where transfer.pausedBy == .queue:
            return RowText(texts: ["paused with the queue", "paused"], style: .faint, isBesideBar: true)
        case nil where brief.isEmpty: return RowText(texts: ["paused"], style: .faint, isBesideBar: true)
        case nil: return RowText(texts: brief.map { "paused · \($0)" } + brief, style: .warning)
        }
    }

    private static func completed(_ transfer: Transfer, _ brief: [String], _ around: Surroundings) -> [String] {
        guard let end = transfer.endedAt else { return ["done"] }
        let time = around.clock.text(end, now: around.now)
        return brief.map { "\(time) · \($0)" } + (taken(transfer).map { ["\(time) in \($0)"] } ?? []) + [time, "done"]
    }

    /// Seconds that a finished transfer took; `nil` if unknown.
    static func seconds(_ transfer: Transfer) -> Double? {
        transfer.duration ?? transfer.metrics.map { $0.duration ?? $0.total }
    }

    /// The same as text.
    static func taken(_ transfer: Transfer) -> String? {
        seconds(transfer).map(TimeSpan.taken)
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
