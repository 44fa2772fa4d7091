// SPDX-License-Identifier: MIT

public import TransferModel

/// Something that happened to a stream task beside the answers to its reads and writes.
public enum StreamEvent: Sendable, Hashable {
    /// No more bytes will be read: the peer sent its end and all before it has been read, or reading was closed here.
    /// At most once.
    case readClosed
    /// The peer has been told that no more bytes come. At most once.
    case writeClosed
    /// Last, exactly once. `nil`: both directions had been closed.
    case completed(TransferError?)
}

/// Hears of stream tasks (`URLSessionStreamDelegate`). Calls come on the session's delegate queue.
public protocol TransferStreamDelegate: TransferSessionDelegate {
    /// At most once, after the last read that brought bytes has been answered.
    func session(_ session: TransferSession, readClosedFor task: StreamTask)
    /// At most once, after the last write has been answered.
    func session(_ session: TransferSession, writeClosedFor task: StreamTask)
    /// The system now prefers another way to the peer than the one that the connection began on
    /// (`betterRouteDiscovered`): a new stream task would take it. Once for each such way; needs
    /// ``TransferConfiguration/pathMonitor``.
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
