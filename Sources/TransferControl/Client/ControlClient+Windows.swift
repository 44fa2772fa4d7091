// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel

/// Rows of a list in the service, instead of the whole queue.
extension ControlClient {
    /// The rows as they are now.
    /// - Throws: code `usage` for a filter with a mistake, and for too many rows.
    package func window(_ request: WindowRequest) async throws -> QueueWindow {
        var window = QueueWindow()
        if let update = try await call(WindowCall(request)).window { window.apply(update) }
        return window
    }

    /// The rows and their changes, at most four a second: each update is applied to the same ``QueueWindow``.
    package func follow(_ request: WindowRequest) -> FollowedWindow {
        let number = makeNumber()
        let (updates, continuation) = AsyncStream.makeStream(of: WindowUpdate.self)
        continuation.onTermination = { [weak self] _ in self?.stopFollowing(number) }
        let isOpen = state.withLock { state in
            if state.failure == nil { state.windows[number] = continuation }
            return state.failure == nil
        }
        if isOpen {
            send(SubscribeCall(number, window: request), id: makeNumber()) { result in
                if case .failure = result { continuation.finish() }
            }
        } else {
            continuation.finish()
        }
        return FollowedWindow(updates: updates) { [weak self] request in
            guard let self else { return }
            send(WindowCall(request, subscription: number), id: makeNumber()) { _ in }
        }
    }

    private func stopFollowing(_ number: Int) {
        let isKnown = state.withLock { $0.windows.removeValue(forKey: number) != nil }
        if isKnown { send(UnsubscribeCall(subscription: number), id: makeNumber()) { _ in } }
    }
}

/// A window that a client follows. It ends when its updates are released, with the connection, and with the queue.
package struct FollowedWindow: Sendable {
    package let updates: AsyncStream<WindowUpdate>
    /// Replaces the window; all rows of the new one come as an update.
    package let move: @Sendable (WindowRequest) -> Void
}
