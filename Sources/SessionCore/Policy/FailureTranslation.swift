// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import Platform
public import TransferModel

extension TransferError {
    /// What a transport's failure is called towards a person: number, cause, and the host it concerns.
    /// - Parameter proxy: by way of which the connection was to be made; messages name it without its credential.
    init(_ failure: ExchangeFailure, authority: String, proxy: ProxyServer? = nil, isSecure: Bool = true, moved: ExchangeProgress) {
        switch failure.cause {
        case .curl(let told, let errno):
            // Of a SOCKS proxy's own name libcurl says what it says of a host's.
            let code = proxy != nil && told == 6 ? 5 : told
            self.init(.init(curl: code), "\(Self.place(ofCurl: code, authority, proxy)): \(Self.words(forCurl: code, errno, failure.detail, isSecure: isSecure))",
                      curlCode: code, systemErrno: errno == 0 ? nil : errno)
        case .requestTimeout(let seconds):
            self.init(.timedOut, "\(authority): request timeout: nothing moved for \(Self.seconds(seconds)) "
                + "(\(moved.received) bytes received, \(moved.sent) sent before)", curlCode: 28)
        case .connectTimeout(let seconds):
            let way = proxy.map { " by way of the proxy \($0)" } ?? ""
            self.init(.timedOut, "\(authority): connect timeout: no connection\(way) within \(Self.seconds(seconds)) (nothing was sent)",
                      curlCode: 28)
        case .misconfigured(let code): self.init(code, "\(authority): \(TextLine.first(of: failure.detail))")
        case .proxyRefused(let head):
            self.init(head.status == .proxyAuthenticationRequired ? .loginDenied : .httpStatus,
                      "the proxy\(proxy.map { " \($0)" } ?? "") answered \(head.status.code) to the connection to \(authority)")
        case .proxyFailed(let reason):
            self.init(.init(reason), Self.words(reason, authority, "the proxy\(proxy.map { " \($0)" } ?? "")"), curlCode: 97)
        case .trustUndecided(let trust):
            let reason = trust.failure.map { ": " + TextLine.first(of: $0) } ?? ""
            self.init(.certificateRefused, "\(authority): the server's certificate was not approved\(reason)")
        case .certificatePinMismatch:
            self.init(.pinMismatch, "\(authority): the server's certificate is not the pinned one", curlCode: 90)
        case .clientCertificateRequired:
            self.init(.clientCertificate, "\(authority): the server demands a client certificate, and none was given")
        case .clientCertificateRefused:
            self.init(.clientCertificate, "\(authority): the server does not accept the client certificate: \(Self.alert(in: failure.detail))")
        case .cannotWrite(let errno):
            self.init(.cannotWrite, "cannot write: \(SystemError.phrase(errno))\(Self.remedy(errno))", systemErrno: errno)
        case .cannotRead(let errno):
            self.init(.cannotReadSource, "cannot read the source: \(SystemError.phrase(errno))", systemErrno: errno)
        case .sourceShrank:
            self.init(.cannotReadSource, "the source became shorter while it was being sent; send it again")
        case .answeredEarly(let status): self = .answeredEarly(authority, status: status)
        case .headTooLarge:
            self.init(.notHTTP, "\(authority): the response's head is too large (more than 1000 fields, or 300 KiB); check the address")
        case .aborted: self.init(.other, "\(authority): the answer was refused")
        case .cancelled: self.init(.other, "cancelled")
        }
    }

    /// How an upload ends that got a 2xx before the server had the whole body. Nothing of what caused it passes by itself.
    public static func answeredEarly(_ authority: String, status: Int) -> TransferError {
        TransferError(.sendFailed, "\(authority): answered \(status) before the file was sent; the server may want a login")
    }

    static func seconds(_ value: Double) -> String {
        value == value.rounded() && value < 1e15 ? "\(Int(value)) s" : "\((value * 1000).rounded() / 1000) s"
    }

    /// What libcurl could not reach: with a proxy, it is never the server itself that it connects to.
    private static func place(ofCurl code: Int32, _ authority: String, _ proxy: ProxyServer?) -> String {
        guard let proxy, [5, 7].contains(code) else { return authority }
        return "the proxy \(proxy) (to \(authority))"
    }

