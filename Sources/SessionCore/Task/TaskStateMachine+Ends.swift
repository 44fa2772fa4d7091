// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// How an exchange ended, as far as it decides anything.
struct ExchangeEnd: Sendable {
    /// Already translated; `nil` where HTTP's framing found the answer whole.
    var failure: TransferError?
    /// Body bytes of this exchange that were stored.
    var received: Int64 = 0
    var demand = Demand.none

    /// What was asked of the client below HTTP.
    enum Demand: Sendable {
        case none
        /// These certificates were shown, and nobody has said yet whether they are the right ones.
        case trust(ServerTrust)
        case clientCertificate
        /// The proxy's 407 to CONNECT.
        case proxyLogin(HTTPResponse)
        /// Nothing was sent, for there was no connection to the place where the origin is to be had too (RFC 7838).
        case withoutAlternative
    }
}

/// What follows an exchange.
extension TaskStateMachine {
    mutating func exchangeEnded(_ failure: TransferError?, received: Int64) -> Step {
        exchangeEnded(ExchangeEnd(failure: failure, received: received), .init())
    }

    mutating func exchangeEnded(_ outcome: ExchangeEnd, _ context: DecisionContext) -> Step {
        pathHold = nil
        if state != .ended, isCancelled { return end(.cancelled) }
        switch state {
        case .idle, .ended, .parked, .deciding, .waiting, .checkingName: return .none
        case .refusing(let error): return end(error)
        case .following(let next):
            if let failure = outcome.failure, failure.code == .timedOut { return end(failure) }
            state = .exchanging(next)
            return .begin(next)
        case .parking(let plan, let offset, let wait): return parked(plan, offset, wait, outcome)
        case .asking(let pending):
            // While its head was being thought about the exchange failed; the question has lost its object.
            return end(outcome.failure ?? TransferError(.notHTTP, "\(pending.plan.url.authority): the connection ended"))
        case .exchanging(let plan): return endedWithoutHead(plan, outcome, context)
        case .receiving(let plan, let expected): return endedAfterHead(plan, expected, outcome, context)
        }
    }

    private mutating func parked(_ plan: ExchangePlan, _ offset: Int64, _ wait: PathWait?, _ outcome: ExchangeEnd) -> Step {
        let next = comingBack(plan, offset + outcome.received)
        guard !isSuspended else {
            state = .parked(next)
            return .none
        }
        if let wait {
            state = .waiting(next, wait)
            return .wait(wait)
        }
        state = .exchanging(next)
        return .begin(next)
    }

    /// The exchange that goes on at `offset`.
    private mutating func comingBack(_ plan: ExchangePlan, _ offset: Int64) -> ExchangePlan {
        var next = plan
        let total = hasResult ? total : nil
        if let point = ResumePoint(offset: offset, validator: validator, total: total, contentType: contentType,
                                   contentEncoding: contentEncoding) {
            next.resume = point
            keptPoint = point
        }
        return next
    }

    private mutating func endedAfterHead(_ plan: ExchangePlan, _ expected: Int64?, _ outcome: ExchangeEnd,
                                         _ context: DecisionContext) -> Step {
        // The connection died with the network under it: it goes on from here when that is back.
        if let failure = outcome.failure, FailurePolicy.verdict(failure).path == .broke, context.waitsForConnectivity, canComeBack(plan),
            case .waits(let wait) = context.path(plan.url) {
            let next = comingBack(plan, resumedFrom + outcome.received)
            state = .waiting(next, wait)
            return .wait(wait)
        }
        if outcome.failure == nil, let expected, outcome.received != expected {
            return end(TransferError(.partialFile, "\(plan.url.authority): \(outcome.received) bytes came, "
                + "\(expected) were announced"))
        }
        return end(isAnsweredEarly(outcome.failure) ? nil : outcome.failure)
    }

    /// A server that refuses an upload may answer and close before it has read all; its status is the result then.
    private func isAnsweredEarly(_ failure: TransferError?) -> Bool {
        guard role == .upload, let failure, let acceptedStatus, acceptedStatus >= 400 else { return false }
        return failure.code == .sendFailed || failure.code == .receiveFailed
    }

