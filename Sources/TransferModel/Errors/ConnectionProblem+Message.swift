// SPDX-License-Identifier: MIT

extension ConnectionProblem {
    /// One line, in lower case and without full stop.
    func message(of error: TransferError) -> String {
        let fields = error.fields
        let proxy = "the proxy\(fields.proxy.map { " \($0)" } ?? "")"
        switch self {
        case .failed, .reported, .withoutTLS:
            // With a proxy, it is never the server itself that is connected to.
            guard fields.proxy != nil, error.code == .proxyNotResolved || error.code == .cannotConnect else {
                return error.atHost(text(of: error))
            }
            return "\(proxy) (to \(fields.host ?? "")): \(text(of: error))"
        case .proxyRefused:
            return "\(proxy) returned \(fields.status ?? 0) for the connection to \(fields.host ?? "")"
        case .proxyFailed(let failure) where failure != .hostNotResolved:
            return "\(proxy) \(Self.text(of: failure, host: fields.host ?? ""))"
        case .proxyVariable: return text(of: error)
        default: return error.atHost(text(of: error))
        }
    }

    /// What follows the host.
    package func text(of error: TransferError) -> String {
        switch self {
        case .failed: Self.text(error.code, error.underlying)
        case .reported(let text): text
        case .withoutTLS: Self.text(error.code, error.underlying) + "; if the port speaks TLS, use https://"
        case .requestTimeout(let seconds, let received, let sent):
            "request timeout: nothing moved for \(Self.text(seconds)) (\(received) bytes received, \(sent) sent before)"
        case .responseTimeout(let seconds, let sent):
            "response timeout: no response for \(Self.text(seconds)) after the last of \(sent) bytes"
        case .connectTimeout(let seconds):
            "connect timeout: no connection\(error.fields.proxy.map { " by way of the proxy \($0)" } ?? "") within "
                + "\(Self.text(seconds)) (nothing was sent)"
        case .resourceTimeout(let seconds, let received, let sent):
            "resource timeout: not done within \(Self.text(seconds)) (\(received) bytes received, \(sent) sent)"
        case .proxyRefused: "the proxy refused the connection"
        case .proxyFailed(let reason): Self.text(of: reason, host: error.fields.host ?? "")
        case .headTooLarge:
            "the response's head is too large (more than 1000 fields, 300 KiB, or 100 KiB in a field)"
        case .contentLength: "the response's Content-Length is no single number"
        case .responseRefused: "the response was refused"
        case .noResponse: "the connection ended without a response"
        case .unrequestedResponse: "a response without a request"
        case .tooManyRedirects(let maximum): "more than \(maximum) redirects"
        case .insecureRedirect(let next):
            "redirects from https to http (\(next)), where anybody on the way can read and change what is sent"
        case .redirectToNoURL: "redirected to an address that is no URL"
        case .redirectToInvalidURL(let problem):
            "redirected to an address that cannot be used: \(InvalidValue.url(problem).message)"
        case .proxyVariable(let name, let problem): "the variable \(name): \(InvalidValue.proxy(problem).message)"
        case .networkForbidden:
            if let wait = error.fields.wait, case .obstacle = wait {
                "no network that this transfer may use: \(wait.message)"
            } else {
                "\(error.fields.wait?.message ?? "there is a network"), and this transfer may not use it"
            }
        case .noInterface(let text): "'\(text)' is neither an interface nor an address of this machine"
        case .optionRefused(let option, let version, let reason):
            "\(option): refused by libcurl \(version): \(reason)"
        case .libraryNotStarted: "libcurl could not be started"
        case .noFreeDescriptor: "libcurl could not be started: it needs a free descriptor"
        case .programEnds: "the program is ending; no transfer can start"
        default: textOfTrust(error) ?? textOfLogin ?? ""
        }
    }

