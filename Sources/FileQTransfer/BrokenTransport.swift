// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import TransferModel

/// Stands where no transport could be made: every exchange fails with the reason.
final class BrokenTransport: Transport {
    let supportedLogins: Set<ProtectionSpace.Method> = []
    private let reason: TransferError
    private let queue = DispatchQueue(label: "fileq.transport.broken")

    init(_ reason: TransferError) { self.reason = reason }

    func start(_ exchange: Exchange, handler: any ExchangeHandler) -> ExchangeID {
        let id = ExchangeID(rawValue: 0)
        let failure = ExchangeFailure(.misconfigured(reason.code), detail: reason.message)
        queue.async { handler.exchange(id, didComplete: ExchangeOutcome(failure: failure)) }
        return id
    }

    func pause(_ id: ExchangeID) {}
    func resume(_ id: ExchangeID) {}
    func cancel(_ id: ExchangeID) {}
    func decide(_ id: ExchangeID, _ disposition: BodyDisposition) {}
    func setRateLimit(_ bytesPerSecond: Int?, of id: ExchangeID) {}
    func setRateLimits(download: Int?, upload: Int?) {}
    func shutDown() {}
}
