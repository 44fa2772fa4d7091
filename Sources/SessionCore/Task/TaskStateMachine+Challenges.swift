// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// Who logs in how, and whom to trust.
extension TaskStateMachine {
    /// A 401 of the server or a 407 of the proxy, with its body held.
    mutating func challenged(_ plan: ExchangePlan, _ head: HTTPResponse, server: ProtectionSpace, _ context: DecisionContext)
        -> HeadDecision? {
        switch demand(plan, head, server: server, context) {
        case .unanswerable: return nil
        case .goOn(let next):
            state = .following(next)
            return .discard
        case .ask(let challenge):
            state = .asking(Pending(plan: plan, question: .challenge(challenge), head: head))
            return .ask(.challenge(challenge))
        }
    }

    /// What a demand for a login leads to.
    enum Demand: Equatable {
        case unanswerable
        case goOn(ExchangePlan)
        case ask(AuthenticationChallenge)
    }

    mutating func demand(_ plan: ExchangePlan, _ head: HTTPResponse, server: ProtectionSpace, _ context: DecisionContext,
                         asksAgain: Bool = false) -> Demand {
        let used = server.isProxy ? plan.proxyLogin : plan.login
        let own = server.isProxy || !plan.isOriginalOrigin ? nil : ownCredential ?? (usesNetrc ? context.netrc(plan.url.host) : nil)
        let isSentUnasked = server.isProxy ? context.proxyHasLogin : sendsLoginUnasked(plan)
        let tried = asksAgain ? nil : used?.method ?? (isSentUnasked ? .basic : nil)
        ledger.note(tried, failedFor: head, server: server)
        // A user and a password are neither a token nor a ticket.
        let passwordMethods = context.supported.subtracting([.bearer, .negotiate])
        if let own, let space = ledger.next(for: head, server: server, supported: passwordMethods), ledger.failureCount(space) == 0,
            used?.credential != own || used?.method != space.method {
            guard mayLogInByItself() else { return .unanswerable }
            return .goOn(plan.loggingIn(.init(method: space.method, credential: own), at: space))
        }
        // Without a delegate nobody can name a token, and a ticket that is not there would only cost a round trip.
        let supported = context.interests.hear(.bearer) ? context.supported : passwordMethods
        guard let space = ledger.next(for: head, server: server, supported: supported) else { return .unanswerable }
        let hasFailed = ledger.failureCount(space) > 0
        // After a failure it is what the server rejected, for a delegate to look at; nobody sends it again by default.
        let proposed = hasFailed ? used?.credential ?? own : own ?? context.stored(space)
        if context.interests.hear(space.method) {
            return .ask(AuthenticationChallenge(
                protectionSpace: space, previousFailureCount: ledger.failureCount(space), proposedCredential: proposed,
                failureResponse: head))
        }
        guard !hasFailed, let proposed, own == nil, mayLogInByItself() else { return .unanswerable }
        return .goOn(plan.loggingIn(.init(method: space.method, credential: proposed), at: space))
    }

    /// Whether the request's own credential goes out as Basic before anybody asks: where TLS protects it, to the server that it was
    /// given for. In clear text nothing goes out that was not asked for, and what netrc holds never does.
    func sendsLoginUnasked(_ plan: ExchangePlan) -> Bool {
        plan.login == nil && plan.isOriginalOrigin && plan.url.isSecure && ownCredential != nil
    }

    /// A server that asks for something else each time is given up.
    private mutating func mayLogInByItself() -> Bool {
        automaticLogins += 1
        return automaticLogins <= 8
    }

    // MARK: Answers

    /// - Parameter context: as for the head or end that led to the question.
    mutating func answered(_ answer: QuestionAnswer, _ context: DecisionContext) -> Resolution {
        switch (state, answer) {
        case (.asking(let pending), let answer):
            guard let head = pending.head else { return .none }
            return .decide(decide(pending, head, answer, context), head)
        case (.deciding(let pending), .challenge(let disposition)):
            return .step(decideUnderWay(pending, disposition, context))
        default: return .none
        }
    }

    private mutating func decide(_ pending: Pending, _ head: HTTPResponse, _ answer: QuestionAnswer, _ context: DecisionContext)
        -> HeadDecision {
        switch (pending.question, answer) {
        case (.redirect, .redirect(let redirect)):
            guard var redirect else { return accept(head, pending.plan, context.interests) }
            redirect.url = context.secured(redirect.url)
            do throws(TransferError) { try redirectPolicy.check(redirect.url, from: pending.plan.url) } catch { return refuse(error) }
            return follow(redirect, from: pending.plan)
        case (.response, .response(let disposition)):
            switch disposition {
            case .allow: return deliver(head, pending.plan)
            case .cancel: return refuse(.cancelled)
            case .becomeDownload: return becomeDownload(head, pending.plan)
            case .becomeStream:
                _ = deliver(head, pending.plan)
                return .pipe
            }
        case (.challenge(let challenge), .challenge(let disposition)):
            return decide(pending.plan, head, challenge, disposition, context)
        default: return refuse(.cancelled)
        }
    }

