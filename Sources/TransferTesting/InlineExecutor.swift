// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import SessionCore
import Synchronization

/// Runs posted work immediately on the posting thread, one job at a time, so that a test finds it done. Work posted
/// from a job runs after that job.
package final class InlineExecutor: TransportExecutor {
    private let turn = DispatchSemaphore(value: 1)
    private let owner = Atomic<UInt>(0)
    private let later = Mutex<[@Sendable () -> Void]>([])

    package init() {}

    package func post(_ work: @escaping @Sendable () -> Void) {
        if isCurrent { return later.withLock { $0.append(work) } }
        run(work)
    }

    /// Waits until it is done.
    package func run<Value>(_ work: () -> Value) -> Value {
        if isCurrent { return work() }
        turn.wait()
        owner.store(UInt(pthread_self()), ordering: .relaxed)
        defer {
            owner.store(0, ordering: .relaxed)
            turn.signal()
        }
        let value = work()
        while let next = later.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { next() }
        return value
    }

    private var isCurrent: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }
    package func isIsolatingCurrentContext() -> Bool? { isCurrent }
    package func checkIsolated() { precondition(isCurrent, "not inside the executor") }
}
