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
        case .login(let login) where login.hasFailed: return "check user and password"
        case .login: return token(error) ?? "log in with --user NAME and --password-file, or by netrc"
        case nil:
            guard error.code == .certificateUntrusted else { return token(error) }
            return "to trust it, pass its authority with --cacert"
        }
    }

    /// `nil` if no token is demanded.
    private static func token(_ error: TransferError) -> String? {
        switch error.fields.refusal?.demand {
        case .bearerToken: "send it with --token-file FILE"
        case .otherBearerToken: "check the token (--token-file FILE)"
        case .loginOrBearerToken: "log in with --user NAME and --password-file, or send a token with --token-file FILE"
        default: nil
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
