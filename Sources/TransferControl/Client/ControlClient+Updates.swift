// SPDX-License-Identifier: MIT

import Synchronization

/// Streams of updates over one connection, each a subscription of its own.
extension ControlClient {
    /// See ``QueueClient/updates()``. Listening begins with this call: what calls made after it change comes as
    /// changes. The stream also ends when the connection does; ``failure`` tells the two apart.
    public func updates() -> AsyncStream<QueueUpdate> { updates(session: nil) }

    public func updates(of session: String) -> AsyncStream<QueueUpdate> { updates(session: session) }

    private func updates(session: String?) -> AsyncStream<QueueUpdate> {
        let listener = Listener(client: self, feed: UpdateFeed(limit: options.updateLimit, session: session))
        subscribe(listener.feed)
        return AsyncStream {
            await listener.next()
        } onCancel: {
            listener.stop()
        }
    }

    /// What a stream holds. When the stream goes, so does its subscription.
    private final class Listener: Sendable {
        let client: ControlClient
        let feed: UpdateFeed

        init(client: ControlClient, feed: UpdateFeed) {
            self.client = client
            self.feed = feed
        }

        deinit { stop() }

        func next() async -> QueueUpdate? { await feed.next { client.subscribe(feed) } }

        func stop() {
            client.unsubscribe(feed)
            feed.finish()
        }
    }

    private func subscribe(_ feed: UpdateFeed) {
        let number = makeNumber()
        state.withLock { state in
            if state.failure == nil { state.feeds[number] = feed }
        }
        send(.subscribe(number, session: feed.session), id: makeNumber()) { [weak self] result in
            guard case .failure = result else { return }
            self?.state.withLock { $0.feeds[number] = nil }
            feed.finish()
        }
    }

    private func unsubscribe(_ feed: UpdateFeed) {
        let number = state.withLock { state in
            let number = state.feeds.first { $0.value === feed }?.key
            if let number { state.feeds[number] = nil }
            return number
        }
        // Nobody waits for the answer; messages that come before it find nobody.
        if let number { send(.unsubscribe(number), id: makeNumber()) { _ in } }
    }

    func received(_ message: WireUpdate, bytes: Int) {
        guard let feed = state.withLock({ $0.feeds[message.subscription] }) else { return }
        switch message.content {
        case .update(let update): if feed.push(update, bytes: bytes) { unsubscribe(feed) }
        case .ended:
            state.withLock { state in
                state.feeds[message.subscription] = nil
                state.hasToldItsEnd = true
            }
            feed.finish()
        }
    }
}
