// SPDX-License-Identifier: MIT

import Synchronization

/// Whether the service replies.
extension ControlClient {
    /// A call has been made.
    func watchReply(at now: Double) {
        guard options.replyingChanged != nil, let time = state.withLock({ $0.answers.callBegan(at: now) }) else {
            return
        }
        planReplyCheck(in: time - now)
    }

    private func planReplyCheck(in seconds: Double) {
        options.clock.schedule(max(0, seconds)) { [weak self] in
            guard let self else { return }
            let now = options.clock.now()
            let (hasCeased, next) = state.withLock { state in
                let oldest = state.calls.earliestDeadline.map { $0 - self.options.callTimeout }
                return state.answers.check(at: now, oldestCall: oldest)
            }
            if hasCeased { options.replyingChanged?(false) }
            if let next { planReplyCheck(in: next - now) }
        }
    }

    /// A message arrived.
    func messageReceived() {
        guard let changed = options.replyingChanged else { return }
        let now = options.clock.now()
        if state.withLock({ $0.answers.messageReceived(at: now) }) { changed(true) }
    }
}
