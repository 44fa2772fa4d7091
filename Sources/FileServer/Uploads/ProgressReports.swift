// SPDX-License-Identifier: MIT

import NIOPosix
import Synchronization

/// Syncs an upload from time to time while it is received; the offset then counts as processed.
final class ProgressReports: Sendable {
    private struct State {
        var last: Duration?
        var isRunning = false
        var result: Result<Int64, any Error>?
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let interval: Duration
    private let state = Mutex(State())

    init(interval: Double) { self.interval = .seconds(interval) }

    /// Begins a sync, unless one is running or the last one was a moment ago.
    func start(now: Duration, pool: NIOThreadPool, _ sync: @escaping @Sendable () throws -> Int64) {
        let isDue = state.withLock { state in
            guard let last = state.last else {
                state.last = now
                return false
            }
            guard !state.isRunning, state.result == nil, now - last >= interval else { return false }
            state.last = now
            state.isRunning = true
            return true
        }
        guard isDue else { return }
        pool.submit { _ in
            let result = Result { try sync() }
            let waiting = self.state.withLock { state in
                state.isRunning = false
                state.result = result
                defer { state.waiting = nil }
                return state.waiting
            }
            waiting?.resume()
        }
    }

    /// The synced offset, once for each sync.
    func reached() throws -> Int64? {
        try state.withLock { state in
            defer { state.result = nil }
            return state.result
        }?.get()
    }

    /// Returns when no sync is running.
    func end() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.isRunning { state.waiting = continuation }
                return !state.isRunning
            }
            if isIdle { continuation.resume() }
        }
    }
}
