// SPDX-License-Identifier: MIT

import Synchronization

/// Exclusive access to an upload. A new request ends the one before it: as clients send one request at a time, the
/// earlier one is a connection that its client has given up.
final class UploadAccess: Sendable {
    /// Held by one request.
    struct Lease: Sendable, Equatable {
        fileprivate let number: Int
    }

    private struct State {
        var holder: Int?
        /// Ends the holder's connection.
        var end: (@Sendable () -> Void)?
        var waiting: [(number: Int, end: @Sendable () -> Void, continuation: CheckedContinuation<Bool, Never>)] = []
        var last = 0
        var isEnded = false
    }

    private let state = Mutex(State())

    /// Ends the current holder, and returns when it has released the upload.
    /// - Parameter end: ends this request when the next one arrives: called at most once, from any thread.
    /// - Returns: `nil` if the holder keeps the upload for longer than `patience`.
    func acquire(atMost patience: Duration, end: @escaping @Sendable () -> Void) async -> Lease? {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        let isGranted = await TurnWait.run(atMost: patience) { continuation in
            let (isGranted, endHolder) = state.withLock { state -> (Bool?, (@Sendable () -> Void)?) in
                guard !Task.isCancelled else { return (false, nil) }
                guard state.holder != nil else {
                    state.holder = number
                    state.end = end
                    state.isEnded = false
                    return (true, nil)
                }
                state.waiting.append((number, end, continuation))
                defer { state.isEnded = true }
                return (nil, state.isEnded ? nil : state.end)
            }
            endHolder?()
            return isGranted
        } giveUp: {
            self.giveUp(number)
        }
        return isGranted ? Lease(number: number) : nil
    }

    /// - Returns: `nil` if a request holds it.
    func acquireIfFree() -> Lease? {
        state.withLock { state in
            guard state.holder == nil else { return nil }
            state.last += 1
            state.holder = state.last
            state.end = {}
            state.isEnded = false
            return Lease(number: state.last)
        }
    }

    /// Requests that wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Whether a later request waits for this one to end.
    func isEnded(_ lease: Lease) -> Bool { state.withLock { $0.holder == lease.number && $0.isEnded } }

    func release(_ lease: Lease) {
        let (next, end) = state.withLock { state -> (CheckedContinuation<Bool, Never>?, (@Sendable () -> Void)?) in
            guard state.holder == lease.number else { return (nil, nil) }
            guard !state.waiting.isEmpty else {
                state.holder = nil
                state.end = nil
                return (nil, nil)
            }
            let next = state.waiting.removeFirst()
            state.holder = next.number
            state.end = next.end
            state.isEnded = !state.waiting.isEmpty
            return (next.continuation, state.isEnded ? next.end : nil)
        }
        next?.resume(returning: true)
        end?()
    }

    private func giveUp(_ number: Int) {
        let continuation = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
        }
        continuation?.resume(returning: false)
    }
}
