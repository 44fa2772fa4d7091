// SPDX-License-Identifier: MIT

public import HTTPTypes
import TransferModel

/// Moves the bytes of exchanges. Calls come from any thread, return immediately, and take effect in the order made.
public protocol Transport: AnyObject, Sendable {
    /// The executor on which it calls its handlers. It never changes.
    var executor: any TransportExecutor { get }

    /// The authentication schemes that it supports.
    var supportedLogins: Set<ProtectionSpace.Method> { get }

    /// The content codings that it can decode, as `Accept-Encoding` names them (RFC 9110, section 8.4.1).
    var supportedCodings: [String] { get }

    /// Starts an exchange. The handler is retained until its last call.
    func start(_ exchange: Exchange, handler: any ExchangeHandler) -> ExchangeID

    /// Stops reading and writing of this exchange; the connection is held. Without effect once it has completed.
    func pause(_ id: ExchangeID)

    /// Undoes ``pause(_:)``, however often that was called.
    func resume(_ id: ExchangeID)

    /// Ends the exchange; completion follows with cause `cancelled` unless it is already under way.
    func cancel(_ id: ExchangeID)

    /// Decides about a body after ``BodyDisposition/hold``; `disposition` is any other. Has no effect at any other
    /// time.
    func decide(_ id: ExchangeID, _ disposition: BodyDisposition)

    /// Limits one exchange to these bytes per second, each way; `nil`: unlimited.
    func setRateLimit(_ bytesPerSecond: Int?, of id: ExchangeID)

    /// Limits all exchanges together to these bytes per second; `nil`: unlimited.
    func setRateLimits(download: Int?, upload: Int?)

    /// Writes cookie jars, cancels what runs, and returns when no handler will be called any more.
    /// Not to be called from a handler.
    func shutDown()
}

extension Transport {
    public var supportedCodings: [String] { [] }
}

/// Receives the events of an exchange. All calls come on ``Transport/executor``, one at a time, and must not block.
public protocol ExchangeHandler: AnyObject, Sendable {
    /// An interim response (1xx) arrived: any number of them, before the final one.
    func exchange(_ id: ExchangeID, didReceiveInformational head: HTTPResponse)

    /// The final response's head: at most once; the result is the body's disposition.
    func exchange(_ id: ExchangeID, didReceive head: HTTPResponse) -> BodyDisposition

    /// A chunk of the body, only for ``BodyDisposition/deliver``. The memory is valid only during the call.
    func exchange(_ id: ExchangeID, didReceive bytes: UnsafeRawBufferPointer)

    /// At most ten times a second, only when something moved; and once before the response where body bytes went out
    /// that were not reported yet.
    func exchange(_ id: ExchangeID, didProgress progress: ExchangeProgress)

    /// The exchange has ended. Called exactly once, last.
    func exchange(_ id: ExchangeID, didComplete outcome: ExchangeOutcome)
}
