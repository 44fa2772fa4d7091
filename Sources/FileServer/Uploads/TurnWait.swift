// SPDX-License-Identifier: MIT

/// Suspends a task until its turn comes, for so long, or until it is cancelled.
enum TurnWait {
    /// - Parameters:
    ///   - enter: the turn, if that is decided at once; `nil`: the continuation waits in line. Called once, on this
    ///     task; a cancelled task must not wait.
    ///   - giveUp: resumes the continuation with false if it still waits. Called any number of times, on any thread.
    static func run(
        atMost patience: Duration, enter: (CheckedContinuation<Bool, Never>) -> Bool?,
        giveUp: @escaping @Sendable () -> Void
    ) async -> Bool {
        var timer: Task<Void, any Error>?
        defer { timer?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let hasTurn = enter(continuation) { return continuation.resume(returning: hasTurn) }
                // Not before it waits: there would be nothing yet that gives up.
                timer = Task {
                    try await Task.sleep(for: patience)
                    giveUp()
                }
            }
        } onCancel: {
            giveUp()
        }
    }
}
