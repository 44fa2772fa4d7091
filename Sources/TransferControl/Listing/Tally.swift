// SPDX-License-Identifier: MIT

package import TransferModel

/// Totals over all transfers, updated incrementally, so that drawing a long queue is cheap.
package struct Tally: Hashable, Sendable {
    /// The contribution of one transfer.
    struct Share: Hashable, Sendable {
        var state: TransferState
        var isProblem: Bool
        var isUpload: Bool
        /// Queued, with a time to start at.
        var isScheduled: Bool
        /// Seconds to go.
        var time: Double?
        /// Bytes per second.
        var rate = 0
        /// In millionths.
        var part = 0
        var bytes: Int64 = 0
        /// `nil`: unknown.
        var size: Int64?

        init(_ transfer: Transfer) {
            state = transfer.state
            isProblem = transfer.isProblem
            isUpload = transfer.kind == .upload
            isScheduled = state == .queued && transfer.earliestBegin != nil
            if let eta = transfer.eta, eta.isFinite, eta >= 0 { time = eta }
            if state == .running, let rate = transfer.rate, rate.isFinite, rate > 0, rate < 1e15 {
                self.rate = Int(rate)
            }
            guard state != .failed, state != .cancelled else { return }
            part = Int((state == .completed ? 1 : transfer.fraction ?? 0) * 1e6)
            size = transfer.total
            if let size { bytes = state == .completed ? size : min(max(0, transfer.bytes), size) }
        }
    }

    /// In the order of the states.
    private var counts = Array(repeating: 0, count: TransferState.allCases.count)
    /// Bytes per second, per direction.
    package private(set) var rateDown = 0
    package private(set) var rateUp = 0
    /// Running uploads.
    package private(set) var runningUp = 0
    /// Bytes of all finished and pending transfers with known size.
    package private(set) var bytes: Int64 = 0
    package private(set) var total: Int64 = 0
    /// The number of those without known size.
    package private(set) var unknownSizes = 0
    /// The sum of the done parts of all transfers, in millionths.
    private var parts = 0
    /// Waiting, retrying, asking or failed.
    package private(set) var problems = 0
    /// Of the queued ones, those with a time to start at.
    package private(set) var scheduled = 0
    /// Remaining bytes that need no user action, per direction.
    private var leftDown: Int64 = 0
    private var leftUp: Int64 = 0
    /// How many running transfers have so many seconds to go.
    private var times: [Double: Int] = [:]

    package init() {}

    package subscript(state: TransferState) -> Int { counts[Self.place(state)] }

    private static func place(_ state: TransferState) -> Int {
        switch state {
        case .queued: 0
        case .running: 1
        case .waiting: 2
        case .retrying: 3
        case .paused: 4
        case .verifying: 5
        case .completed: 6
        case .failed: 7
        case .cancelled: 8
        }
    }

    package var count: Int { counts.reduce(0, +) }
    package var ended: Int { self[.completed] + self[.failed] + self[.cancelled] }
    /// Transfers that use the network now or will automatically.
    package var active: Int { self[.running] + self[.verifying] + self[.waiting] + self[.retrying] }

    /// 0…1 of the known bytes; `nil` if none are known.
    package var fraction: Double? { total > 0 ? min(1, Double(bytes) / Double(total)) : nil }

    /// 0…1: of the bytes if all sizes are known, else of the transfers, of each as much as is done.
    /// `nil` without any.
    package var progress: Double? {
        if unknownSizes == 0, let fraction { return fraction }
        return count > 0 ? Double(parts) / 1e6 / Double(count) : nil
    }

    /// The number of transfers that wait for a network, a time or the user.
    package var halted: Int { self[.waiting] + self[.retrying] + self[.paused] }

    /// Seconds until the last known byte in the slower direction, and not less than any one takes; `nil` if it cannot
    /// be estimated.
    package var knownLeft: Double? {
        guard leftDown + leftUp > 0 else { return nil }
        if leftDown > 0, rateDown == 0 { return nil }
        if leftUp > 0, rateUp == 0 { return nil }
        return leastLeft
    }

    /// The time left over the directions that are moving, a lower bound for all; `nil` if nothing moves.
    package var leastLeft: Double? {
        guard leftDown + leftUp > 0 else { return nil }
        func time(_ bytes: Int64, _ rate: Int) -> Double? {
            bytes > 0 && rate > 0 ? Double(bytes) / Double(rate) : nil
        }
        return [times.keys.max(), time(leftDown, rateDown), time(leftUp, rateUp)].compactMap(\.self).max()
    }

    package mutating func add(_ transfer: Transfer) { add(Share(transfer)) }
    package mutating func remove(_ transfer: Transfer) { remove(Share(transfer)) }

    mutating func add(_ share: Share) { count(share, 1) }
    mutating func remove(_ share: Share) { count(share, -1) }

    private mutating func count(_ share: Share, _ sign: Int) {
        counts[Self.place(share.state)] += sign
        if share.isProblem { problems += sign }
        if share.isScheduled { scheduled += sign }
        if share.isUpload, share.state == .running { runningUp += sign }
        if let time = share.time {
            let count = (times[time] ?? 0) + sign
            times[time] = count == 0 ? nil : count
        }
        if share.isUpload { rateUp += sign * share.rate } else { rateDown += sign * share.rate }
        guard share.state != .failed, share.state != .cancelled else { return }
        parts += sign * share.part
        guard let size = share.size else {
            if share.state != .completed { unknownSizes += sign }
            return
        }
        let sign64 = Int64(sign)
        bytes &+= sign64 &* share.bytes
        total &+= sign64 &* size
        guard ![.paused, .waiting, .retrying].contains(share.state) else { return }
        if share.isUpload {
            leftUp &+= sign64 &* (size - share.bytes)
        } else {
            leftDown &+= sign64 &* (size - share.bytes)
        }
    }
}