    private mutating func endedWithoutHead(_ plan: ExchangePlan, _ outcome: ExchangeEnd, _ context: DecisionContext) -> Step {
        let failure = outcome.failure
            ?? TransferError(.notHTTP, "\(plan.url.authority): the connection ended without an answer")
        switch outcome.demand {
        // libcurl now and then takes an exchange for whole that was paused while it began, and loses its answer.
        case .none where outcome.failure == nil && mayRepeat(plan) && !plan.isRepeated:
            var next = plan
            next.isRepeated = true
            state = .exchanging(next)
            return .begin(next)
        case .withoutAlternative where !plan.avoidsAlternative:
            var next = plan
            next.avoidsAlternative = true
            state = .exchanging(next)
            return .begin(next)
        case .trust(let trust): return askForTrust(plan, trust, context)
        case .clientCertificate where context.interests.hear(.clientCertificate):
            let space = ProtectionSpace(of: plan.url, method: .clientCertificate)
            let challenge = AuthenticationChallenge(protectionSpace: space, previousFailureCount: plan.clientIdentity == nil ? 0 : 1)
            return ask(challenge, plan, failure)
        case .proxyLogin(let head):
            guard let proxy = context.proxy else { return end(failure) }
            return askAtEnd(plan, head, proxy, failure, context)
        case .none where isRefusedCertificate(failure, plan) && context.interests.hear(.serverTrust):
            // The handshake ended before its certificates could be shown to anybody: again, only to see them.
            var next = plan
            next.trust = .capture
            refusedCertificate = failure
            state = .exchanging(next)
            return .begin(next)
        case .none, .clientCertificate, .withoutAlternative: return unreachable(plan, failure, context)
        }
    }

    /// The system refuses the certificate, or the server no longer has the key that somebody once accepted for it.
    private func isRefusedCertificate(_ failure: TransferError, _ plan: ExchangePlan) -> Bool {
        if plan.trust == .capture { return false }
        return failure.code == .certificateUntrusted || (failure.code == .pinMismatch && !hasPins)
    }

    // MARK: Connectivity

    /// No connection, or none that lasted: is it the network's fault, and is it worth waiting for?
    private mutating func unreachable(_ plan: ExchangePlan, _ failure: TransferError, _ context: DecisionContext) -> Step {
        switch FailurePolicy.verdict(failure).path {
        case .unresolved:
            state = .checkingName(plan, failure)
            return .checkName(host: failure.code == .proxyNotResolved ? context.proxy?.host ?? plan.url.host : plan.url.host)
        case .unreached: break
        case .broke where mayRepeat(plan): break
        case .innocent, .answered, .broke: return end(failure)
        }
        guard case .waits(let wait) = context.path(plan.url) else { return end(failure) }
        return stay(wait, plan, failure, context)
    }

    private func mayRepeat(_ plan: ExchangePlan) -> Bool { !plan.sendsBody && plan.method.isIdempotent }

    /// The resolver has said why it gave no address.
    mutating func nameChecked(_ answer: NameAnswer, _ context: DecisionContext) -> Step {
        guard case .checkingName(let plan, let failure) = state else { return .none }
        if case .waits(let wait) = context.path(plan.url), answer != .doesNotExist { return stay(wait, plan, failure, context) }
        switch answer {
        case .silent: return stay(.silentResolver, plan, failure, context)
        case .doesNotExist, .exists: return end(failure)
        }
    }

    /// The network is there and may not be used by this task. Before an exchange is started.
    mutating func pathForbidden(_ wait: PathWait, _ context: DecisionContext) -> Step {
        // It was ended while the network was asked about: there is no exchange that would tell so.
        guard !isCancelled, case .exchanging(let plan) = state else { return exchangeEnded(ExchangeEnd(failure: .cancelled), context) }
        return stay(wait, plan, Self.forbidden(wait, plan.url), context)
    }

    static func forbidden(_ wait: PathWait, _ url: TransferURL) -> TransferError {
        var failure = TransferError(.cannotConnect, "\(url.authority): \(wait.message), and this transfer may not use it")
        failure.fields.networkUnavailableReason = wait.unavailableReason?.rawValue
        return failure
    }

    private mutating func stay(_ wait: PathWait, _ plan: ExchangePlan, _ failure: TransferError, _ context: DecisionContext)
        -> Step {
        guard context.waitsForConnectivity else {
            var failure = failure
            failure.fields.networkUnavailableReason = wait.unavailableReason?.rawValue
            failure.fields.networkObstacle = wait.message
            if wait.unavailableReason == nil { failure.message += " (\(wait.message))" }
            return end(failure)
        }
        state = .waiting(plan, wait)
        return isSuspended ? .none : .wait(wait)
    }

    private mutating func askForTrust(_ plan: ExchangePlan, _ trust: ServerTrust, _ context: DecisionContext) -> Step {
        var trust = trust
        let refused = plan.trust == .capture ? refusedCertificate : nil
        refusedCertificate = nil
        trust.failure = refused?.message
        var again = plan
        if plan.trust == .capture { again.trust = first.trust }
        let challenge = AuthenticationChallenge(protectionSpace: .init(of: plan.url, method: .serverTrust), serverTrust: trust)
        return ask(challenge, again, refused)
    }

    private mutating func ask(_ challenge: AuthenticationChallenge, _ plan: ExchangePlan, _ failure: TransferError?) -> Step {
        state = .deciding(Pending(plan: plan, question: .challenge(challenge), failure: failure))
        return .ask(.challenge(challenge))
    }
}
