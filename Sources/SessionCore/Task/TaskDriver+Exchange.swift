// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import TransferModel

/// Hearing of an exchange, on the transport's thread.
extension TaskDriver: ExchangeHandler {
    func exchange(_ id: ExchangeID, didReceiveInformational head: HTTPResponse) {
        announce([.informational(head)])
    }

    func exchange(_ id: ExchangeID, didReceive head: HTTPResponse) -> BodyDisposition { headArrived(head) }

    /// A decision on a head, and what it changed.
    struct HeadVerdict {
        var decision: TaskMachine.HeadDecision
        var head: HTTPResponse
        /// The head only leads to another exchange.
        var isFollowing: Bool
        var resumedFrom: Int64
        var total: Int64?
    }

    /// The head of a response, from the network or from the cache.
    func headArrived(_ head: HTTPResponse) -> BodyDisposition {
        let seen = guarded.withLock { guarded -> (TransferSession, Seen, Circumstances, Confirmation)? in
            guard let session = guarded.session else { return nil }
            let running = guarded.machine.running
            let seen = Seen(url: guarded.machine.plan.url, running: running)
            return (session, seen, circumstances(running?.proxy, &guarded), confirmConnectivity(&guarded))
        }
        guard let (session, seen, own, confirmation) = seen else { return .abort }
        carryOut(confirmation, session)
        let decoded = seen.running?.decodesBody == true ? decoded(head, session) : nil
        let head = decoded ?? head
        takeNotes(of: head, seen, session)
        var context = context(session, own)
        context.isDecoded = decoded != nil
        if head.status.code == 304 { context.storedIsConfirmed = confirmsStored(head, session) }
        let verdict = guarded.withLock { guarded in note(guarded.machine.headReceived(head, context), head, &guarded) }
        return obey(verdict, session)
    }

    /// The head as it fits a decoded body; `nil` where the body is handed over as it comes.
    private func decoded(_ head: HTTPResponse, _ session: TransferSession) -> HTTPResponse? {
        guard let coding = head.headerFields[.contentEncoding] else { return nil }
        let known = Set(session.transport.supportedCodings + ["x-gzip", "identity"])
        let names = coding.split(separator: ",").map { name in name.filter { $0 != " " && $0 != "\t" }.lowercased() }
        guard names.allSatisfy(known.contains) else { return nil }
        var head = head
        (head.headerFields[.contentEncoding], head.headerFields[.contentLength]) = (nil, nil)
        return head
    }

    /// An exchange as an event of it found it.
    struct Seen {
        var url: TransferURL
        /// `nil` where the cache gives the response.
        var running: TaskMachine.Running?
    }

    /// What a head says to the session, whatever becomes of the response.
    private func takeNotes(of head: HTTPResponse, _ seen: Seen, _ session: TransferSession) {
        guard let running = seen.running else { return }
        let url = seen.url
        if head.headerFields.contains(.setCookie) {
            let request = request
            try? cookieStorage(request.options, session)?.store(head.headerFields, from: url, mainDocument: request.url)
            session.saveSoon()
        }
        if url.isSecure, !running.trustsByException {
            let configuration = session.configuration
            if configuration.transportSecurity?.note(head.headerFields, from: url) == true { session.saveSoon() }
            if configuration.alternativeServices?.note(head.headerFields, from: url) == true { session.saveSoon() }
        }
    }

    /// Takes a decision into what the task shows. Under the lock: no resume point may join the new version's validator
    /// to the bytes of the old one.
    func note(_ decision: TaskMachine.HeadDecision, _ head: HTTPResponse, _ guarded: inout Guarded) -> HeadVerdict {
        let isFollowing = guarded.machine.isFollowing
        if !isFollowing { guarded.report.response = head }
        guarded.report.progress.expectedToReceive = guarded.machine.total ?? guarded.machine.announced
        guarded.report.progress.resumedFrom = guarded.machine.resumedFrom
        if case .write(let offset, _) = decision { guarded.storage.store(from: offset) }
        return HeadVerdict(
            decision: decision, head: head, isFollowing: isFollowing, resumedFrom: guarded.machine.resumedFrom,
            total: guarded.machine.total)
    }

    /// Turns the machine's decision on a head into the place where its body goes. A question is asked here.
    func obey(_ verdict: HeadVerdict, _ session: TransferSession) -> BodyDisposition {
        let head = verdict.head
        switch verdict.decision {
        case .ask(let question):
            ask(question, session)
            return .hold
        case .discard, .abort:
            if verdict.isFollowing { return verdict.decision == .discard ? Self.disposal(of: head) : .abort }
            announceHead(head, session)
            guard verdict.decision == .discard else { return .abort }
            return target != nil && head.status.code >= 400 ? explanation(session) : Self.disposal(of: head)
        case .deliver:
            prepareCaching(head, session)
            announceHead(head, session)
            return .deliver
        case .proceed: return .deliver
        case .pipe: return openPipe(head, session)
        case .write(let offset, let expectedEnd):
            return store(verdict, offset: offset, expectedEnd: expectedEnd, session)
        }
    }

