// SPDX-License-Identifier: MIT

/// How a question is put to a person. Text of the other end is in it as it came, but for what is no part of a line.
extension ConsentQuestion {
    /// One line without full stop: `example.org:8443 shows a certificate that the system does not trust (self-signed
    /// certificate)`.
    public var summary: String {
        switch self {
        case .trust(let trust):
            return
                "\(Self.authority(trust.host, trust.port)) shows a certificate that the system does not trust "
                + "(\(trust.failure.text))"
        case .login(let login):
            let asks =
                "\(login.isProxy ? "the proxy " : "")\(Self.authority(login.host, login.port)) "
                + (login.hasFailed ? "did not accept the login, and asks for another" : "asks for a login")
            return asks + (login.realm.map { " (\($0))" } ?? "")
                + (login.sendsPasswordInTheOpen ? ", to be sent unencrypted" : "")
        }
    }

    /// What there is to compare, a label and a value each; empty for logins.
    public var details: [(label: String, value: String)] {
        guard case .trust(let trust) = self else { return [] }
        let days = [trust.notBefore, trust.notAfter].map { $0.map(CompactTime.day) ?? "?" }
        return [
            ("subject", trust.subject), ("issuer", trust.issuer), ("valid", "\(days[0]) to \(days[1])"),
            ("certificate", "SHA-256 " + Self.colons(trust.certificateSHA256)), ("public key", trust.publicKeyPin),
        ].filter { !$0.1.isEmpty }
    }

    /// `HOST:PORT`, an IPv6 address in brackets.
    public static func authority(_ host: String, _ port: Int) -> String {
        "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// `AB:CD:…`, as browsers show it.
    private static func colons(_ bytes: [UInt8]) -> String {
        bytes.map { Hex.encode([$0]).uppercased() }.joined(separator: ":")
    }
}

extension ConsentQuestion.Login {
    /// Everybody on the way could read it.
    var sendsPasswordInTheOpen: Bool { method == "basic" && scheme == "http" }
}
