// SPDX-License-Identifier: MIT

import TerminalInterface
import TransferModel

extension InterfaceWords {
    /// Enough to see in the terminal that they are shown.
    static let probe = InterfaceWords(
        failure: { $0.message },
        reason: { transfer in
            if let question = transfer.question { return sentence(question) }
            if case .text(let text)? = transfer.note { return text }
            return transfer.error?.message
        },
        advice: { _, keys in "\(keys.retry) retries" },
        question: { question in
            guard case .trust(let trust) = question else {
                return Question(summary: sentence(question), details: [])
            }
            return Question(
                summary: sentence(question),
                details: [
                    .init(.subject, "subject", trust.subject), .init(.publicKey, "public key", trust.publicKeyPin),
                ])
        },
        brief: { transfer in
            if let question = transfer.question { return [sentence(question)] }
            if case .text(let text)? = transfer.note { return [text] }
            return transfer.error.map { [$0.message] } ?? []
        },
        why: { transfer, keys in ["\(transfer.state.rawValue), \(keys.retry) retries"] })

    private static func sentence(_ question: ConsentQuestion) -> String {
        switch question {
        case .trust(let trust): "\(trust.host) is not trusted"
        case .login(let login): "\(login.host) asks for a login (\(login.realm ?? ""))"
        }
    }
}