    /// A short body that nobody wants is read, so that the connection can be used again; any other is cut off.
    private static func disposal(of head: HTTPResponse) -> BodyDisposition {
        let length = ResumePolicy.bodyLength(head)
        return length.map { $0 <= 65_536 } ?? false ? .discard : .abort
    }

    func exchange(_ id: ExchangeID, didReceive bytes: UnsafeRawBufferPointer) {
        var isExplained = false
        let taken = guarded.withLock { guarded -> (TransferSession, ResponsePipe?)? in
            guard let session = guarded.session else { return nil }
            if let count = guarded.report.refusedBody?.count {
                guarded.report.refusedBody?.append(contentsOf: bytes.prefix(Self.explanationBytes - count))
                isExplained = count + bytes.count >= Self.explanationBytes
                return nil
            }
            guarded.report.progress.received += Int64(bytes.count)
            guarded.caching.writer?.append(bytes)
            return (session, guarded.storage.pipe)
        }
        if isExplained { call { $0.explained() } }
        guard let (session, pipe) = taken else { return }
        if let pipe { pipe.received([UInt8](bytes)) } else { announce([.data([UInt8](bytes))], session) }
    }

    func exchange(_ id: ExchangeID, didProgress progress: ExchangeProgress) {
        let taken = guarded.withLock { guarded -> (TransferSession, TaskEvent?, Confirmation)? in
            guard let session = guarded.session else { return nil }
            let event = note(progress, in: &guarded)
            return (session, event, confirmConnectivity(&guarded))
        }
        guard let (session, event, confirmation) = taken else { return }
        carryOut(confirmation, session)
        if let event { announce([event], session) }
    }

    func exchange(_ id: ExchangeID, didComplete outcome: ExchangeOutcome) {
        let taken = guarded.withLock { guarded -> (TransferSession, Seen, Circumstances, TaskEvent?)? in
            guard let session = guarded.session, guarded.machine.source != nil else { return nil }
            let running = guarded.machine.running
            let url = guarded.machine.plan.url
            if guarded.machine.plan.sendsBody, outcome.bodyHandedOver > 0, case .upload(.stream, _) = payload {
                guarded.upload.hasReadStream = true
                (guarded.upload.newStream, guarded.upload.hasAskedForStream) = (nil, false)
            }
            let event = note(outcome.progress, in: &guarded)
            guarded.report.digest = outcome.digest
            guarded.report.isAnsweredEarly = outcome.isAnsweredEarly
            let isStored = guarded.machine.plan.answersFromCache == .stored
            guarded.report.metrics.add(outcome, url: url, method: guarded.machine.plan.method, isStored: isStored)
            return (session, Seen(url: url, running: running), circumstances(running?.proxy, &guarded), event)
        }
        guard let (session, seen, own, event) = taken else { return }
        let end = end(of: outcome, seen, session)
        if let event { announce([event], session) }
        let context = context(session, own)
        call { $0.exchangeEnded(end, context) }
    }

    /// What an outcome says to the session, and what it is to the machine.
    private func end(of outcome: ExchangeOutcome, _ seen: Seen, _ session: TransferSession) -> ExchangeEnd {
        let url = seen.url
        var end = ExchangeEnd(outcome, url: url, proxy: seen.running?.proxy)
        if let alternative = seen.running?.alternative, outcome.isWithoutConnection {
            end.demand = .withoutAlternative
            session.configuration.alternativeServices?.markBroken(alternative, of: url)
        }
        guard let running = seen.running else { return end }
        if let name = outcome.metrics.protocolName { session.noteProtocol(name, host: url.origin) }
        session.noteAddress(outcome.metrics.remoteAddress, of: running.host)
        if let failure = end.failure, [.unreached, .broke].contains(FailurePolicy.verdict(failure).path) {
            session.noteFailure(of: running.host)
        }
        return end
    }

    /// Takes the transport's counts over; says what moved since the last time, where the listener is to know.
    private func note(_ moved: ExchangeProgress, in guarded: inout Guarded) -> TaskEvent? {
        let (received, sent) = (guarded.report.progress.received, guarded.report.progress.sent)
        guarded.report.progress.received = moved.received
        guarded.report.progress.sent = moved.sent
        if moved.sent != sent, guarded.machine.plan.sendsBody, !isDownload(&guarded) {
            return .sent(bytes: moved.sent - sent, total: moved.sent, expected: guarded.report.progress.expectedToSend)
        }
        guard guarded.machine.hasResult, moved.received != received else { return nil }
        return .wrote(
            bytes: moved.received - received, total: guarded.machine.resumedFrom + moved.received,
            expected: guarded.machine.total ?? guarded.report.progress.expectedToReceive)
    }

    private func isDownload(_ guarded: inout Guarded) -> Bool {
        if case .download = payload { true } else { guarded.storage.becameDownload != nil }
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
        demand =
            switch outcome.failure?.cause {
            case .trustUndecided(let trust): .trust(trust)
            case .clientCertificateRequired: .clientCertificate
            case .proxyRefused(let head) where head.status.code == 407: .proxyLogin(head)
            default: .none
            }
    }
}
