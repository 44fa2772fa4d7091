// SPDX-License-Identifier: MIT

import FoundationEssentials
import HTTPTypes
import Synchronization
import TransferModel

/// Making exchanges, and hearing of them.
extension TaskDriver: ExchangeHandler {
    /// The request of `plan` in full, with what may go to its origin and nothing else.
    func makeExchange(_ plan: TaskStateMachine.ExchangePlan, _ session: TransferSession) throws(TransferError) -> Exchange {
        let options = request.options
        let configuration = session.configuration
        if !options.pins.isEmpty, !plan.url.isSecure {
            throw TransferError(.pinMismatch, "\(plan.url.authority): a pin was given, and plain http has no key to compare it with")
        }
        var exchange = Exchange(url: plan.url, method: plan.method,
                                connectTimeout: options.connectTimeout ?? configuration.connectTimeout,
                                requestTimeout: options.requestTimeout ?? configuration.requestTimeout)
        exchange.fields = RequestFields.make(plan: plan, options: options, configuration: configuration)
        exchange.authentication = authentication(for: plan)
        exchange.cookieJar = options.cookieJar
        exchange.pins = options.pins
        exchange.certificateAuthorities = options.certificateAuthorities
        exchange.httpVersion = options.httpVersion
        exchange.proxy = try Self.proxies.server(for: plan.url)
        exchange.rateLimit = guarded.withLock { $0.rateLimit }
        exchange.needsFreshConnection = !plan.method.isIdempotent
        if plan.sendsBody { (exchange.body, exchange.digest) = try openBody() }
        if case .download(let target) = payload, plan.resume == nil { exchange.digest = target.digest }
        return exchange
    }

    private static let proxies = ProxyPolicy(.environment(ProcessInfo.processInfo.environment))

    private func authentication(for plan: TaskStateMachine.ExchangePlan) -> Exchange.Authentication {
        guard plan.isOriginalOrigin else { return .none }
        guard let credential = request.options.credential ?? request.url.credential else {
            return request.options.usesNetrc ? .netrc : .none
        }
        return plan.usesDigest ? .digest(credential) : .basic(credential)
    }

    private func openBody() throws(TransferError) -> (Exchange.Body, Checksum.Algorithm?) {
        switch payload {
        case .data(let bytes): return (.bytes(bytes ?? []), nil)
        case .download: return (.none, nil)
        case .upload(.bytes(let bytes), let digest):
            guarded.withLock { $0.progress.expectedToSend = Int64(bytes.count) }
            return (.bytes(bytes), digest)
        case .upload(.stream(let descriptor), let digest):
            guard !guarded.withLock({ $0.hasReadStream }) else {
                throw TransferError(.cannotReadSource, "\(request.url.authority): asked for the body again, and what was read from "
                    + "a stream cannot be read twice; send a file instead")
            }
            return (.stream(descriptor: descriptor), digest)
        case .upload(.file(let path), let digest):
            let kept = guarded.withLock { $0.source }
            let source = if let kept { kept } else { try UploadSourceFile(path: path) }
            guarded.withLock { guarded in
                guarded.source = source
                guarded.progress.expectedToSend = source.size
            }
            return (.file(descriptor: source.descriptor, offset: 0, count: source.size), digest)
        }
    }

    // MARK: Events, on the transport's thread

    func exchange(_ id: ExchangeID, didReceiveInformational head: HTTPResponse) {
        announce([.informational(head)])
    }

    func exchange(_ id: ExchangeID, didReceive head: HTTPResponse) -> BodyDisposition {
        let (decision, machine) = guarded.withLock { guarded in
            let decision = guarded.machine.headReceived(head)
            if !guarded.machine.isFollowing { guarded.response = head }
            guarded.progress.expectedToReceive = guarded.machine.total
            guarded.progress.resumedFrom = guarded.machine.resumedFrom
            return (decision, guarded.machine)
        }
        switch decision {
        case .discard, .abort:
            if !machine.isFollowing { announceHead(head) }
            return decision == .discard ? Self.disposal(of: head) : .abort
        case .deliver:
            announceHead(head)
            return .deliver
        case .write(let offset, let expectedEnd):
            return store(head, offset: offset, expectedEnd: expectedEnd, resumedFrom: machine.resumedFrom, total: machine.total)
        }
    }

