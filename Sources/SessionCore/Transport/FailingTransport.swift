// SPDX-License-Identifier: MIT

public import TransferModel

/// Stands where a session has no transport, because none could be made or none is of use: every exchange fails with the
/// reason.
public final class FailingTransport: Transport {
    public let supportedLogins: Set<ProtectionSpace.Method> = []
    private let reason: TransferError
    public let executor: any TransportExecutor = QueueExecutor(label: "fileq.transport.none")

    public init(_ reason: TransferError) { self.reason = reason }

    public func start(_ exchange: Exchange, handler: any ExchangeHandler) -> ExchangeID {
        let id = ExchangeID(rawValue: 0)
        let failure = ExchangeFailure(.misconfigured(reason.code), detail: reason.message)
        executor.post { handler.exchange(id, didComplete: ExchangeOutcome(failure: failure)) }
        return id
    }

    public func pause(_ id: ExchangeID) {}
    public func resume(_ id: ExchangeID) {}
    public func cancel(_ id: ExchangeID) {}
    public func decide(_ id: ExchangeID, _ disposition: BodyDisposition) {}
    public func setRateLimit(_ bytesPerSecond: Int?, of id: ExchangeID) {}
    public func setRateLimits(download: Int?, upload: Int?) {}
    public func shutDown() {}
}
