// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization
import TransferControl
import TransferModel

/// Notifies the desktop of ends, unless a screen does.
final class ServiceNotices: Sendable {
    private struct State {
        var digest: EndDigest
        var activity = QueueActivity()
        var isScheduled = false
        var isAttended: @Sendable () -> Bool = { false }
    }

    private let state: Mutex<State>
    private let now: @Sendable () -> Double
    private let show: @Sendable (EndNotice) -> Void
    private let queue = DispatchQueue(label: "fileq.notices", qos: .utility)

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - show: must not block.
    init(
        _ settings: NotifySettings, now: @escaping @Sendable () -> Double,
        show: @escaping @Sendable (EndNotice) -> Void
    ) {
        state = Mutex(State(digest: EndDigest(settings, failure: MessageCatalog.failure(of:))))
        (self.now, self.show) = (now, show)
    }

    func setSettings(_ settings: NotifySettings) { state.withLock { $0.digest.settings = settings } }

    /// - Parameter isAttended: whether a screen notifies its user.
    func setAttended(_ isAttended: @escaping @Sendable () -> Bool) { state.withLock { $0.isAttended = isAttended } }

    func receive(_ update: QueueUpdate) {
        let due = state.withLock { state -> Double? in
            state.activity.receive(update)
            state.digest.receive(update, at: now())
            guard !state.isScheduled else { return nil }
            let due = dueIn(state)
            state.isScheduled = due != nil
            return due
        }
        if let due { schedule(due) }
    }

    private func dueIn(_ state: State) -> Double? { state.digest.dueIn(now(), isIdle: !state.activity.isActive) }

    private func schedule(_ seconds: Double) {
        queue.asyncAfter(deadline: .now() + seconds) { [weak self] in self?.check() }
    }

    private func check() {
        let (due, notice, isAttended) = state.withLock { state in
            var notice: EndNotice?
            if dueIn(state) == 0 {
                notice = state.digest.notice(at: now(), isIdle: !state.activity.isActive)
                if !state.digest.settings.usesDesktop { notice = nil }
            }
            let due = dueIn(state)
            state.isScheduled = due != nil
            return (due, notice, state.isAttended)
        }
        if let due { schedule(due) }
        if let notice, !isAttended() { show(notice) }
    }
}
