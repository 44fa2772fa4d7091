// SPDX-License-Identifier: MIT

import CLinux
import Crypto
import Foundation
import Glibc
import HTTPTypes
import SessionCore
import TransferModel

/// One request and its response on their way. Used on the transport's executor.
final class SimulatedExchange: @unchecked Sendable {
    enum Stage { case connecting, sending, waiting, receiving, ended }

    private(set) var id: ExchangeID
    private(set) var exchange: Exchange
    private var handler: any ExchangeHandler
    let transport: SimulatedTransport
    var stage = Stage.connecting
    private var isPaused = false
    private var isSilent = false
    /// The rest of the request's body waits for the client's store.
    private var isGated = false
    private var disposition: BodyDisposition?
    var response: Origin.Response?
    /// Of the response's body.
    private var position = 0
    private var written: Int64 = 0
    var progress = ExchangeProgress()
    /// Bytes a second.
    var rateLimit: Int?
    let began: Double
    /// The interface of its connection.
    let route: Int
    private var reportedAt = -1.0
    private var lastMove = 0.0
    /// Rises with each step that is scheduled: an older one has no effect.
    private var generation = 0
    /// Bytes of one step, and its seconds.
    private var pace: (bytes: Int, seconds: Double)
    /// The body of the request, as far as the server has it.
    var sentBody: [UInt8] = []
    private var source: [UInt8] = []
    private var breakAt: Int?
    /// The peer is gone, and nothing says so.
    private var breaksSilently = false
    private var hasEarlyResponse = false
    /// How it ended before the exchange of a task took it over.
    private var knownEnd: (stage: Stage, failure: ExchangeFailure?)?

    init(_ id: ExchangeID, _ exchange: Exchange, _ handler: any ExchangeHandler, _ transport: SimulatedTransport) {
        (self.id, self.exchange, self.handler, self.transport) = (id, exchange, handler, transport)
        let origin = transport.network.origin
        pace = (origin.draw(1...8) * [200, 2000, 16_384][origin.draw(0...2)], Double(origin.draw(1...20)) / 10)
        (lastMove, began) = (transport.machine.now, transport.machine.now)
        route = transport.network.route
        rateLimit = transport.bug == .rateForgotten ? nil : exchange.rateLimit
    }

    var machine: Machine { transport.machine }
    var origin: Origin { transport.network.origin }
    var trace: Trace { machine.trace }

    /// Continues after a while, on the executor.
    private func next(after seconds: Double, _ body: @escaping @Sendable (SimulatedExchange) -> Void) {
        generation += 1
        let generation = generation
        let life = transport.network.life
        machine.schedule(at: machine.now + seconds, "network") { [self] in
            guard life == transport.network.life else { return }
            transport.executor.post { [self] in
                guard self.generation == generation, stage != .ended else { return }
                body(self)
            }
        }
    }

    func begin() {
        let network = transport.network
        Secrets.check(exchange, origin)
        network.sending(exchange)
        trace.note(
            machine.now, "\(id.rawValue): \(exchange.method) \(exchange.url.string) \(exchange.fields[.range] ?? "")")
        let latency = Double(origin.draw(1...400)) / 1000
        if !network.isUp {
            return next(after: latency) { $0.complete(.init(.transport(.cannotConnect, errno: ENETUNREACH))) }
        }
        if origin.meets(.refusedConnection) {
            return next(after: latency) { $0.complete(.init(.transport(.cannotConnect, errno: ECONNREFUSED))) }
        }
        if origin.meets(.silence, odds: 6) {
            return next(after: exchange.connectTimeout) {
                $0.complete(.init(.connectTimeout(seconds: $0.exchange.connectTimeout)))
            }
        }
        next(after: latency) { $0.connected() }
    }

    private func connected() {
        if let failure = origin.distrust(exchange) { return complete(failure) }
        switch exchange.body {
        case .none: return request()
        case .bytes(let bytes): source = bytes
        case .file(let descriptor, let offset, let count):
            source = [UInt8](repeating: 0, count: Int(count))
            let got = pread(descriptor, &source, source.count, off_t(offset))
            guard got == source.count else { return complete(.init(.sourceShrank)) }
        case .stream: return complete(.init(.misconfigured(.usage)))
        }
        stage = .sending
        limitSteps(source.count)
        if !source.isEmpty {
            if origin.meets(.reset, odds: 2) { breakAt = origin.draw(0...source.count) }
            if origin.meets(.halfOpen, odds: 4) { (breakAt, breaksSilently) = (origin.draw(0...source.count), true) }
            if source.count > 1, origin.meets(.earlyResponse, odds: 6), origin.refusal(of: exchange) == nil {
                return answerEarly()
            }
        }
        send()
    }

