// SPDX-License-Identifier: MIT

import TransferModel

/// What the bars show: the transfers under way, and sums over all of them that are kept up event by event.
struct ProgressBoard {
    /// A transfer that has just ended.
    struct Ended: Equatable {
        let transfer: TransferSnapshot
        /// Seconds since its first byte was asked for; `nil` for one that never started.
        let elapsed: Double?
    }

    private struct Share {
        var bytes: Int64 = 0
        var total: Int64?
        var rate = 0.0
    }

    /// How many transfers there are in all.
    let count: Int
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

    init(count: Int) {
        self.count = count
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
        return Ended(transfer: transfer, elapsed: began.map { max(0, event.time - $0) })
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
