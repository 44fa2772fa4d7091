// SPDX-License-Identifier: MIT

import CurlTransport
import HTTPTypes
import SessionCore
import Synchronization
import TransferModel

/// The events of one exchange.
struct RecordedExchange: Sendable {
    var informational: [HTTPResponse] = []
    var heads: [HTTPResponse] = []
    var body: [UInt8] = []
    var outcome = ExchangeOutcome()

    var status: Int? { heads.first?.status.code }
    var failure: ExchangeFailure? { outcome.failure }
    var text: String { String(decoding: body, as: UTF8.self) }
    var undecided: ServerTrust? {
        if case .trustUndecided(let trust) = failure?.cause { trust } else { nil }
    }
    var curlCode: Int32? {
        if case .transport(_, _, let number) = failure?.cause { number } else { nil }
    }
    var misconfiguration: TransferError.Code? {
        if case .misconfigured(let code) = failure?.cause { code } else { nil }
    }
}

extension CurlTransport {
    /// Carries an exchange out to its end.
    /// - Parameters:
    ///   - atHead: called on the transport's thread with the final head.
    ///   - atProgress: called there whenever something moved.
    func run(
        _ exchange: Exchange, disposition: BodyDisposition = .deliver, atHead: @escaping @Sendable () -> Void = {},
        atProgress: @escaping @Sendable (ExchangeProgress) -> Void = { _ in }
    ) async -> RecordedExchange {
        await withCheckedContinuation { continuation in
            _ = start(exchange, handler: Recorder(continuation, disposition, atHead, atProgress))
        }
    }
}

private final class Recorder: ExchangeHandler {
    private let record = Mutex(RecordedExchange())
    private let continuation: CheckedContinuation<RecordedExchange, Never>
    private let disposition: BodyDisposition
    private let atHead: @Sendable () -> Void
    private let atProgress: @Sendable (ExchangeProgress) -> Void

    init(
        _ continuation: CheckedContinuation<RecordedExchange, Never>, _ disposition: BodyDisposition,
        _ atHead: @escaping @Sendable () -> Void, _ atProgress: @escaping @Sendable (ExchangeProgress) -> Void
    ) {
        self.continuation = continuation
        self.disposition = disposition
        self.atHead = atHead
        self.atProgress = atProgress
    }

    func exchange(_ id: ExchangeID, didReceiveInformational head: HTTPResponse) {
        record.withLock { $0.informational.append(head) }
    }

    func exchange(_ id: ExchangeID, didReceive head: HTTPResponse) -> BodyDisposition {
        record.withLock { $0.heads.append(head) }
        atHead()
        return disposition
    }

    func exchange(_ id: ExchangeID, didReceive bytes: UnsafeRawBufferPointer) { record.withLock { $0.body += bytes } }
    func exchange(_ id: ExchangeID, didProgress progress: ExchangeProgress) { atProgress(progress) }

    func exchange(_ id: ExchangeID, didComplete outcome: ExchangeOutcome) {
        continuation.resume(
            returning: record.withLock { record in
                record.outcome = outcome
                return record
            })
    }
}