    /// Seconds from one step to the next: with a limit longer, up to that of a connection on which nothing moves.
    private var interval: Double {
        guard let rateLimit else { return pace.seconds }
        return max(pace.seconds, min(20, Double(pace.bytes) / Double(max(1, rateLimit))))
    }

    /// A large body takes no more steps than others.
    private func limitSteps(_ count: Int) {
        if count > 20 * pace.bytes { pace.bytes = max(pace.bytes, count / origin.draw(20...60)) }
    }

    /// A success before the server has the body, of which it keeps nothing.
    private func answerEarly() {
        hasEarlyResponse = transport.bug != .earlyResponseTrusted
        progress.sent = hasEarlyResponse ? 1 : Int64(source.count)
        var head = HTTPResponse(status: .created)
        head.headerFields[.location] = "/stored"
        response = Origin.Response(head: head)
        receiveHead()
        if hasEarlyResponse, exchange.endsWhenAnsweredEarly, stage != .ended {
            complete(.init(.answeredEarly(status: 201)))
        }
    }

    private func send() {
        guard !isPaused else { return }
        let room = source.isEmpty ? .max : exchange.gate?.room(from: Int64(sentBody.count)) ?? .max
        isGated = room == 0
        if isGated { return }
        let end = min(source.count, sentBody.count + Int(clamping: min(room, Int64(pace.bytes))), breakAt ?? .max)
        sentBody += source[sentBody.count..<end]
        progress.sent = Int64(end)
        moved()
        if breakAt == end {
            trace.sometimes("upload: broken")
            origin.received(self, isWhole: false)
            if transport.bug == .uploadTrusted {
                progress.sent = Int64(source.count)
                response = Origin.Response(head: HTTPResponse(status: .created, headerFields: [.location: "/stored"]))
                return receiveHead()
            }
            if breaksSilently { return fallSilent() }
            // Up to what the peer's kernel had acknowledged.
            return complete(.init(.transport(.sendFailed, errno: ECONNRESET)))
        }
        if end == source.count { return request() }
        next(after: interval) { $0.send() }
    }

    func opened() {
        if isGated, !isSilent, stage == .sending { next(after: 0.001) { $0.send() } }
    }

    private func moved() {
        transport.network.moved(exchange.url.path)
        transport.network.movedBelow(exchange.url.path, transport)
        lastMove = machine.now
        guard machine.now >= reportedAt + 0.1 else { return }
        reportedAt = machine.now
        handler.exchange(id, didProgress: progress)
    }

    /// The server has the whole request.
    private func request() {
        stage = .waiting
        let path = exchange.url.path
        if exchange.body == .none, exchange.method == .get {
            let isAlone = !transport.isRequesting(path, besides: id)
            if !isAlone { trace.sometimes("connections: several") }
            response = origin.respond(exchange, isAlone: isAlone)
        } else {
            response = origin.received(self, isWhole: true)
            if !source.isEmpty, origin.meets(.halfOpen, odds: 6) { return fallSilent() }
            if !source.isEmpty || exchange.method == .post, origin.meets(.lostResponse, odds: 3) {
                return next(after: 0.1) { $0.complete(.init(.transport(.receiveFailed, errno: ECONNRESET))) }
            }
        }
        let delay = origin.meets(.slowHead, odds: 3) ? Double(origin.draw(1...55)) : Double(origin.draw(1...300)) / 1000
        next(after: delay) { $0.receiveHead() }
    }

    private func receiveHead() {
        guard !isPaused, var response else { return }
        stage = .receiving
        lastMove = machine.now
        for head in response.interim { handler.exchange(id, didReceiveInformational: head) }
        Blindness.apply(transport.bug, exchange, &response)
        if progress.sent > 0 { handler.exchange(id, didProgress: progress) }
        let (head, count) = (response.head, response.body.count)
        limitSteps(count)
        trace.note(
            machine.now,
            "\(id.rawValue): \(head.status.code) \(head.headerFields[.contentRange] ?? "") \(count) bytes, "
                + response.ending.name)
        if transport.bug == .retryAfterIgnored { response.head.headerFields[.retryAfter] = nil }
        self.response = response
        trace.sometimes("status: \(response.head.status.code)")
        origin.delivered(response.head, to: exchange)
        // A task reads it once more.
        if !(handler is SimulatedFetch) { origin.delivered(response, of: exchange.url.path) }
        if transport.bug == .offsetForgotten, response.head.headerFields[.uploadOffset] != nil {
            response.head.headerFields[.uploadOffset] = "0"
        }
        disposition = handler.exchange(id, didReceive: response.head)
        take()
    }

