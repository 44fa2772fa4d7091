// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import TransferModel

/// The events of an exchange, on the transport's thread.
extension TaskDriver: ExchangeHandler {
    nonisolated func exchange(_ id: ExchangeID, didReceiveInformational head: HTTPResponse) {
        assumeIsolated { driver in
            driver.machine.uploadInformed(head)
            driver.publish()
            driver.announce([.informational(head)])
        }
    }

    nonisolated func exchange(_ id: ExchangeID, didReceive head: HTTPResponse) -> BodyDisposition {
        assumeIsolated { $0.headArrived(head) }
    }

    nonisolated func exchange(_ id: ExchangeID, didReceive bytes: UnsafeRawBufferPointer) {
        let piece = [UInt8](bytes)
        assumeIsolated { $0.bodyArrived(piece) }
    }

    nonisolated func exchange(_ id: ExchangeID, didProgress progress: ExchangeProgress) {
        assumeIsolated { $0.moved(progress) }
    }

    nonisolated func exchange(_ id: ExchangeID, didComplete outcome: ExchangeOutcome) {
        assumeIsolated { $0.completed(outcome) }
    }

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
        guard let session else { return .abort }
        let running = machine.running
        confirmConnectivity(session)
        let decoded = running?.decodesBody == true ? decoded(head, session) : nil
        let head = decoded ?? head
        if let running { takeNotes(of: head, machine.plan.url, running, session) }
        var context = context(session, proxy: running?.proxy)
        context.isDecoded = decoded != nil
        if head.status.code == 304 { context.storedIsConfirmed = confirmsStored(head, session) }
        let decision = machine.headReceived(head, context)
        passUploadNews(to: session)
        return obey(note(decision, head), session)
    }

    /// The head as it fits a decoded body; `nil` if the body is not decoded.
    private func decoded(_ head: HTTPResponse, _ session: TransferSession) -> HTTPResponse? {
        guard let coding = head.headerFields[.contentEncoding] else { return nil }
        let known = Set(session.transport.supportedCodings + ["x-gzip", "identity"])
        let names = coding.split(separator: ",").map { name in name.filter { $0 != " " && $0 != "\t" }.lowercased() }
        guard names.allSatisfy(known.contains) else { return nil }
        var head = head
        (head.headerFields[.contentEncoding], head.headerFields[.contentLength]) = (nil, nil)
        return head
    }

    /// Stores what the session learns from a head, whatever the task does with the response: cookies, HSTS, Alt-Svc.
    private func takeNotes(
        of head: HTTPResponse, _ url: TransferURL, _ running: TaskMachine.Running, _ session: TransferSession
    ) {
        if head.headerFields.contains(.setCookie) {
            let (request, configuration) = (request, session.configuration)
            if configuration.keepsCookiesWithinTasks {
                ownCookies = ownCookies ?? configuration.cookieJars?.ofTask()
            }
            try? cookieStorage(request.options, session)?.store(head.headerFields, from: url, mainDocument: request.url)
            session.saveSoon()
        }
        if url.isSecure, !running.trustsByException {
            let configuration = session.configuration
            if configuration.transportSecurity?.note(head.headerFields, from: url) == true { session.saveSoon() }
            if configuration.alternativeServices?.note(head.headerFields, from: url) == true { session.saveSoon() }
        }
    }

    /// Publishes a decision.
    func note(_ decision: TaskMachine.HeadDecision, _ head: HTTPResponse) -> HeadVerdict {
        let isFollowing = machine.isFollowing
        if case .write(let offset, _) = decision { storage.store(from: offset) }
        publish { face in
            if !isFollowing { face.response = head }
            face.progress.expectedToReceive = machine.total ?? machine.announced
            face.progress.resumedFrom = machine.resumedFrom
        }
        return HeadVerdict(
            decision: decision, head: head, isFollowing: isFollowing, resumedFrom: machine.resumedFrom,
            total: machine.total)
    }

    /// Turns the machine's decision on a head into the destination of its body. A question is asked here.
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

    /// A short body without use is read, so that the connection can be reused; any other ends its connection.
    private static func disposal(of head: HTTPResponse) -> BodyDisposition {
        let length = ResumePolicy.bodyLength(head)
        return length.map { $0 <= 65_536 } ?? false ? .discard : .abort
    }

    func bodyArrived(_ piece: [UInt8]) {
        guard let session else { return }
        var (isExplaining, isExplained) = (false, false)
        face.withLock { face in
            guard let count = face.refusedBody?.count else {
                face.progress.received += Int64(piece.count)
                return
            }
            face.refusedBody?.append(contentsOf: piece.prefix(Self.explanationBytes - count))
            (isExplaining, isExplained) = (true, count + piece.count >= Self.explanationBytes)
        }
        if isExplained { call { $0.explained() } }
        if isExplaining { return }
        piece.withUnsafeBytes { caching.writer?.append($0) }
        if let pipe = storage.pipe { pipe.received(piece) } else { announce([.data(piece)], session) }
    }

    private func moved(_ progress: ExchangeProgress) {
        guard let session else { return }
        let event = note(progress)
        confirmConnectivity(session)
        if let event { announce([event], session) }
    }

    func completed(_ outcome: ExchangeOutcome) {
        guard let session, machine.source != nil else { return }
        let (running, plan) = (machine.running, machine.plan)
        if plan.sendsBody, outcome.bodyHandedOver > 0, sendsStream {
            upload.hasReadStream = true
            (upload.newStream, upload.hasAskedForStream) = (nil, false)
        }
        let event = note(outcome.progress) { face in
            face.digest = outcome.digest
            face.hasEarlyResponse = outcome.hasEarlyResponse
            face.handedOver = max(face.handedOver, outcome.bodyHandedOver)
        }
        metrics.add(outcome, url: plan.url, method: plan.method, isStored: plan.answersFromCache == .stored)
        if outcome.failure?.cause == .rangeExceeded { takeBack() }
        let end = end(of: outcome, plan.url, running, session)
        if let event { announce([event], session) }
        let context = context(session, proxy: running?.proxy)
        call { $0.exchangeEnded(end, context) }
    }

    private var sendsStream: Bool {
        if case .upload(.stream, _) = payload { true } else { false }
    }

    /// What the session learns from an outcome, and the outcome as the machine takes it.
    private func end(
        of outcome: ExchangeOutcome, _ url: TransferURL, _ running: TaskMachine.Running?, _ session: TransferSession
    ) -> ExchangeEnd {
        var end = ExchangeEnd(outcome, url: url, proxy: running?.proxy)
        if let alternative = running?.alternative, outcome.isWithoutConnection {
            end.demand = .withoutAlternative
            session.configuration.alternativeServices?.markBroken(alternative, of: url)
        } else if outcome.foundConnectionDead, machine.mayChangeConnection, !sendsStream {
            end.demand = .newConnection
        }
        guard let running else { return end }
        if let name = outcome.metrics.protocolName { session.noteProtocol(name, host: url.origin) }
        session.noteAddress(outcome.metrics.remoteAddress, of: running.host)
        if let failure = end.failure, [.unreached, .broke].contains(FailurePolicy.verdict(failure).path) {
            session.noteFailure(of: running.host)
        }
        return end
    }

    /// Publishes the transport's counts, with further changes.
    /// - Returns: what moved since the last time, if the listener is notified of it.
    private func note(_ moved: ExchangeProgress, _ change: (inout TaskSnapshot) -> Void = { _ in }) -> TaskEvent? {
        machine.uploadSent(moved.sent)
        let sent = machine.uploadBase + moved.sent
        let before = face.withLock { face in
            change(&face)
            defer { (face.progress.received, face.progress.sent) = (moved.received, sent) }
            return face.progress
        }
        if sent != before.sent, machine.plan.sendsBody, !isDownload {
            return .sent(bytes: sent - before.sent, total: sent, expected: before.expectedToSend)
        }
        guard machine.hasResult, moved.received > before.received else { return nil }
        return .wrote(
            bytes: moved.received - before.received, total: machine.resumedFrom + moved.received,
            expected: machine.total ?? before.expectedToReceive)
    }

    private var isDownload: Bool {
        if case .download = payload { true } else { storage.becameDownload != nil }
    }
}