    private static func words(_ reason: ProxyFailure, _ authority: String, _ proxy: String) -> String {
        switch reason {
        case .hostNotResolved:
            "\(authority): the host's name could not be resolved; with socks5h:// or socks4a:// the proxy would look it up"
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
        case .notSOCKS: "\(proxy) does not speak SOCKS; check its scheme and port"
        case .other: "\(proxy) made no connection to \(authority)"
        }
    }

    /// What helps against a failed write.
    private static func remedy(_ errno: Int32) -> String {
        switch errno {
        case ENOSPC: "; free some space"
        case EDQUOT: "; free some of the quota"
        default: ""
        }
    }

    /// What the server said in TLS, without the names that OpenSSL puts around it.
    private static func alert(in detail: String) -> String {
        var text = TextLine.first(of: detail)[...]
        if let mark = text.ranges(of: "::").last { text = text[mark.upperBound...] }
        if let number = text.firstRange(of: ", errno ") { text = text[..<number.lowerBound] }
        for version in ["tlsv1 ", "tlsv13 ", "sslv3 "] where text.hasPrefix(version) { text = text.dropFirst(version.count) }
        return String(text)
    }

    /// What OpenSSL's and GnuTLS's words for a failed handshake mean; `nil`: not known. They are no interface, so that anything else is
    /// shown as it is.
    private static func handshake(_ detail: String) -> String? {
        let text = detail.lowercased()
        func says(_ words: String...) -> Bool { words.contains(where: text.contains) }
        if says("wrong version number", "packet length too long", "http request", "unexpected tls packet", "record layer failure") {
            return "the server does not speak TLS on this port; check the port, or use http://"
        }
        if says("alert protocol version", "unsupported protocol", "no protocols available") {
            return "the server speaks no version of TLS that is allowed here"
        }
        if says("ssl_error_syscall", "unexpected eof", "connection reset") {
            return "the server closed the connection during the TLS handshake; check that it speaks https on this port"
        }
        return nil
    }

    private static func words(forCurl code: Int32, _ errno: Int32, _ detail: String, isSecure: Bool) -> String {
        if code == 7, errno != 0 { return SystemError.phrase(errno) }
        if code == 35, let words = handshake(detail) { return words }
        if !isSecure, code == 1 || code == 8 { return "the answer is not HTTP; if the port speaks TLS, use https://" }
        let known: [Int32: String] = [
            1: "the answer is not HTTP", 5: "the proxy's name could not be resolved", 6: "the host's name could not be resolved",
            7: "no connection", 8: "the answer is not HTTP", 18: "the connection closed before the whole body had arrived",
            47: "too many redirects", 52: "the server closed the connection without an answer",
            90: "the server's public key is not the pinned one",
        ]
        let said = TextLine.first(of: detail)
        if code == 60, said.isEmpty { return "the certificate was not accepted" }
        guard let words = known[code] else { return said.isEmpty ? "transfer failed (curl \(code))" : said }
        return words
    }
}

extension TransferError.Code {
    /// curl's numbers, folded onto those that fileq documents.
    init(curl code: Int32) {
        self = switch code {
        case 3: .malformedURL
        case 5: .proxyNotResolved
        case 6: .hostNotResolved
        case 7, 45, 97: .cannotConnect
        case 1, 8, 61: .notHTTP
        case 18: .partialFile
        case 23: .cannotWrite
        case 26: .cannotReadSource
        case 28: .timedOut
        case 33: .rangeRefused
        case 35: .tlsHandshake
        case 47: .tooManyRedirects
        case 55: .sendFailed
        case 16, 52, 56, 92, 95, 96: .receiveFailed
        case 58: .clientCertificate
        case 59, 60, 66, 77, 80, 82, 83, 91, 98: .certificateRefused
        case 67, 94: .loginDenied
        case 90: .pinMismatch
        default: .other
        }
    }

    init(_ reason: ProxyFailure) {
        self = switch reason {
        case .hostNotResolved: .hostNotResolved
        case .loginRefused, .noAcceptableLogin: .loginDenied
        default: .cannotConnect
        }
    }
}

/// Text from elsewhere, made fit for one line of a message.
public enum TextLine {
    /// The first line with something in it, without control characters, at most 200 characters.
    public static func first(of text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first { !$0.allSatisfy(\.isWhitespace) } ?? ""
        let clean = line.unicodeScalars.filter { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
        return String(String.UnicodeScalarView(clean)).prefix(200).description
    }
}
