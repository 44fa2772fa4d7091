// SPDX-License-Identifier: MIT

import TransferModel

@testable import SessionCore

/// Steps as the conversations of the machines have them: `commit PATCH /u`, `failed 56`.
extension UploadStep {
    var exchange: UploadExchange? {
        switch self {
        case .send(let exchange), .commit(let exchange): exchange
        case .await, .join, .sendPlain, .finish, .failed, .busy, .refused, .restart, .end: nil
        }
    }

    var error: TransferError? {
        switch self {
        case .failed(let error), .busy(let error), .refused(let error), .restart(let error), .end(let error): error
        case .send, .commit, .await, .join, .sendPlain, .finish: nil
        }
    }

    /// - Parameter cause: what follows the word for a step with an error.
    func words(
        _ exchange: (UploadExchange) -> String,
        _ cause: (TransferError) -> String = { " \($0.code.rawValue)" }
    ) -> String {
        switch self {
        case .send(let sent): exchange(sent)
        case .commit(let sent): "commit " + exchange(sent)
        case .await: "await"
        case .join(let number): "join \(number)"
        case .sendPlain: "plain"
        case .finish(let isVerdict): isVerdict ? "finish" : "finish without verdict"
        case .failed(let error): "failed" + cause(error)
        case .busy(let error): "busy" + cause(error)
        case .refused(let error): "refused" + cause(error)
        case .restart(let error): "restart" + cause(error)
        case .end(let error): "end" + cause(error)
        }
    }
}