    func decide(_ decided: BodyDisposition) {
        guard disposition == .hold else { return }
        disposition = decided
        lastMove = machine.now
        take()
    }

    private func take() {
        switch disposition {
        case .abort: complete(.init(.aborted))
        case .hold, nil: break
        // The head came before.
        case _ where isSilent: if !isPaused { awaitTimeout() }
        default: next(after: pace.seconds) { $0.receive() }
        }
    }

    /// The next bytes of the body.
    private func receive() {
        guard let response, !isPaused, !isSilent, disposition != .hold else { return }
        var limit = response.body.count
        switch response.ending {
        case .whole: break
        case .reset(let end), .close(let end), .stall(let end): limit = min(limit, end)
        }
        let end = min(limit, position + pace.bytes)
        if end > position {
            if let failure = store(response.body[position..<end]) {
                return complete(.init(.cannotWrite(errno: failure)))
            }
            position = end
            moved()
        }
        if position < limit { return next(after: interval) { $0.receive() } }
        if let knownEnd { return complete(knownEnd.failure) }
        switch response.ending {
        case .whole: complete(nil)
        case .reset: complete(.init(.transport(.receiveFailed, errno: ECONNRESET)))
        case .close:
            let whole = response.head.headerFields[.contentLength].flatMap { Int($0) } == position
            let goesUnnoticed = whole || transport.bug == .truncationUnnoticed
            complete(goesUnnoticed ? nil : .init(.transport(.partialFile)))
        case .stall: awaitTimeout()
        }
    }

    private func awaitTimeout() {
        if transport.bug == .silenceUnnoticed { return }
        let (seconds, cause) = exchange.silence(awaitsResponse: stage == .waiting)
        next(after: max(0.001, lastMove + seconds - machine.now)) { $0.complete(.init(cause)) }
    }