    /// TLS and certificates; `nil` for other cases.
    private func textOfTrust(_ error: TransferError) -> String? {
        switch self {
        case .notTLS: "the server does not speak TLS on this port; check the port, or use http://"
        case .noTLSVersion: "the server speaks no version of TLS that is allowed here"
        case .closedDuringTLS:
            "the server closed the connection during the TLS handshake; check that it speaks https on this port"
        case .withoutCloseNotify:
            "the response has no length, and TLS ended without close_notify: bytes may be missing"
        case .tlsLimits(let lowest, let highest):
            "TLS from \(lowest) on, but at most \(highest): there is no such version"
        case .certificateUnreadable: "the server's certificate could not be read"
        case .certificateNotApproved(let problem):
            "the server's certificate was not approved\(problem.map { ": \(TextLine.first(of: $0.text))" } ?? "")"
        case .certificateNotPinned: "the server's certificate is not the pinned one"
        case .exceptionNotPinned: "the exception's public key is not a pinned one"
        case .pinWithoutTLS: "a pin was given, and plain http has no key to compare it with"
        case .clientCertificateRequired: "the server demands a client certificate, and none was given"
        case .clientCertificateRefused(let alert): "the server does not accept the client certificate: \(alert)"
        case .clientCertificateUnreadable(let path, let errno):
            "the client certificate \(path) cannot be read: \(TransferError.phrase(errno: errno))"
        case .clientKeyUnreadable(let path, let errno):
            "the key of the client certificate \(path) cannot be read: \(TransferError.phrase(errno: errno))"
        case .certificateDeclined: "certificate rejected: \(error.fields.certificate?.text ?? "")"
        default: nil
        }
    }

    private var textOfLogin: String? {
        switch self {
        case .loginDeclined(let realm): "login declined\(realm.map { " (\($0))" } ?? "")"
        case .passwordInClearText:
            "the password went out in clear text, since the server takes it only as Basic over http"
        case .bearerToken: "a bearer token is empty or holds a character no token may hold"
        case .userName: "a user name contains a control character"
        case .proxyScheme: "a proxy takes Basic, Digest, NTLM or Negotiate authentication only"
        case .socksScheme: "a SOCKS proxy takes a user and a password only"
        case .schemeNotBuiltIn(let scheme, let version):
            "libcurl \(version) of this system is built without \(scheme) authentication"
        default: nil
        }
    }

    /// What follows the proxy, or the host for ``ProxyFailure/hostNotResolved``.
    private static func text(of reason: ProxyFailure, host: String) -> String {
        switch reason {
        case .hostNotResolved:
            "the host's name could not be resolved; with socks5h:// or socks4a:// the proxy would look it up"
        case .loginRefused: "did not accept the login"
        case .noAcceptableLogin: "wants another login than it was offered"
        case .notAllowed: "does not allow the connection to \(host)"
        case .networkUnreachable: "could not connect to \(host): network unreachable"
        case .hostUnreachable: "could not connect to \(host): host unreachable"
        case .connectionRefused: "could not connect to \(host): connection refused"
        case .timeToLiveExpired: "could not connect to \(host): TTL expired"
        case .generalFailure: "could not connect to \(host), and does not say why"
        case .notSupported: "cannot make the connection to \(host)"
        case .closed: "closed the connection before there was one to \(host)"
        case .notSOCKS: "does not speak SOCKS"
        case .other: "made no connection to \(host)"
        }
    }

    private static func text(_ code: TransferError.Code, _ reported: TransferError.Underlying) -> String {
        switch code {
        case .proxyNotResolved: "the proxy's name could not be resolved"
        case .hostNotResolved: "the host's name could not be resolved"
        case .cannotConnect: reported.errno.map { TransferError.phrase(errno: $0) } ?? "no connection"
        case .notHTTP: "the response is not HTTP"
        case .partialFile: "the connection closed before the whole body had arrived"
        case .tooManyRedirects: "too many redirects"
        case .noResponse: "the server closed the connection without a response"
        case .pinMismatch: "the server's public key is not the pinned one"
        case .certificateUntrusted, .certificateRefused: "the certificate was not accepted"
        case .other: "transfer failed (\(reported.transport.map { "curl \($0)" } ?? code.name))"
        default: "transfer failed (\(code.name))"
        }
    }

    private static func text(_ seconds: Double) -> String { TransferError.seconds(seconds) }
}

extension TransferError {
    /// `30 s`, `0.25 s`
    package static func seconds(_ value: Double) -> String {
        value == value.rounded() && value < 1e15 ? "\(Int(value)) s" : "\((value * 1000).rounded() / 1000) s"
    }
}
