// SPDX-License-Identifier: MIT

import TransferModel

/// What a command line can do about a refusal that somebody at a terminal would have been asked about.
enum ConsentAdvice {
    /// The middle of a sentence; `nil` where there is nothing to advise.
    static func text(for error: TransferError, _ question: ConsentQuestion?) -> String? {
        switch question {
        case .trust(let trust):
            let server = ConsentQuestion.authority(trust.host, trust.port)
            let changed = error.code == .pinMismatch ? "its key is not the one that was accepted before; " : ""
            return changed
                + "to trust it, name its authority with --cacert, or accept exactly its key, if that is the right one, "
                + "with "
                + "--trust \(server)=\(trust.publicKeyPin), or for good with 'fileq trust add \(server) "
                + "\(trust.publicKeyPin)'"
        case .login(let login) where login.isProxy && login.hasFailed:
            return "check user and password in the proxy's address"
        case .login(let login) where login.isProxy:
            return "write user and password into the proxy's address: http://USER:PASSWORD@"
                + ConsentQuestion.authority(login.host, login.port)
        case .login(let login):
            return login.hasFailed
                ? "check user and password" : "log in with --user NAME and --password-file, or by netrc"
        case nil where error.code == .destinationExists: return "-o names another, --overwrite replaces it"
        case nil:
            guard error.code == .certificateUntrusted else { return nil }
            return "to trust it, name its authority with --cacert"
        }
    }

    /// A failed transfer whose error says what to do.
    static func added(to transfer: TransferSnapshot) -> TransferSnapshot {
        guard transfer.state == .failed, var error = transfer.error, let text = text(for: error, transfer.question)
        else { return transfer }
        error.message += "; " + text
        var advised = transfer
        advised.error = error
        return advised
    }
}
