// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Threads for work that may never end, such as reading a folder of a server that does not respond: each piece of work
/// has its own, so that none waits for another.
package final class SideThreads: Sendable {
    /// The most that may hang at once.
    private let limit: Int
    private let count = Mutex(0)

    package init(limit: Int = 8) { self.limit = limit }

    /// - Returns: whether `work` was started; otherwise too many hang, or there is no thread.
    package func start(_ work: @escaping @Sendable () -> Void) -> Bool {
        let mayStart = count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        guard mayStart else { return false }
        let box = Unmanaged.passRetained(
            Box { [self] in
                work()
                count.withLock { $0 -= 1 }
            })
        var thread = pthread_t()
        let started = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().work() }
                return nil
            }, box.toOpaque())
        guard started == 0 else {
            box.release()
            count.withLock { $0 -= 1 }
            return false
        }
        pthread_detach(thread)
        return true
    }

    private final class Box: Sendable {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
}
