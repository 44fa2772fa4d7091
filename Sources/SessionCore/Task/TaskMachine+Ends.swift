// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// How an exchange ended, as far as it matters for decisions.
struct ExchangeEnd: Sendable {
    /// Translated; `nil` if the response is complete by HTTP's framing.
    var failure: TransferError?
    /// Body bytes of this exchange that were stored.
    var received: Int64 = 0
    /// Bytes of the request body that the transport took; `nil`: all.
    var handedOver: Int64?
    var demand = Demand.none

    /// A demand on the client below HTTP.
    enum Demand: Sendable {
        case none
        /// These certificates await a decision.
        case trust(ServerTrust)
        /// - Parameter isRequired: false: the request may also be sent without one.
        case clientCertificate(isRequired: Bool)
        /// The proxy's 407 to CONNECT.
        case proxyLogin(HTTPResponse)
        /// Nothing was sent, since there was no connection to the alternative service (RFC 7838).
        case withoutAlternative
        /// The connection had been used before and broke before any byte of a response, as if the server had closed it
        /// before the request, and ``TaskMachine/mayChangeConnection``.
        case newConnection
    }
}

/// Decides what follows an exchange.
extension TaskMachine {
    mutating func exchangeEnded(_ failure: TransferError?, received: Int64) -> Step {
        exchangeEnded(ExchangeEnd(failure: failure, received: received), .init())
    }

    mutating func exchangeEnded(_ outcome: ExchangeEnd, _ context: DecisionContext) -> Step {
        guard source != nil else { return .none }
        pathHold = nil
        if case .following = state {
            sentOfLeg = 0
        } else {
            sentOfLeg = max(sentOfLeg, outcome.handedOver ?? .max)
        }
        if hasBeenCancelled { return end(.cancelled) }
        switch state {
        case .sent: return endedWithoutHead(outcome, context)
        case .asking(let source, let question, let head):
            // The exchange failed while a delegate decided on its head: the decision no longer matters.
            if let failure = outcome.failure { return end(failure) }
            if case .network(let running) = source { state = .asking(.ended(running, outcome), question, head) }
            return .none
        case .opening(.network(let running), let expected):
            state = .opening(.ended(running, outcome), expected: expected)
            return .none
        case .receiving(_, let expected): return endedAfterHead(expected, outcome, context)
        case .following(_, let next):
            if let failure = outcome.failure, failure.code == .timedOut { return end(failure) }
            return begin(next)
        case .parking(_, let offset, let wait): return parked(offset, wait, outcome)
        case .refusing(_, let error): return end(error)
        default: return .none
        }
    }

    /// The body that was held has its destination; the exchange may have ended before.
    mutating func bodyPlaced(_ context: DecisionContext) -> Step {
        guard case .ended(_, let outcome)? = source else { return .none }
        return exchangeEnded(outcome, context)
    }

    private mutating func parked(_ offset: Int64, _ wait: PathWait?, _ outcome: ExchangeEnd) -> Step {
        if plan.leg == nil { comeBack(at: offset + outcome.received) } else { resumable?.interrupt() }
        if isSuspended {
            state = .parked
            return .none
        }
        guard let wait else { return begin() }
        state = .waiting(wait)
        return .wait(wait)
    }

    /// The next exchange resumes at `offset`.
    private mutating func comeBack(at offset: Int64) {
        let total = hasResult ? total : plan.resume?.total
        guard
            var point = ResumePoint(
                offset: offset, validator: validator, total: total, contentType: contentType,
                contentEncoding: contentEncoding)
        else {
            // A response with the whole resource has taken the place of the bytes from which it was to resume, and
            // brought none: there is nothing to append to. One that is still awaited has replaced nothing.
            if hasResult, storedPoint == nil { plan.resume = nil }
            return
        }
        point.end = hasResult ? requestedEnd : plan.resume?.end
        point.address = hasResult ? plan.url : plan.resume?.address
        point.hasComeInRanges = hasComeInRanges
        point.isVouched = !hasResult && plan.resume?.isVouched == true
        plan.resume = point
        if hasResult { plan.isDirect = isRedirected }
        storedPoint = point
        firstPartBegan = nil
    }

    /// The response came from another address than the requested one, which can be requested again.
    private var isRedirected: Bool { mayRepeat(first) && plan.url.string != first.url.string }