extension ExchangeOutcome {
    /// Nothing of the request was sent, since there was no connection to a server that proved its identity.
    var isWithoutConnection: Bool {
        guard metrics.requestSent == nil, metrics.status == nil, bodyHandedOver == 0 else { return false }
        return switch failure?.cause {
        case .transport, .connectTimeout, .certificatePinMismatch: true
        default: false
        }
    }

    /// No byte of a response came over a connection that had been used before, and the server need not have read any
    /// of what was sent: the kernel's buffers may have taken it. libcurl repeats a request that fails while the
    /// response is read, and none that fails while it is sent.
    var foundConnectionDead: Bool {
        guard metrics.isReusedConnection, metrics.status == nil, bodyHandedOver <= 4_194_304 else { return false }
        return switch failure?.cause {
        case .transport(.sendFailed, _, _), .transport(.receiveFailed, _, _), .transport(.noResponse, _, _): true
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
        handedOver = outcome.bodyHandedOver
        demand =
            switch outcome.failure?.cause {
            case .trustUndecided(let trust): .trust(trust)
            case .clientCertificateRequired: .clientCertificate(isRequired: true)
            case .clientCertificateRequested: .clientCertificate(isRequired: false)
            case .proxyRefused(let head) where head.status.code == 407: .proxyLogin(head)
            default: .none
            }
    }
}
