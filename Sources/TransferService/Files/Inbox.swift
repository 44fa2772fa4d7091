// SPDX-License-Identifier: MIT

import Synchronization

/// Passes reports of other threads to the engine, in order: a burst costs one wake-up. From any thread.
final class Inbox: Sendable {
    private let waiting = Mutex<[@EngineActor @Sendable () -> Void]>([])

    func post(_ report: @escaping @EngineActor @Sendable () -> Void) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(report)
            return waiting.count == 1
        }
        guard isFirst else { return }
        EngineActor.async { [self] in
            let reports = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for report in reports { report() }
        }
    }
}