    /// The response has ended where its head had stated, and that is before the end of the requested range: the server
    /// limits what one response contains. What follows is requested at once, of one that sends crumbs not for ever.
    /// - Returns: `nil` if nothing is missing.
    private mutating func requestNextPart(_ received: Int64) -> Step? {
        let reached = resumedFrom + received
        guard role != .upload, received > 0, let end = requestedEnd ?? total, reached < end,
            var rest = plan.resume
        else { return nil }
        if received < Self.smallPart { smallParts += 1 }
        guard smallParts <= Self.mostSmallParts else {
            return self.end(
                TransferError(.partialFile, .shortBody, received, end - resumedFrom, host: plan.url.authority))
        }
        (rest.offset, rest.total, rest.address, rest.hasComeInRanges) = (reached, total ?? rest.total, plan.url, true)
        (plan.resume, storedPoint, plan.isDirect) = (rest, rest, hasResult && isRedirected)
        firstPartBegan = firstPartBegan ?? resumedFrom
        return begin()
    }

    /// Bytes below which a part costs more than it brings, and how many of these are requested without a pause.
    private static let (smallPart, mostSmallParts): (Int64, Int) = (65_536, 100)

    private mutating func endedAfterHead(_ expected: Int64?, _ outcome: ExchangeEnd, _ context: DecisionContext) -> Step
    {
        // The connection broke with the network: it resumes from here when that is back.
        if let failure = outcome.failure, FailurePolicy.verdict(failure).path == .broke, context.waitsForConnectivity,
            canComeBack,
            case .waits(let wait) = context.path(plan.url)
        {
            comeBack(at: resumedFrom + outcome.received)
            state = .waiting(wait)
            return .wait(wait)
        }
        // It has the rest, and does not send it: redirects of the requested address may lead to a server that does.
        if plan.isDirect, outcome.received == 0, let failure = outcome.failure,
            FailurePolicy.verdict(failure).path == .broke
        {
            (storedPoint, directFailure) = (plan.resume, failure)
            return begin(indirectly())
        }
        // The next attempt does not know the former size, which may have been a false statement.
        if outcome.failure == nil, let expected = expected ?? formerTotal, outcome.received != expected {
            return end(
                TransferError(.partialFile, .shortBody, outcome.received, expected, host: plan.url.authority))
        }
        if outcome.failure == nil, let step = requestNextPart(outcome.received) { return step }
        return end(hasEarlyResponse(outcome.failure) ? nil : outcome.failure)
    }

    /// A server that refuses an upload may respond and close before it has read all; its status is the result then, as
    /// it is whatever the end of TLS says of the text behind it.
    private func hasEarlyResponse(_ failure: TransferError?) -> Bool {
        guard role == .upload, let failure, let acceptedStatus else { return false }
        if failure.fields.problem?.kind == .withoutCloseNotify { return true }
        guard acceptedStatus >= 400 else { return false }
        return failure.code == .sendFailed || failure.code == .receiveFailed
    }

    mutating func endedWithoutHead(_ outcome: ExchangeEnd, _ context: DecisionContext) -> Step {
        // For libcurl an exchange is complete that ends within the head of its response.
        let failure =
            outcome.failure
            ?? TransferError(.noResponse, .noResponse, host: plan.url.authority)
        switch outcome.demand {
        case .none where plan.isDirect && outcome.failure != nil:
            if FailurePolicy.verdict(failure).path == .broke { directFailure = failure }
            return begin(indirectly())
        // libcurl sometimes takes an exchange for complete that was paused while it began, and loses its response.
        case .none where outcome.failure == nil && mayRepeat(plan) && !plan.isRepeated:
            var next = plan
            next.isRepeated = true
            return begin(next)
        case .withoutAlternative where !plan.avoidsAlternative:
            var next = plan
            next.avoidsAlternative = true
            return begin(next)
        case .newConnection:
            var next = plan
            next.needsNewConnection = true
            return begin(next)
        case .trust(let trust): return askForTrust(trust, context)
        case .clientCertificate(let isRequired) where context.interests.include(.clientCertificate):
            let space = ProtectionSpace(of: plan.url, method: .clientCertificate)
            let challenge = AuthenticationChallenge(
                protectionSpace: space, previousFailureCount: plan.clientIdentity == nil ? 0 : 1)
            return ask(challenge, isRequired ? failure : nil)
        case .proxyLogin(let head):
            guard let proxy = context.proxy else { return end(failure) }
            return askAtEnd(head, proxy, failure, context)
        case .none where isRefusedCertificate(failure) && context.interests.include(.serverTrust):
            // The handshake ended before its certificates could be shown: again, only to get them.
            var next = plan
            next.trust = .capture
            refusedCertificate = failure
            return begin(next)
        case .none, .clientCertificate, .withoutAlternative: return unreachable(failure, context)
        }
    }

