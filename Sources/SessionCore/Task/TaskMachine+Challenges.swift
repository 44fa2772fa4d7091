// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// Logins and trust.
extension TaskMachine {
    /// A 401 of the server or a 407 of the proxy, with its body held.
    mutating func challenged(
        _ source: Source, _ head: HTTPResponse, server: ProtectionSpace, _ context: DecisionContext
    )
        -> HeadDecision?
    {
        switch demand(head, server: server, context) {
        case .unanswerable: return nil
        case .proceed(let next): return follow(next, source)
        case .ask(let challenge):
            state = .asking(source, .challenge(challenge), head)
            return .ask(.challenge(challenge))
        }
    }

    /// The consequence of a demand for a login.
    enum Demand: Equatable {
        case unanswerable
        case proceed(ExchangePlan)
        case ask(AuthenticationChallenge)
    }

    mutating func demand(
        _ head: HTTPResponse, server: ProtectionSpace, _ context: DecisionContext,
        asksAgain: Bool = false
    ) -> Demand {
        let used = server.isProxy ? plan.proxyLogin : plan.login
        let own =
            server.isProxy || !plan.isOriginalOrigin
            ? nil : ownCredential ?? (usesNetrc ? context.netrc(plan.url.host) : nil)
        let isSentPreemptively = server.isProxy ? context.proxyHasLogin : sendsLoginPreemptively(plan)
        let tried = asksAgain ? nil : used?.method ?? (isSentPreemptively ? .basic : nil)
        ledger.note(tried, failedFor: head, server: server)
        // A user and a password are neither a token nor a ticket.
        let passwordMethods = context.supported.subtracting([.bearer, .negotiate])
        if let own, let space = ledger.next(for: head, server: server, supported: passwordMethods),
            ledger.failureCount(space) == 0,
            used?.credential != own || used?.method != space.method
        {
            guard mayLogInByItself() else { return .unanswerable }
            return .proceed(plan.loggingIn(.init(method: space.method, credential: own), at: space))
        }
        // Only a delegate can supply a token, and a missing ticket would only cost a round trip.
        let supported = context.interests.include(.bearer) ? context.supported : passwordMethods
        guard let space = ledger.next(for: head, server: server, supported: supported) else { return .unanswerable }
        let hasFailed = ledger.failureCount(space) > 0
        // After a failure it is what the server rejected, for a delegate to check; it is not sent again by default.
        let proposed = hasFailed ? used?.credential ?? own : own ?? context.stored(space)
        if context.interests.include(space.method) {
            return .ask(
                AuthenticationChallenge(
                    protectionSpace: space, previousFailureCount: ledger.failureCount(space),
                    proposedCredential: proposed,
                    failureResponse: head))
        }
        guard !hasFailed, let proposed, own == nil, mayLogInByItself() else { return .unanswerable }
        return .proceed(plan.loggingIn(.init(method: space.method, credential: proposed), at: space))
    }

    /// Whether the request's own credential is sent as Basic before a challenge: over TLS, to the server that it was
    /// given for. In clear text no credential is sent without a challenge, and never one of netrc.
    func sendsLoginPreemptively(_ plan: ExchangePlan) -> Bool {
        plan.login == nil && plan.isOriginalOrigin && plan.url.isSecure && ownCredential != nil
    }

    /// Limits the logins of a server that asks for something else each time.
    private mutating func mayLogInByItself() -> Bool {
        automaticLogins += 1
        return automaticLogins <= 8
    }

    // MARK: Answers

    /// - Parameter context: as for the head or end that led to the question.
    mutating func answered(_ answer: QuestionAnswer, _ context: DecisionContext) -> Resolution {
        switch (state, answer) {
        case (.asking(let source, let question, let head), let answer):
            return .decide(decide(source, question, head, answer, context), head)
        case (.deciding(let undecided), .challenge(let disposition)):
            return .step(decideUnderWay(undecided, disposition, context))
        default: return .none
        }
    }

    private mutating func decide(
        _ source: Source, _ question: Question, _ head: HTTPResponse, _ answer: QuestionAnswer,
        _ context: DecisionContext
    ) -> HeadDecision {
        switch (question, answer) {
        case (.redirect, .redirect(let redirect)):
            guard var redirect else { return accept(head, source, context.interests) }
            redirect.url = context.secured(redirect.url)
            do throws(TransferError) {
                try redirectPolicy.check(redirect.url, from: plan.url, for: plan.leg)
            } catch {
                return refuse(source, error)
            }
            return follow(redirect, source)
        case (.response, .response(let disposition)):
            switch disposition {
            case .allow: return deliver(head, source)
            case .cancel: return refuse(source, .cancelled)
            case .becomeDownload: return becomeDownload(head, source)
            case .becomeStream:
                _ = deliver(head, source)
                return .pipe
            }
        case (.challenge(let challenge), .challenge(let disposition)):
            return decide(source, head, challenge, disposition, context)
        default: return refuse(source, .cancelled)
        }
    }

