// SPDX-License-Identifier: MIT

import Synchronization

/// Update streams over one connection, each with its own subscription.
extension ControlClient {
    /// See ``QueueClient/updates(of:)``. Listening begins with this call: changes by later calls are reported. The
    /// stream also ends with the connection; see ``failure``.
    package func updates(of session: String?) -> AsyncStream<QueueUpdate> {
        UpdateFeed(limit: options.updateLimit, session: session).stream(listen: subscribe, leave: unsubscribe)
    }

    @Sendable private func subscribe(_ feed: UpdateFeed) {
        let number = makeNumber()
        state.withLock { state in
            if state.failure == nil { state.feeds[number] = feed }
        }
        send(SubscribeCall(number, session: feed.session), id: makeNumber()) { [weak self] result in
            guard case .failure = result else { return }
            self?.state.withLock { $0.feeds[number] = nil }
            feed.finish()
        }
    }

    @Sendable private func unsubscribe(_ feed: UpdateFeed) {
        let number = state.withLock { state in
            let number = state.feeds.first { $0.value === feed }?.key
            if let number { state.feeds[number] = nil }
            return number
        }
        // The reply is ignored, as are messages before it.
        if let number { send(UnsubscribeCall(subscription: number), id: makeNumber()) { _ in } }
    }

    func received(_ message: WireUpdate, bytes: Int) {
        let (feed, window) = state.withLock { ($0.feeds[message.subscription], $0.windows[message.subscription]) }
        switch message.content {
        case .update(let update):
            if let feed, feed.push(update, cost: bytes) { unsubscribe(feed) }
        case .window(let update): window?.yield(update)
        case .ended:
            guard feed != nil || window != nil else { return }
            state.withLock { state in
                (state.feeds[message.subscription], state.windows[message.subscription]) = (nil, nil)
                state.hasAnnouncedEnd = true
            }
            feed?.finish()
            window?.finish()
        }
    }
}
