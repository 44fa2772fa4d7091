// SPDX-License-Identifier: MIT

import Dispatch
import TransferModel

/// The way of a task's events to whoever listens: always through the session's delegate queue, in order.
struct TaskObserver: Sendable {
    enum Listener: Sendable {
        /// The session's delegate, looked up with the task when an event is delivered.
        case delegate
        /// One closure for all events.
        case closure(@Sendable (TaskEvent) -> Void)
    }

    let queue: DispatchQueue
    let listener: Listener
    let session: WeakSession

    /// A session lives as long as it has tasks; the reference only must not keep it alive beyond that.
    final class WeakSession: Sendable {
        weak let value: TransferSession?
        init(_ session: TransferSession) { value = session }
    }

    func deliver(_ events: [TaskEvent], of identifier: Int, before: (@Sendable () -> Void)? = nil,
                 after: (@Sendable () -> Void)? = nil) {
        let held = session.value
        queue.async {
            before?()
            switch listener {
            case .closure(let closure): events.forEach(closure)
            case .delegate: held?.tellDelegate(events, of: identifier)
            }
            after?()
        }
    }
}
