// SPDX-License-Identifier: MIT

import Synchronization

/// Whether the service replies.
extension ControlClient {
    /// See ``QueueClient/replying()``. While the stream has a listener, an idle service is pinged every
    /// ``Options/pingInterval``. The stream ends with the connection.
    public func replying() -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        let number = makeNumber()
        // Called while the cancelled task is locked, for which `yield` waits: the state, which is locked for `yield`,
        // may not be waited for here.
        continuation.onTermination = { [weak self] _ in
            Task { self?.state.withLock { $0.answerListeners[number] = nil } }
        }
        let startsPinging = state.withLock { state in
            guard state.failure == nil else {
                continuation.finish()
                return false
            }
            continuation.yield(state.answers.isAnswering)
            state.answerListeners[number] = continuation
            defer { state.isPinging = true }
            return !state.isPinging
        }
        if startsPinging { ping() }
        return stream
    }

    private func ping() {
        let now = options.clock.now()
        let (continues, isDue) = state.withLock { state in
            guard state.failure == nil, !state.answerListeners.isEmpty else {
                state.isPinging = false
                return (false, false)
            }
            return (true, state.calls.count == 0 && now - state.answers.lastMessageAt >= options.pingInterval)
        }
        guard continues else { return }
        // An older service replies that the method is unknown, which is a reply.
        if isDue { send(PingCall(), id: makeNumber()) { _ in } }
        options.clock.schedule(options.pingInterval) { [weak self] in self?.ping() }
    }

    /// A call has been made.
    func watchReply(at now: Double) {
        let checkTime = state.withLock { state in
            options.replyingChanged != nil || !state.answerListeners.isEmpty ? state.answers.callBegan(at: now) : nil
        }
        if let checkTime { planReplyCheck(in: checkTime - now) }
    }

    private func planReplyCheck(in seconds: Double) {
        options.clock.schedule(max(0, seconds)) { [weak self] in
            guard let self else { return }
            let now = options.clock.now()
            let (hasCeased, next) = state.withLock { state in
                let oldest = state.calls.earliestDeadline.map { $0 - self.options.callTimeout }
                let result = state.answers.check(at: now, oldestCall: oldest)
                if result.hasCeased { for listener in state.answerListeners.values { listener.yield(false) } }
                return result
            }
            if hasCeased { options.replyingChanged?(false) }
            if let next { planReplyCheck(in: next - now) }
        }
    }

    /// A message arrived.
    func messageReceived() {
        let now = options.clock.now()
        let repliesAgain = state.withLock { state in
            let repliesAgain = state.answers.messageReceived(at: now)
            if repliesAgain { for listener in state.answerListeners.values { listener.yield(true) } }
            return repliesAgain
        }
        if repliesAgain { options.replyingChanged?(true) }
    }
}
