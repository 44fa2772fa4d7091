// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import TransferModel

/// Asking delegates, and acting on their replies.
extension TaskDriver {
    func interests(_ session: TransferSession) -> Interests {
        session.interests.union(face.withLock { $0.delegate.interests })
    }

    /// The context of a decision of the machine.
    func context(_ session: TransferSession) -> DecisionContext { context(session, proxy: machine.proxy) }

    func context(_ session: TransferSession, proxy: ProxyServer?) -> DecisionContext {
        let (own, isUnrestricted) = face.withLock { ($0.delegate.interests, $0.settings.isUnrestricted) }
        let options = request.options
        return DecisionContext(
            interests: session.interests.union(own),
            proxy: proxy.map {
                ProtectionSpace(host: $0.host, port: $0.port, scheme: $0.scheme.rawValue, isProxy: true, method: .basic)
            },
            proxyHasLogin: proxy?.credential != nil,
            supported: session.transport.supportedLogins,
            stored: { session.configuration.credentialStorage?.defaultCredential(for: $0) },
            netrc: { Netrc.entry(for: $0, in: session.configuration.netrcFile) },
            waitsForConnectivity: options.waitsForConnectivity ?? session.configuration.waitsForConnectivity,
            path: { session.verdict(for: $0, options, isUnrestricted: isUnrestricted) },
            secured: { session.configuration.transportSecurity?.secured($0) ?? $0 })
    }

    func ask(_ question: Question, _ session: TransferSession) {
        session.ask(question, self) { [weak self, weak session] answer in
            guard let self, let session else { return }
            // On the delegate's thread: permanent decisions are written to a file.
            if publicState != .completed, case (.challenge(let asked), .challenge(let disposition)) = (question, answer)
            {
                session.remember(disposition, for: asked)
            }
            post { $0.answered(answer) }
        }
    }

    private func answered(_ answer: QuestionAnswer) {
        guard let session else { return }
        let context = context(session)
        var verdict: HeadVerdict?
        change { _ in
            switch machine.answered(answer, context) {
            case .none: return .none
            case .step(let step): return step
            case .decide(let decision, let head):
                verdict = note(decision, head)
                return .none
            }
        }
        guard let verdict else { return }
        let disposition = obey(verdict, session)
        if disposition != .hold { place(disposition, session) }
    }

    /// Gives the body that was held its destination.
    func place(_ disposition: BodyDisposition, _ session: TransferSession) {
        let context = context(session)
        let source = machine.source
        if case .network(let running)? = source { session.transport.decide(running.id, disposition) }
        call { $0.bodyPlaced(context) }
        if case .cache? = source { giveStoredBody(disposition, session) }
    }
}
