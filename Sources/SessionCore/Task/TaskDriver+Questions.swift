// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import TransferModel

/// Asking delegates, and acting on what they say.
extension TaskDriver {
    func interests(_ session: TransferSession) -> Interests {
        session.interests.union(guarded.withLock { $0.delegate.interests })
    }

    /// What the machine needs to know of the world for a decision.
    func context(_ session: TransferSession) -> DecisionContext {
        context(session, guarded.withLock { circumstances($0.machine.proxy, &$0) })
    }

    /// What a decision depends on of the task itself.
    struct Circumstances {
        var proxy: ProxyServer?
        var isUnrestricted: Bool
        var interests: Interests
    }

    /// Under the lock.
    func circumstances(_ proxy: ProxyServer?, _ guarded: inout Guarded) -> Circumstances {
        Circumstances(
            proxy: proxy, isUnrestricted: guarded.settings.isUnrestricted, interests: guarded.delegate.interests)
    }

    func context(_ session: TransferSession, _ own: Circumstances) -> DecisionContext {
        let options = request.options
        return DecisionContext(
            interests: session.interests.union(own.interests),
            proxy: own.proxy.map {
                ProtectionSpace(host: $0.host, port: $0.port, scheme: $0.scheme.rawValue, isProxy: true, method: .basic)
            },
            proxyHasLogin: own.proxy?.credential != nil,
            supported: session.transport.supportedLogins,
            stored: { session.configuration.credentialStorage?.defaultCredential(for: $0) },
            netrc: { Netrc.standard(session.configuration.netrcFile)?.credential(host: $0) },
            waitsForConnectivity: options.waitsForConnectivity ?? session.configuration.waitsForConnectivity,
            // Asked while the machine decides, and so under this task's lock.
            path: { session.verdict(for: $0, options, isUnrestricted: own.isUnrestricted) },
            secured: { session.configuration.transportSecurity?.secured($0) ?? $0 })
    }

    func ask(_ question: Question, _ session: TransferSession) {
        session.ask(question, self) { [weak self] answer in self?.answered(answer, to: question) }
    }

    private func answered(_ answer: QuestionAnswer, to question: Question) {
        guard let session = guarded.withLock({ $0.session }) else { return }
        if case (.challenge(let challenge), .challenge(let disposition)) = (question, answer) {
            session.remember(disposition, for: challenge)
        }
        let context = context(session)
        var verdict: HeadVerdict?
        change { guarded, _ in
            switch guarded.machine.answered(answer, context) {
            case .none: return .none
            case .step(let step): return step
            case .decide(let decision, let head):
                verdict = note(decision, head, &guarded)
                return .none
            }
        }
        guard let verdict else { return }
        let disposition = obey(verdict, session)
        if disposition != .hold { place(disposition, session) }
    }

    /// Says where the body goes whose head a delegate has decided on.
    private func place(_ disposition: BodyDisposition, _ session: TransferSession) {
        let context = context(session)
        let source = guarded.withLock { $0.machine.source }
        if case .network(let running)? = source { session.transport.decide(running.id, disposition) }
        call { $0.bodyPlaced(context) }
        if case .cache? = source { giveStoredBody(disposition, session) }
    }
}
