// SPDX-License-Identifier: MIT

package import TransferModel

/// Stands where a session has no transport, because none could be made or none is of use: every exchange fails with the
/// reason.
package final class FailingTransport: Transport {
    package let supportedLogins: Set<ProtectionSpace.Method> = []
    private let reason: TransferError
    package let executor: any TransportExecutor = QueueExecutor(label: "fileq.transport.none")

    package init(_ reason: TransferError) { self.reason = reason }

    package func start(_ exchange: Exchange, handler: any ExchangeHandler) -> ExchangeID {
        let id = ExchangeID(rawValue: 0)
        let failure = ExchangeFailure(.misconfigured(reason.code), detail: reason.message)
        executor.post { handler.exchange(id, didComplete: ExchangeOutcome(failure: failure)) }
        return id
    }

    package func pause(_ id: ExchangeID) {}
    package func resume(_ id: ExchangeID) {}
    package func cancel(_ id: ExchangeID) {}
    package func decide(_ id: ExchangeID, _ disposition: BodyDisposition) {}
    package func setRateLimit(_ bytesPerSecond: Int?, of id: ExchangeID) {}
    package func setRateLimits(download: Int?, upload: Int?) {}
    package func shutDown() {}
}
