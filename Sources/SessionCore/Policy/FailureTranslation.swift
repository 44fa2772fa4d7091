// SPDX-License-Identifier: MIT

import HTTPTypes
package import TransferModel

extension TransferError {
    /// What a transport's failure is called towards a person: number, cause, and the host it concerns.
    /// - Parameter proxy: by way of which the connection was to be made; messages name it without its credential.
    init(
        _ failure: ExchangeFailure, authority: String, proxy: ProxyServer? = nil, isSecure: Bool = true,
        moved: ExchangeProgress
    ) {
        switch failure.cause {
        case .transport(let reported, let errno, let number):
            // A SOCKS proxy's own name is reported as a host's is.
            let code = proxy != nil && reported == .hostNotResolved ? .proxyNotResolved : reported
            // With a proxy, it is never the server itself that is connected to.
            let reaches = code != .proxyNotResolved && code != .cannotConnect
            let problem = Self.problem(failure, code, errno, isSecure: isSecure)
            self.init(
                code, problem, host: authority, curlCode: number, systemErrno: errno == 0 ? nil : errno,
                fields: Fields(proxy: reaches ? nil : proxy?.description))
            switch code {
            case .certificateUntrusted:
                fields.certificate = failure.certificate ?? CertificateProblem(problem.text(of: self) ?? "")
            case .pinMismatch: fields.certificate = .otherKey
            default: break
            }
        case .requestTimeout(let seconds):
            self.init(
                .timedOut,
                .requestTimeout, seconds, moved.received, moved.sent,
                host: authority, fields: Fields(timer: .request))
        case .responseTimeout(let seconds):
            self.init(
                .timedOut, .responseTimeout, seconds, moved.sent, host: authority,
                fields: Fields(timer: .response))
        case .connectTimeout(let seconds):
            self.init(
                .timedOut, .connectTimeout, seconds, host: authority,
                fields: Fields(proxy: proxy?.description, timer: .connect))
        case .misconfigured(let code):
            let problem = failure.problem ?? .init(.reported, TextLine.first(of: failure.detail))
            self.init(code, problem, host: authority)
        case .proxyRefused(let head):
            self.init(
                head.status == .proxyAuthenticationRequired ? .loginDenied : .httpStatus, .proxyRefused,
                host: authority, fields: Fields(proxy: proxy?.description, status: head.status.code))
        case .proxyFailed(let cause):
            self.init(
                .init(cause), .proxyFailed, cause, host: authority,
                fields: Fields(proxy: proxy?.description, variant: cause == .notSOCKS ? .proxyNotSOCKS : nil))
        case .trustUndecided(let trust):
            let problem = trust.failure.map { CertificateProblem(TextLine.first(of: $0.text)) }
            self.init(.certificateRefused, .certificateNotApproved, problem, host: authority)
        case .certificatePinMismatch:
            self.init(.pinMismatch, .certificateNotPinned, host: authority)
        case .clientCertificateRequired, .clientCertificateRequested:
            self.init(.clientCertificate, .clientCertificateRequired, host: authority)
        case .clientCertificateRefused:
            self.init(.clientCertificate, .clientCertificateRefused, Self.alert(in: failure.detail), host: authority)
        case .cannotWrite(let errno):
            self.init(.cannotWrite, file: .write, systemErrno: errno)
        case .cannotRead(let errno):
            self.init(.cannotReadSource, file: .readSource, systemErrno: errno)
        case .file(let error):
            self = error
            return
        case .sourceShrank:
            self.init(.cannotReadSource, .sourceShrank, fields: Fields(variant: .sourceChanged))
        case .answeredEarly(let status): self = .answeredEarly(authority, status: status)
        case .headTooLarge:
            self.init(.notHTTP, .headTooLarge, host: authority, fields: Fields(variant: .doubtfulAddress))
        case .rangeExceeded: self.init(.rangeRefused, .rangeExceeded, host: authority)
        case .aborted: self.init(.other, .responseRefused, host: authority)
        case .cancelled: self = .cancelled
        }
        if code != .cancelled { fields.host = authority }
    }

    /// How an upload ends that got a 2xx before the server had the whole body. Nothing of what caused it passes by
    /// itself.
    package static func answeredEarly(_ authority: String, status: Int) -> TransferError {
        TransferError(.answeredEarly, .answeredEarly, host: authority, fields: Fields(status: status))
    }

    /// The server's TLS alert, without the names that OpenSSL adds.
    private static func alert(in detail: String) -> String {
        var text = TextLine.first(of: detail)[...]
        if let mark = text.ranges(of: "::").last { text = text[mark.upperBound...] }
        if let number = text.firstRange(of: ", errno ") { text = text[..<number.lowerBound] }
        for version in ["tlsv1 ", "tlsv13 ", "sslv3 "] where text.hasPrefix(version) {
            text = text.dropFirst(version.count)
        }
        return String(text)
    }

    private static func problem(
        _ failure: ExchangeFailure, _ code: Code, _ errno: Int32, isSecure: Bool
    ) -> TransferProblem {
        if let problem = failure.problem { return problem }
        let detail = TextLine.first(of: failure.detail)
        // The transport's words only repeat host and port.
        if !detail.isEmpty, code != .cannotConnect || errno == 0 { return .init(.reported, detail) }
        return .init(code == .notHTTP && !isSecure ? .withoutTLS : .failed)
    }
}

extension TransferError.Code {
    init(_ reason: ProxyFailure) {
        self =
            switch reason {
            case .hostNotResolved: .hostNotResolved
            case .loginRefused, .noAcceptableLogin: .loginDenied
            default: .cannotConnect
            }
    }
}