    private mutating func decide(_ plan: ExchangePlan, _ head: HTTPResponse, _ challenge: AuthenticationChallenge,
                                 _ disposition: ChallengeDisposition, _ context: DecisionContext) -> HeadDecision {
        let space = challenge.protectionSpace
        switch disposition {
        case .cancel: return refuse(.cancelled)
        case .rejectProtectionSpace:
            ledger.reject(space)
            var server = space
            server.realm = nil
            switch demand(plan, head, server: server, context, asksAgain: true) {
            case .unanswerable: return accept(head, plan, context.interests)
            case .goOn(let next): return followTo(next)
            case .ask(let next):
                state = .asking(Pending(plan: plan, question: .challenge(next), head: head))
                return .ask(.challenge(next))
            }
        case .performDefaultHandling:
            guard let proposed = challenge.defaultCredential else { return accept(head, plan, context.interests) }
            return followTo(plan.loggingIn(.init(method: space.method, credential: proposed), at: space))
        case .useCredential(let credential):
            guard let login = Login(space.method, credential) else { return accept(head, plan, context.interests) }
            return followTo(plan.loggingIn(login, at: space))
        }
    }

    private mutating func followTo(_ next: ExchangePlan) -> HeadDecision {
        state = .following(next)
        return .discard
    }

    private mutating func refuse(_ error: TransferError) -> HeadDecision {
        state = .refusing(error)
        return .abort
    }

    /// The question came at the end of an exchange that could not be.
    private mutating func decideUnderWay(_ pending: Pending, _ disposition: ChallengeDisposition, _ context: DecisionContext)
        -> Step {
        guard case .challenge(let challenge) = pending.question, disposition != .cancel else { return end(.cancelled) }
        var next = pending.plan
        switch (challenge.protectionSpace.method, disposition) {
        case (.serverTrust, .useCredential(.trust)), (.serverTrust, .performDefaultHandling):
            guard let trust = challenge.serverTrust, let leaf = trust.chain.first else { return end(pending.failure ?? .cancelled) }
            if trust.failure == nil {
                approvedLeaves.insert(leaf.sha256)
                next.trust = .ask(approved: approvedLeaves)
            } else if case .useCredential = disposition {
                guard let key = leaf.publicKeySHA256 else { return end(pending.failure ?? .cancelled) }
                next.trust = .exception(publicKeySHA256: key)
            } else {
                return end(pending.failure ?? .cancelled)
            }
        case (.clientCertificate, .useCredential(.clientIdentity(let identity))):
            next.clientIdentity = identity
        case (_, .useCredential(let credential)):
            guard let login = Login(challenge.protectionSpace.method, credential) else { return end(pending.failure ?? .cancelled) }
            next = next.loggingIn(login, at: challenge.protectionSpace)
        case (.serverTrust, _), (.clientCertificate, _): return end(pending.failure ?? .cancelled)
        case (_, .performDefaultHandling):
            guard let proposed = challenge.defaultCredential else { return end(pending.failure ?? .cancelled) }
            next = next.loggingIn(.init(method: challenge.protectionSpace.method, credential: proposed), at: challenge.protectionSpace)
        default:
            ledger.reject(challenge.protectionSpace)
            guard let head = pending.head else { return end(pending.failure ?? .cancelled) }
            return askAtEnd(pending.plan, head, challenge.protectionSpace, pending.failure, context)
        }
        return goOn(next)
    }

    /// A task that was suspended meanwhile goes on when it is resumed.
    private mutating func goOn(_ next: ExchangePlan) -> Step {
        guard !isSuspended else {
            state = .parked(next)
            return .none
        }
        state = .exchanging(next)
        return .begin(next)
    }

    /// The proxy's answer to CONNECT ended the exchange: who is to log in?
    mutating func askAtEnd(_ plan: ExchangePlan, _ head: HTTPResponse, _ server: ProtectionSpace, _ failure: TransferError?,
                           _ context: DecisionContext) -> Step {
        var server = server
        server.realm = nil
        switch demand(plan, head, server: server, context) {
        case .unanswerable: return end(failure)
        case .goOn(let next):
            return goOn(next)
        case .ask(let challenge):
            state = .deciding(Pending(plan: plan, question: .challenge(challenge), head: head, failure: failure))
            return .ask(.challenge(challenge))
        }
    }
}

extension TaskStateMachine.Login {
    /// `nil` where the credential is none for this way of logging in.
    init?(_ method: ProtectionSpace.Method, _ credential: ChallengeCredential?) {
        switch (method, credential) {
        case (.bearer, .bearer(let token)): self.init(method: method, token: token)
        case (.basic, .password(let credential, _)), (.digest, .password(let credential, _)),
            (.ntlm, .password(let credential, _)), (.negotiate, .password(let credential, _)):
            self.init(method: method, credential: credential)
        default: return nil
        }
    }
}

extension TaskStateMachine.ExchangePlan {
    func loggingIn(_ login: TaskStateMachine.Login, at space: ProtectionSpace) -> Self {
        var next = self
        if space.isProxy {
            (next.proxyLogin, next.loginProxy) = (login, space.server)
            return next
        }
        next.login = login
        // What is stored for whoever does not log in is neither asked about nor replaced.
        if next.answersFromCache != .none {
            next.answersFromCache = .none
            for name in [HTTPField.Name.ifNoneMatch, .ifModifiedSince] { next.extraFields[name] = nil }
        }
        return next
    }
}

extension ProtectionSpace {
    /// The server of an address, with neither realm nor a way of logging in of its own yet.
    init(of url: TransferURL, method: Method = .basic) {
        self.init(host: url.host, port: url.port, scheme: url.scheme, method: method)
    }
}