    private mutating func decide(
        _ source: Source, _ head: HTTPResponse, _ challenge: AuthenticationChallenge,
        _ disposition: ChallengeDisposition, _ context: DecisionContext
    ) -> HeadDecision {
        let space = challenge.protectionSpace
        switch disposition {
        case .cancel: return refuse(source, .cancelled)
        case .rejectProtectionSpace:
            ledger.reject(space)
            var server = space
            server.realm = nil
            switch demand(head, server: server, context, asksAgain: true) {
            case .unanswerable: return accept(head, source, context.interests)
            case .proceed(let next): return follow(next, source)
            case .ask(let next):
                state = .asking(source, .challenge(next), head)
                return .ask(.challenge(next))
            }
        case .performDefaultHandling:
            guard let proposed = challenge.defaultCredential else { return accept(head, source, context.interests) }
            return follow(plan.loggingIn(.init(method: space.method, credential: proposed), at: space), source)
        case .useCredential(let credential):
            guard let login = Login(space.method, credential) else { return accept(head, source, context.interests) }
            return follow(plan.loggingIn(login, at: space), source)
        }
    }

    /// The question came at the end of an exchange without a response.
    private mutating func decideUnderWay(
        _ undecided: Undecided, _ disposition: ChallengeDisposition, _ context: DecisionContext
    )
        -> Step
    {
        guard case .challenge(let challenge) = undecided.question, disposition != .cancel else {
            return end(.cancelled)
        }
        var next = plan
        switch (challenge.protectionSpace.method, disposition) {
        case (.serverTrust, .useCredential(.trust)), (.serverTrust, .performDefaultHandling):
            guard let trust = challenge.serverTrust, let leaf = trust.chain.first else {
                return end(undecided.failure ?? .cancelled)
            }
            if trust.failure == nil {
                approvedLeaves.insert(leaf.sha256)
                next.trust = .ask(approved: approvedLeaves)
            } else if case .useCredential = disposition {
                guard let key = leaf.publicKeySHA256 else { return end(undecided.failure ?? .cancelled) }
                next.trust = .exception(publicKeySHA256: key)
            } else {
                return end(undecided.failure ?? .cancelled)
            }
        case (.clientCertificate, .useCredential(.clientIdentity(let identity))):
            next.clientIdentity = identity
        case (.clientCertificate, _) where undecided.failure == nil: next.declinesIdentity = true
        case (_, .useCredential(let credential)):
            guard let login = Login(challenge.protectionSpace.method, credential) else {
                return end(undecided.failure ?? .cancelled)
            }
            next = next.loggingIn(login, at: challenge.protectionSpace)
        case (.serverTrust, _), (.clientCertificate, _): return end(undecided.failure ?? .cancelled)
        case (_, .performDefaultHandling):
            guard let proposed = challenge.defaultCredential else { return end(undecided.failure ?? .cancelled) }
            next = next.loggingIn(
                .init(method: challenge.protectionSpace.method, credential: proposed), at: challenge.protectionSpace)
        default:
            ledger.reject(challenge.protectionSpace)
            guard let head = undecided.head else { return end(undecided.failure ?? .cancelled) }
            return askAtEnd(head, challenge.protectionSpace, undecided.failure, context)
        }
        return followUp(next)
    }

    /// A task that was suspended meanwhile continues when it is resumed.
    private mutating func followUp(_ next: ExchangePlan) -> Step {
        guard isSuspended else { return begin(next) }
        plan = next
        state = .parked
        return .none
    }

    /// The proxy's response to CONNECT ended the exchange: asks for its login.
    mutating func askAtEnd(
        _ head: HTTPResponse, _ server: ProtectionSpace, _ failure: TransferError?, _ context: DecisionContext
    )
        -> Step
    {
        var server = server
        server.realm = nil
        switch demand(head, server: server, context) {
        case .unanswerable: return end(failure)
        case .proceed(let next): return followUp(next)
        case .ask(let challenge): return ask(challenge, failure, head: head)
        }
    }
}

extension ProtectionSpace {
    /// The server of an address, before its realm and scheme are known.
    init(of url: TransferURL, method: Method = .basic) {
        self.init(host: url.host, port: url.port, scheme: url.scheme, method: method)
    }
}

extension TransferOptions {
    /// A login of the request's own, such as a token, is not replaced by one of netrc when the server refuses it.
    var takesNetrc: Bool { usesNetrc && !headers.contains { $0.name == .authorization } }
}
