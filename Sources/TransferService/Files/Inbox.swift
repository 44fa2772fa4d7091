// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization

/// Carries what other threads report to a dispatch queue, in order: a burst costs one wake-up. From any thread.
final class Inbox: Sendable {
    private let queue: DispatchQueue
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    init(_ queue: DispatchQueue) { self.queue = queue }

    func post(_ report: @escaping @Sendable () -> Void) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(report)
            return waiting.count == 1
        }
        guard isFirst else { return }
        queue.async { [self] in
            let reports = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for report in reports { report() }
        }
    }
}
