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
        let (proxy, isUnrestricted) = guarded.withLock { ($0.proxy, $0.isUnrestricted) }
        let configuration = session.configuration
        return DecisionContext(
            interests: interests(session),
            proxy: proxy.map { ProtectionSpace(host: $0.host, port: $0.port, scheme: $0.scheme.rawValue, isProxy: true, method: .basic) },
            proxyHasLogin: proxy?.credential != nil,
            supported: session.transport.supportedLogins,
            stored: { configuration.credentialStorage?.defaultCredential(for: $0) },
            netrc: { Netrc.standard(configuration.netrcFile)?.credential(host: $0) },
            waitsForConnectivity: request.options.waitsForConnectivity ?? configuration.waitsForConnectivity,
            // Asked while the machine decides, and so under this task's lock.
            path: { [options = request.options] in session.verdict(for: $0, options, isUnrestricted: isUnrestricted) },
            secured: { configuration.transportSecurity?.secured($0) ?? $0 })
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
        let (resolution, stage) = guarded.withLock { ($0.machine.answered(answer, context), $0.stage) }
        switch resolution {
        case .none: break
        case .step(let step): perform(step, session)
        case .decide(let decision, let head):
            let disposition = obey(decision, head, session)
            guard disposition != .hold else { return }
            switch stage {
            case .running(let exchange): session.transport.decide(exchange, disposition)
            case .answered(let end): goOn(after: end, session)
            case .stored: giveStoredBody(disposition, session)
            default: break
            }
        }
    }
}
