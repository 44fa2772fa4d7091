// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import TransferModel

/// Hearing of an exchange, on the transport's thread.
extension TaskDriver: ExchangeHandler {
    func exchange(_ id: ExchangeID, didReceiveInformational head: HTTPResponse) {
        announce([.informational(head)])
    }

    func exchange(_ id: ExchangeID, didReceive head: HTTPResponse) -> BodyDisposition {
        guard let session = guarded.withLock({ $0.session }) else { return .abort }
        return headArrived(decoded(head, session), session)
    }

    /// The head as it fits the body that is handed over.
    private func decoded(_ head: HTTPResponse, _ session: TransferSession) -> HTTPResponse {
        guard guarded.withLock({ $0.isDecoding }), let coding = head.headerFields[.contentEncoding] else { return head }
        let known = Set(session.transport.supportedCodings + ["x-gzip", "identity"])
        let names = coding.split(separator: ",").map { name in name.filter { $0 != " " && $0 != "\t" }.lowercased() }
        guard names.allSatisfy(known.contains) else { return head }
        guarded.withLock { $0.isDecoded = true }
        var head = head
        (head.headerFields[.contentEncoding], head.headerFields[.contentLength]) = (nil, nil)
        return head
    }

    /// The head of an answer, from the network or from the cache.
    func headArrived(_ head: HTTPResponse, _ session: TransferSession) -> BodyDisposition {
        connectivityConfirmed(session)
        takeNotes(of: head, session)
        var context = context(session)
        context.isDecoded = guarded.withLock { $0.isDecoded }
        if head.status.code == 304 { context.storedIsConfirmed = confirmsStored(head, session) }
        let decision = guarded.withLock { guarded in
            let decision = guarded.machine.headReceived(head, context)
            // At once: no resume point may join the new version's validator to the bytes of the old one.
            if case .write(let offset, _) = decision { (guarded.storedBefore, guarded.isStoring) = (offset, true) }
            return decision
        }
        return obey(decision, head, session)
    }

    /// What a head says to the session, whatever becomes of the answer.
    private func takeNotes(of head: HTTPResponse, _ session: TransferSession) {
        let (plan, isException) = guarded.withLock { ($0.plan, $0.trustsByException) }
        guard let plan, plan.answersFromCache != .stored else { return }
        let configuration = session.configuration
        if head.headerFields.contains(.setCookie) {
            try? cookieStorage(session)?.store(head.headerFields, from: plan.url, mainDocument: request.url)
            session.saveSoon()
        }
        if plan.url.isSecure, !isException {
            if configuration.transportSecurity?.note(head.headerFields, from: plan.url) == true { session.saveSoon() }
            if configuration.alternativeServices?.note(head.headerFields, from: plan.url) == true { session.saveSoon() }
        }
    }

    /// Turns the machine's decision on a head into the place where its body goes. A question is asked here.
    func obey(_ decision: TaskStateMachine.HeadDecision, _ head: HTTPResponse, _ session: TransferSession) -> BodyDisposition {
        let machine = guarded.withLock { guarded in
            if !guarded.machine.isFollowing { guarded.response = head }
            guarded.progress.expectedToReceive = guarded.machine.total ?? guarded.machine.announced
            guarded.progress.resumedFrom = guarded.machine.resumedFrom
            if case .write(let offset, _) = decision { (guarded.storedBefore, guarded.isStoring) = (offset, true) }
            return guarded.machine
        }
        switch decision {
        case .ask(let question):
            ask(question, session)
            return .hold
        case .discard, .abort:
            if !machine.isFollowing { announceHead(head) }
            if decision == .discard, !machine.isFollowing, target != nil, head.status.code >= 400 { return explanation(session) }
            return decision == .discard ? Self.disposal(of: head) : .abort
        case .deliver:
            prepareCaching(head, session)
            announceHead(head)
            return .deliver
        case .proceed: return .deliver
        case .pipe: return openPipe(head, session)
        case .write(let offset, let expectedEnd):
            return store(head, offset: offset, expectedEnd: expectedEnd, machine, session)
        }
    }

    /// A short body that nobody wants is read, so that the connection can be used again; any other is cut off.
    private static func disposal(of head: HTTPResponse) -> BodyDisposition {
        let length = ResumePolicy.bodyLength(head)
        return length.map { $0 <= 65_536 } ?? false ? .discard : .abort
    }

    func exchange(_ id: ExchangeID, didReceive bytes: UnsafeRawBufferPointer) {
        if takesExplanation(bytes) { return }
        let pipe = guarded.withLock { guarded in
            guarded.progress.received += Int64(bytes.count)
            guarded.caching.writer?.append(bytes)
            return guarded.pipe
        }
        if let pipe { pipe.received([UInt8](bytes)) } else { announce([.data([UInt8](bytes))]) }
    }

