// SPDX-License-Identifier: MIT

public import TransferModel

/// An event of a stream task besides the completion of reads and writes.
package enum StreamEvent: Sendable, Hashable {
    /// No more bytes will be read: the peer's end was reached, or reading was closed. At most once.
    case readClosed
    /// The end was sent to the peer. At most once.
    case writeClosed
    /// Last, exactly once. `nil`: both directions had been closed.
    case completed(TransferError?)
}

/// Receives events of stream tasks (`URLSessionStreamDelegate`). Calls come on the session's delegate queue.
public protocol TransferStreamDelegate: TransferSessionDelegate {
    /// At most once, after the last read with bytes has completed.
    func session(_ session: TransferSession, readClosedFor task: StreamTask)
    /// At most once, after the last write has completed.
    func session(_ session: TransferSession, writeClosedFor task: StreamTask)
    /// The system now prefers another route to the peer (`betterRouteDiscovered`): a new stream task would use it. Once
    /// per route; needs ``TransferConfiguration/pathMonitor``.
    func session(_ session: TransferSession, betterRouteDiscoveredFor task: StreamTask)
    /// Exactly once, last.
    func session(_ session: TransferSession, streamTask: StreamTask, didComplete error: TransferError?)
}

extension TransferStreamDelegate {
    public func session(_ session: TransferSession, readClosedFor task: StreamTask) {}
    public func session(_ session: TransferSession, writeClosedFor task: StreamTask) {}
    public func session(_ session: TransferSession, betterRouteDiscoveredFor task: StreamTask) {}
    public func session(_ session: TransferSession, streamTask: StreamTask, didComplete error: TransferError?) {}
}
