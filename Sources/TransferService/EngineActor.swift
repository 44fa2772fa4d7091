// SPDX-License-Identifier: MIT

import Dispatch

/// Isolates the state of the engine and its runs on a serial dispatch queue, which is also the session's delegate
/// queue. The compiler checks the isolation.
///
/// A process has one queue of transfers and therefore one such actor; the queues of tests share it. Post work to its
/// dispatch queue instead of awaiting it: posting keeps the order in which sessions, lanes and stores report.
@globalActor actor EngineActor {
    static let shared = EngineActor()
    static let queue = DispatchQueue(label: "fileq.engine")

    private final class Executor: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }

        func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
    }

    private static let executor = Executor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

    /// Runs `body` on the actor. Bodies run in the order of the calls.
    static func async(_ body: @escaping @EngineActor @Sendable () -> Void) {
        queue.async { assumeIsolated(body) }
    }

    /// - Parameter pause: in seconds.
    static func async(after pause: Double, _ body: @escaping @EngineActor @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + pause) { assumeIsolated(body) }
    }

    /// Must not be called from the actor itself.
    static func sync<Value: Sendable>(_ body: @EngineActor () -> Value) -> Value {
        queue.sync { assumeIsolated(body) }
    }

    /// For code that runs on ``queue`` without the compiler's knowledge, like a session's delegate. Traps elsewhere.
    static func assumeIsolated<Value>(_ body: @EngineActor () throws -> Value) rethrows -> Value {
        dispatchPrecondition(condition: .onQueue(queue))
        // As MainActor.assumeIsolated(_:) of the standard library does.
        return try withoutActuallyEscaping(body) { try unsafeBitCast($0, to: (() throws -> Value).self)() }
    }
}
