// SPDX-License-Identifier: MIT

import Dispatch
import Glibc

extension FileServer {
    /// As ``run(onListening:)``, until one of `signals` arrives: the first one stops it gracefully and restores the
    /// default actions, so that a second one ends the process immediately.
    /// - Parameter onSignal: called once, when it begins to stop.
    /// - Returns: the signal, or `nil` if the task was cancelled.
    package func run(
        untilSignal signals: [Int32],
        onListening: @escaping @Sendable (Int) async -> Void = { _ in },
        onSignal: @escaping @Sendable () -> Void = {}
    ) async throws -> Int32? {
        let serving = Task { try await run(onListening: onListening) }
        let (caught, continuation) = AsyncStream<Int32>.makeStream()
        let sources = signals.map { number in
            // Ignored, or the default action would run first.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                for number in signals { signal(number, SIG_DFL) }
                onSignal()
                continuation.yield(number)
                continuation.finish()
                serving.cancel()
            }
            source.resume()
            return source
        }
        defer {
            for source in sources { source.cancel() }
            for number in signals { signal(number, SIG_DFL) }
        }
        try await withTaskCancellationHandler {
            try await serving.value
        } onCancel: {
            serving.cancel()
        }
        continuation.finish()
        return await caught.first { _ in true }
    }
}
