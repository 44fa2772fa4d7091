// SPDX-License-Identifier: MIT

import Dispatch

/// What the engine and its runs are isolated to: a serial dispatch queue, which is the session's delegate queue too.
/// The compiler checks that nothing of them is used elsewhere.
///
/// A process has one queue of transfers, and so one such actor; queues of tests share it. Work is posted to its
/// dispatch queue rather than awaited: posting keeps the order of what sessions, lanes and stores report.
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

    /// In the order of the calls.
    static func async(_ body: @escaping @EngineActor @Sendable () -> Void) {
        queue.async { assumeIsolated(body) }
    }

    /// - Parameter pause: in seconds.
    static func async(after pause: Double, _ body: @escaping @EngineActor @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + pause) { assumeIsolated(body) }
    }

    /// Not from the actor itself.
    static func sync<Value: Sendable>(_ body: @EngineActor () -> Value) -> Value {
        queue.sync { assumeIsolated(body) }
    }

    /// For what is called on ``queue`` without the compiler knowing, as a session's delegate is. Traps elsewhere.
    static func assumeIsolated<Value>(_ body: @EngineActor () throws -> Value) rethrows -> Value {
        dispatchPrecondition(condition: .onQueue(queue))
        // As MainActor.assumeIsolated(_:) of the standard library does.
        return try withoutActuallyEscaping(body) { try unsafeBitCast($0, to: (() throws -> Value).self)() }
    }
}
