// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
package import HTTPTypes
package import SessionCore
import Synchronization
import TransferModel

/// A transport without a network: the test provides the response to each exchange, and nothing takes time.
///
/// Everything runs on its own queue, step by step on the executor, like a real transport's thread.
package final class FakeTransport: Transport {
    /// The response. With `stalls` it stops before its end until cancelled.
    package struct Answer: Sendable {
        package var informational: [HTTPResponse] = []
        package var head: HTTPResponse?
        package var body: [UInt8]
        package var failure: ExchangeFailure?
        package var stalls = false
        /// Of the server.
        package var remoteAddress: String?
        package var isReusedConnection = false
        /// Bytes of a request body that is a stream.
        package var sentOfStream: Int64 = 0

        package init(_ status: Int, _ fields: HTTPFields = [:], body: [UInt8] = []) {
            head = HTTPResponse(status: .init(code: status), headerFields: fields)
            self.body = body
        }

        /// No head: the exchange fails with this error.
        package init(failure: ExchangeFailure) {
            body = []
            self.failure = failure
        }
    }

    private struct Running {
        var handler: any ExchangeHandler
        var answer: Answer
        var exchange: Exchange
        var disposition: BodyDisposition?
        var isPaused = false
        var hasReportedHead = false
        var hasGivenBody = false
    }

    package let supportedLogins: Set<ProtectionSpace.Method> = [.basic, .digest, .bearer, .ntlm]
    package let executor: any TransportExecutor
    private let queue = DispatchQueue(label: "fileq.testing.transport")
    private let respond: @Sendable (Exchange, Int) -> Answer
    private let log = Mutex<[Exchange]>([])
    private let rates = Mutex<[[Int?]]>([])
    private let nextID = Atomic<UInt64>(1)
    private let running = Mutex<[ExchangeID: Running]>([:])
    private let peak = Mutex((now: 0, most: 0))

    /// - Parameter respond: called for every exchange, with its number from 1.
    package init(
        executor: any TransportExecutor = InlineExecutor(), _ respond: @escaping @Sendable (Exchange, Int) -> Answer
    ) {
        self.executor = executor
        self.respond = respond
    }

    private func step(_ work: @escaping @Sendable () -> Void) { queue.async { self.executor.post(work) } }

    /// Every exchange started, in order.
    package var exchanges: [Exchange] { log.withLock { $0 } }
    /// The global rates set so far, in order: down, up.
    package var rateLimits: [[Int?]] { rates.withLock { $0 } }
    /// The maximum of concurrent exchanges.
    package var mostAtOnce: Int { peak.withLock { $0.most } }
    package var countUnderWay: Int { running.withLock { $0.count } }

    package func start(_ exchange: Exchange, handler: any ExchangeHandler) -> ExchangeID {
        let id = ExchangeID(rawValue: nextID.add(1, ordering: .relaxed).oldValue)
        let number = log.withLock { log in
            log.append(exchange)
            return log.count
        }
        peak.withLock { peak in
            peak.now += 1
            peak.most = max(peak.most, peak.now)
        }
        step { [self] in
            let answer = respond(exchange, number)
            running.withLock { $0[id] = Running(handler: handler, answer: answer, exchange: exchange) }
            work(id)
        }
        return id
    }

    package func pause(_ id: ExchangeID) { step { [self] in running.withLock { $0[id]?.isPaused = true } } }

    package func resume(_ id: ExchangeID) {
        step { [self] in
            running.withLock { $0[id]?.isPaused = false }
            work(id)
        }
    }

    package func cancel(_ id: ExchangeID) { step { [self] in complete(id, .init(.cancelled)) } }

    package func decide(_ id: ExchangeID, _ disposition: BodyDisposition) {
        step { [self] in
            running.withLock { running in
                if running[id]?.disposition == .hold { running[id]?.disposition = disposition }
            }
            work(id)
        }
    }

    package func setRateLimit(_ bytesPerSecond: Int?, of id: ExchangeID) {}
    package func setRateLimits(download: Int?, upload: Int?) { rates.withLock { $0.append([download, upload]) } }
    package func shutDown() { queue.sync {} }

    /// Its current progress.
    private func work(_ id: ExchangeID) {
        guard let state = running.withLock({ $0[id] }), !state.isPaused else { return }
        guard let head = state.answer.head else { return complete(id, state.answer.failure) }
        if !state.hasReportedHead {
            running.withLock { $0[id]?.hasReportedHead = true }
            for informational in state.answer.informational {
                state.handler.exchange(id, didReceiveInformational: informational)
            }
            if Self.sent(state) > 0 { state.handler.exchange(id, didProgress: .init(sent: Self.sent(state))) }
            let disposition = state.handler.exchange(id, didReceive: head)
            running.withLock { $0[id]?.disposition = disposition }
            return work(id)
        }
        guard !state.hasGivenBody else { return }
        if state.disposition != .hold { running.withLock { $0[id]?.hasGivenBody = true } }
        switch state.disposition {
        case .hold, nil: return
        case .abort: return complete(id, .init(.aborted))
        case .discard, .stream: break
        case .deliver:
            if !state.answer.body.isEmpty {
                state.answer.body.withUnsafeBytes { state.handler.exchange(id, didReceive: $0) }
            }
        case .file(let descriptor, let offset, _):
            _ = state.answer.body.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
        }
        let count = Int64(state.answer.body.count)
        if count > 0 { state.handler.exchange(id, didProgress: .init(received: count, sent: Self.sent(state))) }
        guard !state.answer.stalls else { return }
        complete(id, state.answer.failure, received: state.disposition == .discard ? 0 : count)
    }

    /// Request body bytes that count as sent before the response.
    private static func sent(_ state: Running) -> Int64 {
        switch state.exchange.body {
        case .bytes(let bytes): Int64(bytes.count)
        case .stream: state.answer.sentOfStream
        default: 0
        }
    }

    private func complete(_ id: ExchangeID, _ failure: ExchangeFailure?, received: Int64? = nil) {
        guard let state = running.withLock({ $0.removeValue(forKey: id) }) else { return }
        peak.withLock { $0.now -= 1 }
        var outcome = ExchangeOutcome(failure: failure)
        outcome.metrics.remoteAddress = state.answer.remoteAddress
        outcome.metrics.isReusedConnection = state.answer.isReusedConnection
        outcome.progress.received =
            received
            ?? (state.hasReportedHead && failure != nil && state.disposition != .hold
                ? Int64(state.answer.body.count) : 0)
        if case .bytes(let bytes) = state.exchange.body, state.hasReportedHead {
            outcome.progress.sent = Int64(bytes.count)
            outcome.bodyHandedOver = Int64(bytes.count)
        }
        if case .stream = state.exchange.body {
            (outcome.progress.sent, outcome.bodyHandedOver) = (state.answer.sentOfStream, 1)
        }
        state.handler.exchange(id, didComplete: outcome)
    }
}