    /// - Returns: an errno.
    private func store(_ body: ArraySlice<UInt8>) -> Int32? {
        var piece = body
        if transport.bug == .fenceForgotten, let late = transport.takeLate(exchange.url.path) {
            piece = late.prefix(piece.count) + piece.dropFirst(late.count)
        }
        switch disposition {
        case .deliver: piece.withUnsafeBytes { handler.exchange(id, didReceive: $0) }
        case .file(let descriptor, let offset, _):
            if transport.bug == .rangeOffByOne, offset > 0, position == 0 { piece = piece.dropFirst() + [0] }
            let start = offset + written
            let failure = piece.withUnsafeBytes { bytes -> Int32? in
                guard bytes.count > 0 else { return nil }
                let isPositioned = exchange.placement?.isPositioned ?? false
                let count =
                    isPositioned
                    ? Int64(pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(start)))
                    : clinux_append(descriptor, bytes.baseAddress, Int64(bytes.count), start)
                return count == Int64(bytes.count) ? nil : errno
            }
            if let failure { return failure }
            written += Int64(piece.count)
        default: break
        }
        progress.received += Int64(piece.count)
        return nil
    }

    /// A planted bug.
    private func moveLater() {
        let (network, life, path) = (transport.network, transport.network.life, exchange.url.path)
        machine.schedule(at: machine.now + 30, "network") { if life == network.life { network.moved(path) } }
    }

    // MARK: Of a fetch

    /// Few take longer than a fetch may.
    func hurry() { if origin.draw(0...4) > 0 { pace.seconds /= 20 } }

    /// The exchange of a task continues it: what has come of the response comes once more. What was sent, was sent
    /// without it.
    func takeOver(_ id: ExchangeID, _ other: Exchange, _ handler: any ExchangeHandler) {
        trace.note(machine.now, "\(id.rawValue): continues \(self.id.rawValue)")
        let sent = exchange
        (self.id, self.handler, exchange) = (id, handler, other)
        (exchange.fields, exchange.authentication, exchange.trust) = (sent.fields, sent.authentication, sent.trust)
        rateLimit = transport.bug == .rateForgotten ? nil : exchange.rateLimit
        if let end = knownEnd {
            stage = end.stage
            guard stage == .receiving, let body = response?.body else { return complete(end.failure) }
            response?.body = Array(body.prefix(position))
        }
        guard stage == .receiving else { return }
        generation += 1
        (position, progress.received) = (0, 0)
        receiveHead()
        if hasEarlyResponse, exchange.endsWhenAnsweredEarly { complete(.init(.answeredEarly(status: 201))) }
    }

    /// The whole body of the request has arrived.
    var isSent: Bool { sentBody.count == source.count && !hasEarlyResponse }

    // MARK: From above

    func cancel() {
        if transport.bug == .fenceForgotten, stage == .receiving, let body = response?.body {
            transport.keepLate(body.dropFirst(position).prefix(pace.bytes), of: exchange.url.path)
        }
        complete(.init(.cancelled))
    }

    func pause() {
        isPaused = true
        generation += 1
    }

    func resume() {
        guard isPaused else { return }
        isPaused = false
        lastMove = machine.now
        if isSilent, stage != .ended { return awaitTimeout() }
        switch stage {
        case .connecting: next(after: 0.05) { $0.connected() }
        case .sending: next(after: 0.01) { $0.send() }
        case .waiting: next(after: 0.05) { $0.receiveHead() }
        case .receiving: take()
        case .ended: break
        }
    }

    func pathLost() {
        guard stage != .ended else { return }
        if stage == .sending, !isSilent { origin.received(self, isWhole: false) }
        if origin.draw(0...1) == 0 || stage == .connecting {
            let code: TransferError.Code =
                stage == .connecting ? .cannotConnect : stage == .sending ? .sendFailed : .receiveFailed
            return complete(.init(.transport(code, errno: stage == .connecting ? ENETUNREACH : ECONNRESET)))
        }
        fallSilent()
    }

    /// The connection is dead, and nothing says so.
    private func fallSilent() {
        isSilent = true
        if !isPaused { awaitTimeout() }
    }

    /// Without reflection, which costs more than the rest of the line.
    private static func name(_ cause: ExchangeFailure.Cause) -> String {
        switch cause {
        case .transport(let code, let errno, _): "\(code.name) \(errno)"
        case .requestTimeout(let seconds): "requestTimeout \(seconds)"
        case .connectTimeout(let seconds): "connectTimeout \(seconds)"
        case .cannotWrite(let errno): "cannotWrite \(errno)"
        case .rangeExceeded: "rangeExceeded"
        case .aborted: "aborted"
        case .cancelled: "cancelled"
        default: "\(cause)"
        }
    }

    static func checksum(of bytes: [UInt8]) -> Checksum {
        Checksum(algorithm: .sha256, bytes: Array(SHA256.hash(data: Data(bytes))))
    }

    func complete(_ failure: ExchangeFailure?) {
        guard stage != .ended else { return }
        let didConnect = stage != .connecting
        var failure = failure
        if transport.bug == .secretInError, let secret = exchange.fields[Secrets.field] { failure?.detail = secret }
        // A response that is not whole counts for nothing.
        if failure != nil, response?.pause != nil { origin.allowsRequests(of: exchange.url.path) }
        knownEnd = (stage, failure)
        stage = .ended
        if transport.bug == .refusalIgnored, response?.head.status == .unauthorized { moveLater() }
        if failure == nil, isSent, response?.head.status.kind == .successful { transport.network.accepted(exchange) }
        transport.network.ending(exchange.url.path)
        transport.ended(id)
        var outcome = ExchangeOutcome(failure: failure, progress: progress, bodyHandedOver: Int64(sentBody.count))
        outcome.hasEarlyResponse = hasEarlyResponse
        if exchange.digest == .sha256, !sentBody.isEmpty || exchange.body != .none {
            outcome.digest = Array(SHA256.hash(data: Data(sentBody)))
        }
        if didConnect { outcome.metrics.requestSent = 0.01 }
        outcome.metrics.status = response?.head.status.code
        trace.note(
            machine.now,
            "\(id.rawValue): ends \(failure.map { Self.name($0.cause) } ?? "whole") after \(progress.received)")
        handler.exchange(id, didComplete: outcome)
    }
}