    private func store(_ head: HTTPResponse, offset: Int64, expectedEnd: Int64?, resumedFrom: Int64, total: Int64?)
        -> BodyDisposition {
        guard case .download(let target) = payload else { return .discard }
        do throws(TransferError) {
            if case .refuse(let error) = target.admit(head) { throw error }
            let disposition = try openDestination(target, offset: offset, expectedEnd: expectedEnd)
            announceHead(head)
            if resumedFrom > 0 { announce([.resumed(offset: resumedFrom, expected: total)]) }
            return disposition
        } catch {
            guarded.withLock { $0.machine.destinationFailed(error) }
            announceHead(head)
            return Self.disposal(of: head)
        }
    }

    /// A short body that nobody wants is read, so that the connection can be used again; any other is cut off.
    private static func disposal(of head: HTTPResponse) -> BodyDisposition {
        let length = ResumePolicy.bodyLength(head)
        return length.map { $0 <= 65_536 } ?? false ? .discard : .abort
    }

    private func openDestination(_ target: DownloadTarget, offset: Int64, expectedEnd: Int64?)
        throws(TransferError) -> BodyDisposition {
        let file: PartialFile
        switch target.place {
        case .stream(let descriptor): return .stream(descriptor: descriptor)
        case .partial(let given): file = given
        case .temporary:
            let kept = guarded.withLock { $0.temporary }
            let folder = guarded.withLock { $0.session?.configuration.temporaryFolder }
            file = if let kept { kept } else { try TemporaryFile.make(in: folder) }
            guarded.withLock { $0.temporary = file }
        }
        if file.length != offset { try file.truncate(to: offset) }
        return .file(descriptor: file.descriptor, offset: offset, expectedEnd: expectedEnd)
    }

    func exchange(_ id: ExchangeID, didReceive bytes: UnsafeRawBufferPointer) {
        guarded.withLock { $0.progress.received += Int64(bytes.count) }
        announce([.data([UInt8](bytes))])
    }

    func exchange(_ id: ExchangeID, didProgress progress: ExchangeProgress) {
        if let event = guarded.withLock({ note(progress, in: &$0) }) { announce([event]) }
    }

    func exchange(_ id: ExchangeID, didComplete outcome: ExchangeOutcome) {
        let result = guarded.withLock { guarded -> (TaskEvent?, TaskStateMachine.Step, TransferSession)? in
            guard let session = guarded.session, let plan = guarded.plan else { return nil }
            guarded.exchange = nil
            if plan.sendsBody, outcome.bodyHandedOver > 0, case .upload(.stream, _) = payload { guarded.hasReadStream = true }
            let event = note(outcome.progress, in: &guarded)
            guarded.digest = outcome.digest
            guarded.metrics.add(outcome)
            let failure = outcome.failure.map {
                TransferError($0, authority: plan.url.authority, moved: outcome.progress)
            }
            return (event, guarded.machine.exchangeEnded(failure, received: outcome.progress.received), session)
        }
        guard let (event, step, session) = result else { return }
        if let event { announce([event]) }
        perform(step, exchange: nil, session: session)
    }

    /// Takes the transport's counts over; tells what moved since the last time, if the listener is to hear of it.
    private func note(_ moved: ExchangeProgress, in guarded: inout Guarded) -> TaskEvent? {
        let previous = guarded.progress
        guarded.progress.received = moved.received
        guarded.progress.sent = moved.sent
        if guarded.plan?.sendsBody == true, moved.sent != previous.sent {
            return .sent(bytes: moved.sent - previous.sent, total: moved.sent, expected: previous.expectedToSend)
        }
        guard case .download = payload, guarded.machine.hasResult, moved.received != previous.received else { return nil }
        return .wrote(bytes: moved.received - previous.received, total: guarded.machine.resumedFrom + moved.received,
                      expected: guarded.machine.total)
    }
}

extension HTTPRequest.Method {
    /// RFC 9110, section 9.2.2: repeating it changes nothing more.
    var isIdempotent: Bool {
        [.get, .head, .put, .delete, .options, .trace].contains(self)
    }
}

extension TransferMetrics {
    /// Adds what one exchange cost; its times replace those of the one before.
    mutating func add(_ outcome: ExchangeOutcome) {
        let times = outcome.metrics
        nameLookup = times.nameLookup
        connect = times.connect
        tls = times.tls
        firstByte = times.firstByte
        total = times.total
        protocolName = times.protocolName ?? protocolName
        remoteAddress = times.remoteAddress ?? remoteAddress
        isReusedConnection = times.isReusedConnection
        bodyReceived += outcome.progress.received
        bodySent += outcome.bodyHandedOver
    }
}
