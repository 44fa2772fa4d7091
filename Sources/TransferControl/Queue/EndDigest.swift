// SPDX-License-Identifier: MIT

package import TransferModel

/// A notification of ends. Its texts are raw.
package struct EndNotice: Sendable, Hashable {
    package var title: String
    /// Empty if the title says all.
    package var body: String

    package init(title: String, body: String) { (self.title, self.body) = (title, body) }
}

/// Makes notifications of the ends of transfers: one for those that end together, and one when the whole queue has
/// ended. No I/O; times are seconds since 1970.
package struct EndDigest: Sendable {
    /// Seconds that the first end waits for others.
    static let patience = 1.0
    /// Seconds between two notifications, unless the queue has ended.
    static let pause = 10.0

    package var settings: NotifySettings
    /// Why a transfer failed.
    private let failure: @Sendable (Transfer) -> String?
    /// To be reported.
    private var pending = Ends()
    /// The ends since the queue was last idle.
    private var batch = Ends()
    private var firstAt: Double?
    private var noticeAt = -Double.infinity

    private struct Ends: Sendable {
        var completed = 0
        var failed = 0
        var bytes: Int64 = 0
        /// When the first of them was started.
        var began = Double.infinity
        var names: [String] = []
        /// The detail of the latest end.
        var detail = ""

        var count: Int { completed + failed }
        var text: String {
            let parts = [completed > 0 ? "\(completed) completed" : nil, failed > 0 ? "\(failed) failed" : nil]
            return parts.compactMap(\.self).joined(separator: ", ")
        }

        mutating func add(_ transfer: Transfer, began start: Double, detail: String) {
            if transfer.state == .failed { failed += 1 } else { completed += 1 }
            bytes += max(0, transfer.total ?? transfer.bytes)
            began = min(began, start)
            if names.count < 3 { names.append(transfer.displayName) }
            self.detail = detail
        }
    }

    package init(_ settings: NotifySettings, failure: @escaping @Sendable (Transfer) -> String?) {
        (self.settings, self.failure) = (settings, failure)
    }

    /// Takes the ends among `update`.
    package mutating func receive(_ update: QueueUpdate, at now: Double) {
        guard case .events(let events) = update else { return }
        for event in events where event.name == .completed || event.name == .failed { ended(event.transfer, at: now) }
    }

    private mutating func ended(_ transfer: Transfer, at now: Double) {
        let began = transfer.metrics?.taskStart ?? transfer.addedAt
        let size = max(0, transfer.total ?? transfer.bytes)
        let hasFailed = transfer.state == .failed
        let detail = hasFailed ? failure(transfer) ?? "" : ByteCount.short(Double(size))
        batch.add(transfer, began: began, detail: detail)
        let duration = (transfer.endedAt ?? now) - began
        if hasFailed || isReported(size: size, duration: duration) {
            pending.add(transfer, began: began, detail: detail)
        }
        firstAt = firstAt ?? now
    }

    private func isReported(size: Int64, duration: Double) -> Bool {
        size >= settings.leastSize && duration >= settings.leastDuration
    }

    /// Seconds until ``notice(at:isIdle:)`` is due; `nil`: nothing has ended.
    /// - Parameter isIdle: whether the queue has nothing left to do.
    package func dueIn(_ now: Double, isIdle: Bool) -> Double? {
        guard let firstAt else { return nil }
        let due = firstAt + Self.patience
        return max(0, (isIdle ? due : max(due, noticeAt + Self.pause)) - now)
    }

    /// The notification of what has ended since the last call; `nil` if it is too small to be reported.
    package mutating func notice(at now: Double, isIdle: Bool) -> EndNotice? {
        defer {
            (firstAt, pending) = (nil, Ends())
            if isIdle { batch = Ends() }
        }
        var notice: EndNotice?
        if isIdle, batch.count > 1 {
            if pending.count > 0 || isReported(size: batch.bytes, duration: now - batch.began) {
                notice = EndNotice(title: "All transfers have ended", body: batch.text)
            }
        } else if pending.count == 1 {
            notice = EndNotice(
                title: "\(pending.names[0]) \(pending.failed > 0 ? "failed" : "completed")", body: pending.detail)
        } else if pending.count > 1 {
            let others = pending.count - pending.names.count
            let more = others > 0 ? ["\(others) more"] : []
            notice = EndNotice(title: pending.text, body: (pending.names + more).joined(separator: ", "))
        }
        if notice != nil { noticeAt = now }
        return notice
    }
}
