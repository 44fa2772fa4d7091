// SPDX-License-Identifier: MIT

import TransferModel

/// The data of the bars: running transfers, and totals updated with each event.
struct ProgressBoard {
    /// A transfer that has just ended.
    struct Ended: Equatable {
        let transfer: Transfer
        /// Seconds since its start; `nil` if it never started or the start is unknown.
        let elapsed: Double?
    }

    private struct Share {
        var bytes: Int64 = 0
        var total: Int64?
        var rate = 0.0
        /// How far it is, 0…1.
        var part = 0.0
    }

    /// The total number of transfers.
    let count: Int
    /// Whether the transfers belong to another process and may have started before and end later: their durations come
    /// from their own times, not from the events.
    let isWatching: Bool
    private(set) var completed = 0
    /// Of the completed ones, those of which nothing had to move.
    private(set) var unchanged = 0
    private(set) var failed = 0
    /// The first of them.
    private(set) var failures: [Transfer] = []
    private static let mostFailures = 20
    private(set) var cancelled = 0
    private(set) var bytes: Int64 = 0
    /// Bytes per second.
    private(set) var rate = 0.0
    private(set) var startedAt: Double?
    private(set) var endedAt: Double?
    /// Bytes of transfers that have ended.
    private var moved: Int64 = 0
    private var total: Int64 = 0
    private var knownTotals = 0
    /// The sum of all parts.
    private var parts = 0.0
    /// How many move bytes, and the most that did at once.
    private var moving = 0, mostMoving = 0
    private var live: [TransferID: Transfer] = [:]
    private var started: [TransferID: Double] = [:]
    private var shares: [TransferID: Share] = [:]
    /// Completed transfers, by their own times.
    private var own: (start: Double, end: Double, bytes: Int64)?
    private var hasUnknownTimes = false

    init(count: Int, isWatching: Bool = false) {
        self.count = count
        self.isWatching = isWatching
    }

    /// Whether a summary adds anything to the line of a single transfer.
    var hasSummary: Bool { count > 1 && (isWatching || startedAt != nil) }

    /// Bytes that moved over the network, and seconds from the first start to the last end; `nil` if one is unknown.
    var cost: (bytes: Int64, seconds: Double)? {
        if isWatching { return hasUnknownTimes ? nil : own.map { ($0.bytes, $0.end - $0.start) } }
        guard let startedAt, let endedAt else { return nil }
        return (moved, endedAt - startedAt)
    }

    var ended: Int { completed + failed + cancelled }

    /// Total bytes, if all sizes are known.
    var knownTotal: Int64? { knownTotals == count ? total : nil }

    /// By bytes if all sizes are known, else by transfers, each as far as it is.
    var fraction: Double? {
        guard let knownTotal, knownTotal > 0 else { return count > 0 ? min(1, parts / Double(count)) : nil }
        return min(1, Double(bytes) / Double(knownTotal))
    }

    /// Remaining seconds, if known.
    var eta: Double? {
        guard let knownTotal, rate > 0 else { return nil }
        return Double(max(0, knownTotal - bytes)) / rate
    }

    /// Transfers that are neither queued nor finished: moving ones first, then by ID. Of those that only await the
    /// disk, or are verified, no more than make as many lines as there were moving ones at once: small files pass in
    /// hundreds.
    var rows: [Transfer] {
        let sorted = live.values.sorted { (Self.rank($0), $0.id) < (Self.rank($1), $1.id) }
        let moving = sorted.prefix { Self.rank($0) == 0 }.count
        let settling = sorted.count { Self.rank($0) == 1 }
        let shown = min(settling, max(moving == 0 ? 1 : 0, mostMoving - moving))
        return Array(sorted[..<(moving + shown)] + sorted[(moving + settling)...])
    }

    private mutating func setLive(_ transfer: Transfer?, _ id: TransferID) {
        func isMoving(_ transfer: Transfer?) -> Int { transfer.map { Self.rank($0) == 0 ? 1 : 0 } ?? 0 }
        moving += isMoving(transfer) - isMoving(live[id])
        live[id] = transfer
        mostMoving = max(mostMoving, moving)
    }

    private static func rank(_ transfer: Transfer) -> Int {
        switch transfer.state {
        case .running: transfer.kind == .download && transfer.total.map { transfer.bytes >= $0 } == true ? 1 : 0
        case .verifying: 1
        case .queued, .waiting, .retrying, .paused, .completed, .failed, .cancelled: 2
        }
    }

    var liveCount: Int { live.count }

    /// Whether the display changes with time alone.
    var showsTime: Bool { live.values.contains { $0.state == .retrying || $0.state == .waiting } }

    /// - Returns: the transfer, if this event was its end.
    mutating func take(_ event: TransferEvent) -> Ended? {
        let transfer = event.transfer
        updateShare(of: transfer)
        if transfer.state != .queued, started[transfer.id] == nil {
            started[transfer.id] = event.time
            startedAt = startedAt ?? event.time
        }
        guard transfer.state.isEnded else {
            setLive(transfer.state == .queued ? nil : transfer, transfer.id)
            return nil
        }
        setLive(nil, transfer.id)
        endedAt = event.time
        moved += ResultText.moved(by: transfer)
        switch transfer.state {
        case .completed:
            completed += 1
            if ResultText.isUnchanged(transfer) { unchanged += 1 }
        case .failed:
            failed += 1
            if failures.count < Self.mostFailures { failures.append(transfer) }
        default: cancelled += 1
        }
        let began = started.removeValue(forKey: transfer.id)
        if isWatching { return Ended(transfer: transfer, elapsed: noteOwnTimes(of: transfer)) }
        return Ended(transfer: transfer, elapsed: began.map { max(0, event.time - $0) })
    }

    /// - Returns: the duration since its start; `nil` if an earlier process started it.
    private mutating func noteOwnTimes(of transfer: Transfer) -> Double? {
        let metrics = transfer.metrics
        let end = metrics?.taskEnd ?? transfer.endedAt
        let start = metrics?.taskStart ?? end.flatMap { end in transfer.duration.map { end - $0 } }
        guard let start, let end else {
            if transfer.state == .completed { hasUnknownTimes = true }
            return nil
        }
        if transfer.state == .completed {
            let moved = ResultText.moved(by: transfer)
            own = own.map { (min($0.start, start), max($0.end, end), $0.bytes + moved) } ?? (start, end, moved)
        }
        return max(0, end - start)
    }

    private mutating func updateShare(of transfer: Transfer) {
        let old = shares[transfer.id] ?? Share()
        var new = Share(bytes: transfer.bytes, total: transfer.total)
        if transfer.state == .running { new.rate = transfer.rate ?? 0 }
        // A finished transfer's total is what it transferred.
        if transfer.state.isEnded { new.total = transfer.bytes }
        new.part = transfer.state.isEnded ? 1 : transfer.fraction ?? 0
        parts += new.part - old.part
        bytes += new.bytes - old.bytes
        total += (new.total ?? 0) - (old.total ?? 0)
        knownTotals += (new.total == nil ? 0 : 1) - (old.total == nil ? 0 : 1)
        rate = max(0, rate + new.rate - old.rate)
        shares[transfer.id] = new
    }
}
