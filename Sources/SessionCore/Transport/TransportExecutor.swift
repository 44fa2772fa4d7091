// SPDX-License-Identifier: MIT

package import Dispatch

/// The one thread, or serial queue, on which a transport calls its handlers. Sessions change what belongs to their
/// tasks there and nowhere else, so that a decision on a head needs neither a lock nor another thread.
public protocol TransportExecutor: SerialExecutor {
    /// Runs `work` once, after everything posted before and never inside a call of a handler. From any thread. It runs
    /// after ``Transport/shutDown()`` too, and no longer where the program ends.
    func post(_ work: @escaping @Sendable () -> Void)
}

extension TransportExecutor {
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        post { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// For transports that call their handlers on a dispatch queue.
package final class QueueExecutor: TransportExecutor {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()
    package let queue: DispatchQueue

    package init(label: String) {
        queue = DispatchQueue(label: label)
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }

    package func post(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Whether the caller runs on the queue.
    package var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }
    package func isIsolatingCurrentContext() -> Bool? { isCurrent }
    package func checkIsolated() { precondition(isCurrent, "not on the transport's queue") }
}
