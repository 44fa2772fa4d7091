// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import Platform
public import TransferModel

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
            let reason = Self.reason(code, errno, TextLine.first(of: failure.detail), isSecure: isSecure)
            self.init(
                code, "\(Self.place(of: code, authority, proxy)): \(reason)", curlCode: number,
                systemErrno: errno == 0 ? nil : errno)
            switch code {
            case .certificateUntrusted: fields.certificate = failure.certificate ?? .other(reason)
            case .pinMismatch: fields.certificate = .otherKey
            default: break
            }
        case .requestTimeout(let seconds):
            self.init(
                .timedOut,
                "\(authority): request timeout: nothing moved for \(Self.seconds(seconds)) "
                    + "(\(moved.received) bytes received, \(moved.sent) sent before)")
            fields.timer = .request
        case .connectTimeout(let seconds):
            let way = proxy.map { " by way of the proxy \($0)" } ?? ""
            self.init(
                .timedOut,
                "\(authority): connect timeout: no connection\(way) within \(Self.seconds(seconds)) (nothing was sent)")
            fields.timer = .connect
        case .misconfigured(let code): self.init(code, "\(authority): \(TextLine.first(of: failure.detail))")
        case .proxyRefused(let head):
            self.init(
                head.status == .proxyAuthenticationRequired ? .loginDenied : .httpStatus,
                "the proxy\(proxy.map { " \($0)" } ?? "") returned \(head.status.code) "
                    + "for the connection to \(authority)"
            )
            (fields.status, fields.proxy) = (head.status.code, proxy?.description)
        case .proxyFailed(let reason):
            self.init(.init(reason), Self.words(reason, authority, "the proxy\(proxy.map { " \($0)" } ?? "")"))
            fields.proxy = proxy?.description
            if case .notSOCKS = reason { fields.variant = .proxyNotSOCKS }
        case .trustUndecided(let trust):
            let reason = trust.failure.map { ": " + TextLine.first(of: $0.text) } ?? ""
            self.init(.certificateRefused, "\(authority): the server's certificate was not approved\(reason)")
        case .certificatePinMismatch:
            self.init(.pinMismatch, "\(authority): the server's certificate is not the pinned one")
        case .clientCertificateRequired:
            self.init(.clientCertificate, "\(authority): the server demands a client certificate, and none was given")
        case .clientCertificateRefused:
            self.init(
                .clientCertificate,
                "\(authority): the server does not accept the client certificate: \(Self.alert(in: failure.detail))")
        case .cannotWrite(let errno):
            self.init(
                .cannotWrite, "cannot write: \(SystemError.phrase(errno))", systemErrno: errno)
        case .cannotRead(let errno):
            self.init(.cannotReadSource, "cannot read the source: \(SystemError.phrase(errno))", systemErrno: errno)
        case .file(let error):
            self = error
            return
        case .sourceShrank:
            self.init(.cannotReadSource, "the source became shorter while it was being sent")
            fields.variant = .sourceChanged
        case .answeredEarly(let status): self = .answeredEarly(authority, status: status)
        case .headTooLarge:
            self.init(
                .notHTTP,
                "\(authority): the response's head is too large "
                    + "(more than 1000 fields, 300 KiB, or 100 KiB in a field)")
            fields.variant = .doubtfulAddress
        case .aborted: self.init(.other, "\(authority): the response was refused")
        case .cancelled: self = .cancelled
        }
        if code != .cancelled { fields.host = authority }
    }

    /// How an upload ends that got a 2xx before the server had the whole body. Nothing of what caused it passes by
    /// itself.
    public static func answeredEarly(_ authority: String, status: Int) -> TransferError {
        TransferError(
            .answeredEarly, "\(authority): returned \(status) before the file was sent; the server may want a login")
    }

    static func seconds(_ value: Double) -> String {
        value == value.rounded() && value < 1e15 ? "\(Int(value)) s" : "\((value * 1000).rounded() / 1000) s"
    }

    /// What could not be reached: with a proxy, it is never the server itself that is connected to.
    private static func place(of code: Code, _ authority: String, _ proxy: ProxyServer?) -> String {
        guard let proxy, code == .proxyNotResolved || code == .cannotConnect else { return authority }
        return "the proxy \(proxy) (to \(authority))"
    }

    private static func words(_ reason: ProxyFailure, _ authority: String, _ proxy: String) -> String {
        switch reason {
        case .hostNotResolved:
            "\(authority): the host's name could not be resolved; with socks5h:// or socks4a:// the proxy would look "
                + "it up"
        case .loginRefused: "\(proxy) did not accept the login"
        case .noAcceptableLogin: "\(proxy) wants another login than it was offered"
        case .notAllowed: "\(proxy) does not allow the connection to \(authority)"
        case .networkUnreachable: "\(proxy) could not connect to \(authority): network unreachable"
        case .hostUnreachable: "\(proxy) could not connect to \(authority): host unreachable"
        case .connectionRefused: "\(proxy) could not connect to \(authority): connection refused"
        case .timeToLiveExpired: "\(proxy) could not connect to \(authority): TTL expired"
        case .generalFailure: "\(proxy) could not connect to \(authority), and does not say why"
        case .notSupported: "\(proxy) cannot make the connection to \(authority)"
        case .closed: "\(proxy) closed the connection before there was one to \(authority)"
        case .notSOCKS: "\(proxy) does not speak SOCKS"
        case .other: "\(proxy) made no connection to \(authority)"
        }
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

    /// - Parameter detail: the transport's own words, where the code does not say it all.
    private static func reason(_ code: Code, _ errno: Int32, _ detail: String, isSecure: Bool) -> String {
        if code == .cannotConnect, errno != 0 { return SystemError.phrase(errno) }
        if !detail.isEmpty { return detail }
        return switch code {
        case .proxyNotResolved: "the proxy's name could not be resolved"
        case .hostNotResolved: "the host's name could not be resolved"
        case .cannotConnect: "no connection"
        case .notHTTP: "the response is not HTTP" + (isSecure ? "" : "; if the port speaks TLS, use https://")
        case .partialFile: "the connection closed before the whole body had arrived"
        case .tooManyRedirects: "too many redirects"
        case .noResponse: "the server closed the connection without a response"
        case .pinMismatch: "the server's public key is not the pinned one"
        case .certificateUntrusted, .certificateRefused: "the certificate was not accepted"
        default: "transfer failed (\(code.name))"
        }
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
