// SPDX-License-Identifier: MIT

/// What moves the bytes of streams: connections without a protocol on them. Calls come from any thread, return at once,
/// and take effect in the order made; those for a stream that has ended have none.
public protocol StreamTransport: AnyObject, Sendable {
    /// Connects to host and port of the route's URL, with TLS where that is `https`. Timeouts, trust, identity and
    /// proxies hold as for an exchange; what concerns requests is without meaning. The handler is kept until the stream
    /// is closed or has failed.
    func openStream(_ route: Exchange, handler: any StreamHandler) -> StreamID

    /// Asks for what comes next, 1 to `maximum` bytes: one answer to each call, and no second call before it.
    func readStream(_ id: StreamID, maximum: Int)

    /// Sends all of `bytes`: one answer to each call, and no second call before it.
    func writeStream(_ id: StreamID, _ bytes: [UInt8])

    /// Tells the peer that no more bytes come; after the last write has been answered. Under TLS the peer sees the end
    /// of TCP without a `close_notify`: libcurl offers no way to send one and go on reading.
    func closeStreamWriting(_ id: StreamID)

    /// Ends the connection and forgets the stream. No call of its handler begins afterwards.
    func closeStream(_ id: StreamID)
}

/// Names one stream of one transport.
public struct StreamID: Hashable, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Who hears of a stream. All calls come on the transport's own thread, one at a time, and must not block.
public protocol StreamHandler: AnyObject, Sendable {
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
