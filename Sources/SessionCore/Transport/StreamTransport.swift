// SPDX-License-Identifier: MIT

/// Moves the bytes of streams: connections without a protocol on top. Calls come from any thread, return immediately,
/// and take effect in the order made; calls for an ended stream have no effect.
package protocol StreamTransport: AnyObject, Sendable {
    /// Connects to host and port of the route's URL, with TLS for `https`. Timeouts, trust, identity and proxies apply
    /// as for an exchange; what concerns requests is ignored. The handler is retained until the stream is closed or has
    /// failed.
    func openStream(_ route: Exchange, handler: any StreamHandler) -> StreamID

    /// Asks for what comes next, 1 to `maximum` bytes: one answer to each call, and no second call before it.
    func readStream(_ id: StreamID, maximum: Int)

    /// Sends all of `bytes`: one answer to each call, and no second call before it.
    func writeStream(_ id: StreamID, _ bytes: [UInt8])

    /// Signals the end of output to the peer, after the last write has completed. Under TLS the peer sees the end of
    /// TCP without a `close_notify`: libcurl cannot send one and continue reading.
    func closeStreamWriting(_ id: StreamID)

    /// Ends the connection and forgets the stream. No call of its handler begins afterwards.
    func closeStream(_ id: StreamID)
}

/// Names one stream of one transport.
public struct StreamID: Hashable, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Receives the events of a stream. All calls come on the transport's own thread, one at a time, and must not block.
package protocol StreamHandler: AnyObject, Sendable {
    /// The connection stands: once, first.
    func streamDidOpen(_ id: StreamID)

    /// The answer to a read. Empty: the peer sends no more, and so will every later read be answered.
    func stream(_ id: StreamID, didRead bytes: [UInt8])

    /// The answer to a write: the kernel has all of it.
    func streamDidWrite(_ id: StreamID)

    func streamDidCloseWriting(_ id: StreamID)

    /// The connection did not come about or broke; nothing follows.
    func stream(_ id: StreamID, didFail failure: ExchangeFailure)
}