    func exchange(_ id: ExchangeID, didProgress progress: ExchangeProgress) {
        let (event, session) = guarded.withLock { (note(progress, in: &$0), $0.session) }
        if let session { connectivityConfirmed(session) }
        if let event { announce([event]) }
    }

    func exchange(_ id: ExchangeID, didComplete outcome: ExchangeOutcome) {
        let (event, end, session, mustWait) = guarded.withLock { guarded -> (TaskEvent?, ExchangeEnd, TransferSession?, Bool) in
            let plan = guarded.plan
            guarded.stage = .none
            if plan?.sendsBody == true, outcome.bodyHandedOver > 0, case .upload(.stream, _) = payload {
                guarded.hasReadStream = true
                guarded.newStream = nil
            }
            let event = note(outcome.progress, in: &guarded)
            guarded.digest = outcome.digest
            guarded.isAnsweredEarly = outcome.isAnsweredEarly
            if let plan { guarded.metrics.add(outcome, url: plan.url, method: plan.method, isStored: plan.answersFromCache == .stored) }
            var end = ExchangeEnd(outcome, url: plan?.url ?? request.url, proxy: guarded.proxy)
            if guarded.alternative != nil, outcome.isWithoutConnection { end.demand = .withoutAlternative }
            // An answer without a body is whole before anybody has said what it means.
            let mustWait = outcome.failure == nil && guarded.machine.isAsking && !guarded.machine.isCancelled
            if mustWait { guarded.stage = .answered(end) }
            return (event, end, guarded.session, mustWait)
        }
        guard let session else { return }
        noteBrokenAlternative(end, session)
        if let name = outcome.metrics.protocolName { session.noteProtocol(name, host: gateHost) }
        session.noteAddress(outcome.metrics.remoteAddress, of: connectionHost(session))
        if let failure = end.failure, [.unreached, .broke].contains(FailurePolicy.verdict(failure).path) {
            session.noteFailure(of: connectionHost(session))
        }
        session.leaveGate(identifier)
        if let event { announce([event]) }
        if !mustWait { self.end(end, session) }
    }

    /// The head has been decided on whose exchange had ended before.
    func goOn(after outcome: ExchangeEnd, _ session: TransferSession) {
        guarded.withLock { $0.stage = .none }
        end(outcome, session)
    }

    private func noteBrokenAlternative(_ end: ExchangeEnd, _ session: TransferSession) {
        guard case .withoutAlternative = end.demand else { return }
        let (alternative, plan) = guarded.withLock { ($0.alternative, $0.plan) }
        guard let alternative, let plan else { return }
        session.configuration.alternativeServices?.markBroken(alternative, of: plan.url)
    }

    /// Takes the transport's counts over; tells what moved since the last time, if the listener is to hear of it.
    func note(_ moved: ExchangeProgress, in guarded: inout Guarded) -> TaskEvent? {
        let previous = guarded.progress
        guarded.progress.received = moved.received
        guarded.progress.sent = moved.sent
        if guarded.plan?.sendsBody == true, !isDownload(guarded), moved.sent != previous.sent {
            return .sent(bytes: moved.sent - previous.sent, total: moved.sent, expected: guarded.progress.expectedToSend)
        }
        guard guarded.machine.hasResult, moved.received != previous.received else { return nil }
        return .wrote(bytes: moved.received - previous.received, total: guarded.machine.resumedFrom + moved.received,
                      expected: guarded.machine.total ?? guarded.progress.expectedToReceive)
    }
}

extension ExchangeOutcome {
    /// No request began to be sent, for want of a connection to a server that is who it should be.
    var isWithoutConnection: Bool {
        guard metrics.requestSent == nil, metrics.status == nil, bodyHandedOver == 0 else { return false }
        return switch failure?.cause {
        case .transport, .connectTimeout, .certificatePinMismatch: true
        default: false
        }
    }
}

extension ExchangeEnd {
    init(_ outcome: ExchangeOutcome, url: TransferURL, proxy: ProxyServer?) {
        failure = outcome.failure.map {
            TransferError($0, authority: url.authority, proxy: proxy, isSecure: url.isSecure, moved: outcome.progress)
        }
        received = outcome.progress.received
        demand = switch outcome.failure?.cause {
        case .trustUndecided(let trust): .trust(trust)
        case .clientCertificateRequired: .clientCertificate
        case .proxyRefused(let head) where head.status.code == 407: .proxyLogin(head)
        default: .none
        }
    }
}
