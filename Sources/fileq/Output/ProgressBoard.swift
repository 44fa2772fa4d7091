// SPDX-License-Identifier: MIT

import TransferModel

/// What the bars show: the transfers under way, and sums over all of them that are kept up event by event.
struct ProgressBoard {
    /// A transfer that has just ended.
    struct Ended: Equatable {
        let transfer: TransferSnapshot
        /// Seconds since its first byte was asked for; `nil` for one that never started, or where that is not known.
        let elapsed: Double?
    }

    private struct Share {
        var bytes: Int64 = 0
        var total: Int64?
        var rate = 0.0
    }

    /// How many transfers there are in all.
    let count: Int
    /// Whether they are another process's, which began before they were watched and may go on afterwards: what they
    /// took is told by their own times, not by those of the events.
    let isWatching: Bool
    private(set) var completed = 0
    private(set) var failed = 0
    private(set) var cancelled = 0
    private(set) var bytes: Int64 = 0
    /// Bytes a second.
    private(set) var rate = 0.0
    private(set) var startedAt: Double?
    private(set) var endedAt: Double?
    private var total: Int64 = 0
    private var knownTotals = 0
    private var live: [TransferID: TransferSnapshot] = [:]
    private var started: [TransferID: Double] = [:]
    private var shares: [TransferID: Share] = [:]
    /// Of those that were watched to completion: by their own times.
    private var own: (start: Double, end: Double, bytes: Int64)?
    private var hasUnknownTimes = false

    init(count: Int, isWatching: Bool = false) {
        self.count = count
        self.isWatching = isWatching
    }

    /// Whether there is more to sum up than the line of one transfer.
    var hasSummary: Bool { count > 1 && (isWatching || startedAt != nil) }

    /// Bytes that moved and the seconds from the first start to the last end; `nil` where one of them is not known.
    var cost: (bytes: Int64, seconds: Double)? {
        if isWatching { return hasUnknownTimes ? nil : own.map { ($0.bytes, $0.end - $0.start) } }
        guard let startedAt, let endedAt else { return nil }
        return (bytes, endedAt - startedAt)
    }

    var ended: Int { completed + failed + cancelled }

    /// Bytes of all transfers, once the size of every one is known.
    var knownTotal: Int64? { knownTotals == count ? total : nil }

    /// By bytes where all sizes are known, else by transfers ended.
    var fraction: Double? {
        guard let knownTotal, knownTotal > 0 else { return count > 0 ? Double(ended) / Double(count) : nil }
        return min(1, Double(bytes) / Double(knownTotal))
    }

    /// Seconds to go, where they can be told.
    var eta: Double? {
        guard let knownTotal, rate > 0 else { return nil }
        return Double(max(0, knownTotal - bytes)) / rate
    }

    /// Those that are neither in line nor ended: the moving ones first, then by id; at most `limit`.
    func rows(limit: Int) -> [TransferSnapshot] {
        let sorted = live.values.sorted {
            ($0.state.occupiesPlace ? 0 : 1, $0.id) < ($1.state.occupiesPlace ? 0 : 1, $1.id)
        }
        return Array(sorted.prefix(limit))
    }

    var liveCount: Int { live.count }

    /// Whether the display changes by the clock alone.
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
            live[transfer.id] = transfer.state == .queued ? nil : transfer
            return nil
        }
        live[transfer.id] = nil
        endedAt = event.time
        switch transfer.state {
        case .completed: completed += 1
        case .failed: failed += 1
        default: cancelled += 1
        }
        let began = started.removeValue(forKey: transfer.id)
        if isWatching { return Ended(transfer: transfer, elapsed: noteOwnTimes(of: transfer)) }
        return Ended(transfer: transfer, elapsed: began.map { max(0, event.time - $0) })
    }

    /// - Returns: how long it took from its own start; `nil` where an earlier process began it, whose times are in its
    ///   attempts alone.
    private mutating func noteOwnTimes(of transfer: TransferSnapshot) -> Double? {
        guard let start = transfer.metrics?.taskStart, let end = transfer.metrics?.taskEnd ?? transfer.endedAt else {
            if transfer.state == .completed { hasUnknownTimes = true }
            return nil
        }
        if transfer.state == .completed {
            let moved = EndWords.moved(by: transfer)
            own = own.map { (min($0.start, start), max($0.end, end), $0.bytes + moved) } ?? (start, end, moved)
        }
        return max(0, end - start)
    }

    private mutating func updateShare(of transfer: TransferSnapshot) {
        let old = shares[transfer.id] ?? Share()
        var new = Share(bytes: transfer.bytes, total: transfer.total)
        if transfer.state == .running { new.rate = transfer.rate ?? 0 }
        // What has ended moves no further: its sum is what it moved.
        if transfer.state.isEnded { new.total = transfer.bytes }
        bytes += new.bytes - old.bytes
        total += (new.total ?? 0) - (old.total ?? 0)
        knownTotals += (new.total == nil ? 0 : 1) - (old.total == nil ? 0 : 1)
        rate = max(0, rate + new.rate - old.rate)
        shares[transfer.id] = new
    }
}
