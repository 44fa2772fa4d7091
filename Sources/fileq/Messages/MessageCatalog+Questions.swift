// SPDX-License-Identifier: MIT

import TerminalInterface
import TransferModel

/// How a question is put to the user. The server's text in it is shown as it came, in one line.
extension MessageCatalog {
    /// One line without full stop: `example.org:8443 shows a certificate that the system does not trust (self-signed
    /// certificate)`.
    static func summary(of question: ConsentQuestion) -> String {
        switch question {
        case .trust(let trust):
            return "\(ConsentQuestion.authority(trust.host, trust.port)) shows a certificate that the system does not "
                + "trust (\(trust.failure.text))"
        case .login(let login):
            let asks =
                "\(login.isProxy ? "the proxy " : "")\(ConsentQuestion.authority(login.host, login.port)) "
                + (login.hasFailed ? "did not accept the login, and asks for another" : "asks for a login")
            return asks + (login.realm.map { " (\($0))" } ?? "")
                + (login.sendsPasswordInClearText ? ", to be sent unencrypted" : "")
        }
    }

    /// What the user compares; empty for logins.
    static func details(of question: ConsentQuestion) -> [InterfaceWords.Question.Detail] {
        guard case .trust(let trust) = question else { return [] }
        let days = [trust.notBefore, trust.notAfter].map { $0.map(CompactTime.day) ?? "?" }
        let details: [InterfaceWords.Question.Detail] = [
            .init(.subject, "subject", trust.subject), .init(.issuer, "issuer", trust.issuer),
            .init(.validity, "valid", "\(days[0]) to \(days[1])"),
            .init(.certificate, "certificate", "SHA-256 " + colons(trust.certificateSHA256)),
            .init(.publicKey, "public key", trust.publicKeyPin),
        ]
        return details.filter { !$0.value.isEmpty }
    }

    /// `AB:CD:…`, as browsers show it.
    private static func colons(_ bytes: [UInt8]) -> String {
        bytes.map { Hex.encode([$0]).uppercased() }.joined(separator: ":")
    }
}
