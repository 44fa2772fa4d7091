// SPDX-License-Identifier: MIT

import TransferModel

/// Totals over all transfers, updated incrementally, so that drawing a long queue is cheap.
struct Tally: Hashable, Sendable {
    private(set) var counts: [TransferState: Int] = [:]
    /// Bytes per second, per direction.
    private(set) var rateDown = 0
    private(set) var rateUp = 0
    /// Bytes of all finished and pending transfers with known size.
    private(set) var bytes: Int64 = 0
    private(set) var total: Int64 = 0
    /// The number of those without known size.
    private(set) var unknownSizes = 0
    /// Of each how much is done, in millionths.
    private var parts = 0
    /// Waiting, retrying, asking or failed.
    private(set) var problems = 0
    /// Remaining bytes that need no user action, per direction.
    private var leftDown: Int64 = 0
    private var leftUp: Int64 = 0
    /// How many running transfers have so many seconds to go.
    private var times: [Double: Int] = [:]

    subscript(state: TransferState) -> Int { counts[state] ?? 0 }

    var count: Int { counts.values.reduce(0, +) }
    var ended: Int { self[.completed] + self[.failed] + self[.cancelled] }
    /// Transfers that use the network now or will automatically.
    var active: Int { self[.running] + self[.verifying] + self[.waiting] + self[.retrying] }

    /// 0…1 of the known bytes; `nil` if none are known.
    var fraction: Double? { total > 0 ? min(1, Double(bytes) / Double(total)) : nil }

    /// 0…1: of the bytes if all sizes are known, else of the transfers, of each as much as is done.
    /// `nil` without any.
    var progress: Double? {
        if unknownSizes == 0, let fraction { return fraction }
        return count > 0 ? Double(parts) / 1e6 / Double(count) : nil
    }

    /// Not finished, and not running.
    var held: Int { self[.queued] + self[.waiting] + self[.retrying] + self[.paused] }
    /// What does not start without a network or a person.
    var halted: Int { self[.waiting] + self[.retrying] + self[.paused] }

    /// Seconds until the last known byte in the slower direction, and not less than any one takes; `nil` if it cannot
    /// be estimated.
    var knownLeft: Double? {
        guard leftDown + leftUp > 0 else { return nil }
        if leftDown > 0, rateDown == 0 { return nil }
        if leftUp > 0, rateUp == 0 { return nil }
        return max(
            times.keys.max() ?? 0, leftDown > 0 ? Double(leftDown) / Double(rateDown) : 0,
            leftUp > 0 ? Double(leftUp) / Double(rateUp) : 0)
    }

    mutating func add(_ transfer: Transfer) { count(transfer, 1) }
    mutating func remove(_ transfer: Transfer) { count(transfer, -1) }

    private mutating func count(_ transfer: Transfer, _ sign: Int) {
        counts[transfer.state, default: 0] += sign
        if QueueView.isProblem(transfer) { problems += sign }
        if let time = transfer.eta, time.isFinite, time >= 0 {
            let count = (times[time] ?? 0) + sign
            times[time] = count == 0 ? nil : count
        }
        if transfer.state == .running, let rate = transfer.rate, rate.isFinite, rate > 0, rate < 1e15 {
            if transfer.kind == .download { rateDown += sign * Int(rate) } else { rateUp += sign * Int(rate) }
        }
        guard transfer.state != .failed, transfer.state != .cancelled else { return }
        let part = transfer.state == .completed ? 1 : transfer.fraction ?? 0
        parts += sign * Int(part * 1e6)
        guard let size = transfer.total else {
            if transfer.state != .completed { unknownSizes += sign }
            return
        }
        let there = transfer.state == .completed ? size : min(max(0, transfer.bytes), size)
        let sign64 = Int64(sign)
        bytes &+= sign64 &* there
        total &+= sign64 &* size
        guard ![.paused, .waiting, .retrying].contains(transfer.state) else { return }
        if transfer.kind == .download {
            leftDown &+= sign64 &* (size - there)
        } else {
            leftUp &+= sign64 &* (size - there)
        }
    }
}
