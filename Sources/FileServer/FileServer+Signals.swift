// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Platform
import Synchronization

extension FileServer {
    /// As ``run(onListening:)``, until one of `signals` arrives: the first one stops it gracefully, a second one ends
    /// the process immediately by its default action. The same one within a moment counts once.
    /// - Parameter onSignal: called once, when it begins to stop.
    /// - Returns: the signal, or `nil` if the task was cancelled.
    package func run(
        untilSignal signals: [Int32],
        onListening: @escaping @Sendable (Int) async -> Void = { _ in },
        onSignal: @escaping @Sendable () -> Void = {}
    ) async throws -> Int32? {
        let (registered, registration) = AsyncStream<Void>.makeStream()
        let serving = Task {
            // Dispatch takes a signal's action over some time after `resume`. Who has heard that the server listens may
            // send a signal, which the default action must not have.
            for await _ in registered.prefix(signals.count) {}
            try await run(onListening: onListening)
        }
        let (caught, continuation) = AsyncStream<Int32>.makeStream()
        let received = Mutex(StopSignals())
        let queue = DispatchQueue(label: "fileq.serve.signals", qos: .userInteractive)
        let sources = signals.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setRegistrationHandler { registration.yield() }
            source.setEventHandler {
                switch received.withLock({ $0.receive(number, at: SystemClock.monotonic) }) {
                case .stop:
                    // On another thread: `onSignal` must not delay the second signal.
                    DispatchQueue.global().async {
                        onSignal()
                        continuation.yield(number)
                        continuation.finish()
                        serving.cancel()
                    }
                case .ignore: break
                case .end:
                    for number in signals { signal(number, SIG_DFL) }
                    kill(getpid(), number)
                }
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
