// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization

/// Work of which only some may run at a time. Other requests wait in order: as many as may, and not for long.
final class WorkGate: Sendable {
    private struct State {
        var running = 0
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var last = 0
    }

    private let width: Int
    private let mostWaiting: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - width: how many run at a time.
    ///   - mostWaiting: further requests are refused at once.
    init(width: Int, mostWaiting: Int) {
        self.width = width
        self.mostWaiting = mostWaiting
    }

    /// Requests that wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs `work` when it may.
    /// - Throws: 503 if too many wait, or after `patience`; a cancellation; what `work` throws.
    func run<Result: Sendable>(atMost patience: Duration, _ work: () async throws -> Result) async throws -> Result {
        guard await enter(atMost: patience) else {
            try Task.checkCancellation()
            throw Self.busy
        }
        defer { leave() }
        return try await work()
    }

    static let busy = Refusal(
        .serviceUnavailable, "the server is busy with other such requests; try again", headers: [.retryAfter: "5"])

    /// - Returns: false if it may not: ``leave()`` does not follow then.
    private func enter(atMost patience: Duration) async -> Bool {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        return await TurnWait.run(atMost: patience) { continuation in
            state.withLock { state -> Bool? in
                guard !Task.isCancelled else { return false }
                guard state.running >= width else {
                    state.running += 1
                    return true
                }
                guard state.waiting.count < mostWaiting else { return false }
                state.waiting.append((number, continuation))
                return nil
            }
        } giveUp: {
            self.giveUp(number)
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard !state.waiting.isEmpty else {
                state.running -= 1
                return nil
            }
            // Its place is handed over.
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }

    private func giveUp(_ number: Int) {
        let continuation = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
        }
        continuation?.resume(returning: false)
    }
}
