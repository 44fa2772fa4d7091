// SPDX-License-Identifier: MIT

import TransferModel

/// What to do on the command line about an error that would have been a question on a terminal.
enum ConsentAdvice {
    /// The middle of a sentence; `nil` without advice.
    static func text(for error: TransferError, _ question: ConsentQuestion?) -> String? {
        switch question {
        case .trust(let trust):
            let server = ConsentQuestion.authority(trust.host, trust.port)
            let changed = error.code == .pinMismatch ? "its key differs from the one accepted before; " : ""
            return changed
                + "to trust it, pass its authority with --cacert, or, if the key is right, accept it "
                + "with "
                + "--trust \(server)=\(trust.publicKeyPin), or permanently with 'fileq trust add \(server) "
                + "\(trust.publicKeyPin)'"
        case .login(let login) where login.isProxy && login.hasFailed:
            return "check user and password in the proxy's URL"
        case .login(let login) where login.isProxy:
            return "put user and password into the proxy's URL: http://USER:PASSWORD@"
                + ConsentQuestion.authority(login.host, login.port)
        case .login(let login):
            return login.hasFailed
                ? "check user and password" : "log in with --user NAME and --password-file, or by netrc"
        case nil:
            guard error.code == .certificateUntrusted else { return nil }
            return "to trust it, pass its authority with --cacert"
        }
    }

    /// A failed transfer whose error includes the advice.
    static func added(to transfer: Transfer) -> Transfer {
        guard transfer.state == .failed, let error = transfer.error, let text = text(for: error, transfer.question)
        else { return transfer }
        var advised = transfer
        advised.wordError { "\(MessageCatalog.cause(of: $0)); \(text)" }
        return advised
    }
}
