// SPDX-License-Identifier: MIT

package import TransferModel

extension QueueCommand {
    /// An answer to this question and no other, which the transfer may ask by now. Other commands stay as they are.
    package func answering(_ question: ConsentQuestion) -> QueueCommand {
        switch self {
        case .trust(let persistence, _): .trust(persistence, to: question)
        case .login(let login, let persistence, _): .login(login, persistence, to: question)
        case .decline: .decline(to: question)
        default: self
        }
    }
}