    /// The system refuses the certificate, or the server no longer has the key that the user accepted for it.
    private func isRefusedCertificate(_ failure: TransferError) -> Bool {
        if plan.trust == .capture { return false }
        return failure.code == .certificateUntrusted || (failure.code == .pinMismatch && !hasPins)
    }

    // MARK: Connectivity

    /// No connection, or none that lasted: is it the network's fault, and is it worth waiting for?
    private mutating func unreachable(_ failure: TransferError, _ context: DecisionContext) -> Step {
        if let step = uploadBroke(failure) { return step }
        switch FailurePolicy.verdict(failure).path {
        case .unresolved:
            state = .checkingName(failure)
            return .checkName(
                host: failure.code == .proxyNotResolved ? context.proxy?.host ?? plan.url.host : plan.url.host)
        case .unreached: break
        case .broke where mayRepeat(plan) || canContinueUpload: break
        case .innocent, .answered, .broke: return end(failure)
        }
        guard case .waits(let wait) = context.path(plan.url) else { return end(failure) }
        return stay(wait, failure, context)
    }

    /// The request may be sent once more, since the server may have closed a connection that it had used before (RFC
    /// 9110, section 9.2.2; RFC 9112, section 9.3.1). A resumable upload has its own way back.
    var mayChangeConnection: Bool { plan.leg == nil && plan.method.isIdempotent && !plan.needsNewConnection }

    func mayRepeat(_ plan: ExchangePlan) -> Bool { !plan.sendsBody && plan.method.isIdempotent }

    /// The resolver has reported why it gave no address.
    mutating func nameChecked(_ answer: NameAnswer, _ context: DecisionContext) -> Step {
        guard case .checkingName(let failure) = state else { return .none }
        if case .waits(let wait) = context.path(plan.url), answer != .doesNotExist {
            return stay(wait, failure, context)
        }
        switch answer {
        case .silent: return stay(.silentResolver, failure, context)
        case .doesNotExist, .exists: return end(failure)
        }
    }

    /// The network is there and may not be used by this task, or excludes some and none is there. Before an exchange
    /// is started.
    mutating func pathForbidden(_ wait: PathWait, _ context: DecisionContext) -> Step {
        guard case .starting = state else { return .none }
        // The answer comes soon: a task that does not wait for networks waits for it, too.
        if case .costPending = wait {
            state = .waiting(wait)
            return isSuspended ? .none : .wait(wait)
        }
        return stay(wait, Self.forbidden(wait, plan.url), context)
    }

    static func forbidden(_ wait: PathWait, _ url: TransferURL) -> TransferError {
        var fields = TransferError.Fields()
        (fields.networkUnavailableReason, fields.wait) = (wait.unavailableReason?.rawValue, wait)
        return TransferError(.cannotConnect, .networkForbidden, host: url.authority, fields: fields)
    }

    private mutating func stay(_ wait: PathWait, _ failure: TransferError, _ context: DecisionContext) -> Step {
        guard context.waitsForConnectivity else {
            var failure = failure
            failure.fields.networkUnavailableReason = wait.unavailableReason?.rawValue
            (failure.fields.networkObstacle, failure.fields.wait) = (wait.message, wait)
            if failure.fields.problem != nil {
                failure.reword()
            } else if wait.unavailableReason == nil {
                failure.message += " (\(wait.message))"
            }
            return end(failure)
        }
        state = .waiting(wait)
        return isSuspended ? .none : .wait(wait)
    }

    private mutating func askForTrust(_ trust: ServerTrust, _ context: DecisionContext) -> Step {
        var trust = trust
        let refused = plan.trust == .capture ? refusedCertificate : nil
        refusedCertificate = nil
        trust.failure = refused.map { $0.fields.certificate ?? CertificateProblem($0.message) }
        if plan.trust == .capture { plan.trust = first.trust }
        let challenge = AuthenticationChallenge(
            protectionSpace: .init(of: plan.url, method: .serverTrust), serverTrust: trust)
        return ask(challenge, refused)
    }

    mutating func ask(
        _ challenge: AuthenticationChallenge, _ failure: TransferError?, head: HTTPResponse? = nil
    ) -> Step {
        let question = Question.challenge(challenge)
        state = .deciding(Undecided(question: question, head: head, failure: failure, proxy: proxy))
        return .ask(question)
    }
}
