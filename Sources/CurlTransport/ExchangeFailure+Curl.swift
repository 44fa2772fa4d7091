// SPDX-License-Identifier: MIT

import CCurl
import SessionCore
import TransferModel

extension ExchangeFailure {
    /// The failure for libcurl's result of `handle`; `nil` without one.
    init?(_ code: CURLcode, on handle: CurlHandle, connectTimeout: Double) {
        guard code != CURLE_OK else { return nil }
        if code == CURLE_OPERATION_TIMEDOUT {
            self.init(.connectTimeout(seconds: connectTimeout))
        } else if code == CURLE_PROXY {
            self.init(
                .proxyFailed(ProxyFailure(CURLproxycode(UInt32(handle.long(CURLINFO_PROXY_ERROR))))),
                detail: handle.errorMessage)
        } else {
            let text = handle.errorMessage
            self.init(
                code, errno: Int32(truncatingIfNeeded: handle.long(CURLINFO_OS_ERRNO)),
                text: text.isEmpty ? String(cString: curl_easy_strerror(code)) : text)
        }
    }

    static var outOfMemory: ExchangeFailure {
        ExchangeFailure(CURLE_OUT_OF_MEMORY, text: String(cString: curl_easy_strerror(CURLE_OUT_OF_MEMORY)))
    }

    /// - Parameter text: libcurl's error text.
    init(_ code: CURLcode, errno: Int32 = 0, text: String = "") {
        let number = Int32(code.rawValue)
        let field = code == CURLE_WEIRD_SERVER_REPLY ? Self.field(text) : nil
        let detail =
            switch code {
            // These codes are specific; libcurl's text only repeats host, port and cause.
            case CURLE_UNSUPPORTED_PROTOCOL, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST,
                CURLE_COULDNT_CONNECT,
                CURLE_WEIRD_SERVER_REPLY, CURLE_PARTIAL_FILE, CURLE_TOO_MANY_REDIRECTS, CURLE_GOT_NOTHING,
                CURLE_SSL_PINNEDPUBKEYNOTMATCH:
                field?.detail ?? ""
            default: text
            }
        self.init(
            .transport(TransferError.Code(code), errno: errno, number: number), detail: detail,
            certificate: code == CURLE_PEER_FAILED_VERIFICATION ? CertificateProblem(reportedAs: text) : nil,
            problem: code == CURLE_SSL_CONNECT_ERROR ? Self.handshake(text) : field?.problem)
    }

    /// The malformed field of a response that is HTTP; `nil` if the response is not HTTP. libcurl's texts are `Invalid
    /// Content-Length: value`, `Header without colon`, `Nul byte in header`.
    private static func field(_ text: String) -> (detail: String, problem: TransferProblem?)? {
        let words = text.lowercased()
        if words.contains("content-length") { return ("", .init(.contentLength)) }
        return words.contains("header") ? ("a field of the response is not valid: \(text)", nil) : nil
    }

    /// Maps texts of OpenSSL and GnuTLS for a failed handshake; `nil`: unknown. They are not an API, so other texts are
    /// shown unchanged.
    private static func handshake(_ detail: String) -> TransferProblem? {
        let text = detail.lowercased()
        func says(_ words: String...) -> Bool { words.contains(where: text.contains) }
        if says(
            "wrong version number", "packet length too long", "http request", "unexpected tls packet",
            "record layer failure")
        {
            return .init(.notTLS)
        }
        if says("alert protocol version", "unsupported protocol", "no protocols available") {
            return .init(.noTLSVersion)
        }
        if says("ssl_error_syscall", "unexpected eof", "connection reset") {
            return .init(.closedDuringTLS)
        }
        return nil
    }
}

extension CertificateProblem {
    /// The texts of libcurl, OpenSSL and GnuTLS. They are not an API: others are shown unchanged.
    init(reportedAs text: String) {
        let reason = TextLine.first(of: text)
        let preface = "SSL certificate problem: "
        let bare = (reason.hasPrefix(preface) ? String(reason.dropFirst(preface.count)) : reason).replacing(
            "self signed", with: "self-signed")
        let isOfNames = bare.contains("does not match target host") || bare.contains("subject name matches target host")
        self =
            isOfNames
            ? .otherName : bare == "unable to get issuer certificate" ? .unknownIssuer : CertificateProblem(bare)
    }
}

extension TransferError.Code {
    /// The meaning of libcurl's result codes, which stay in this module.
    init(_ code: CURLcode) {
        self =
            switch code {
            case CURLE_URL_MALFORMAT: .malformedURL
            case CURLE_COULDNT_RESOLVE_PROXY: .proxyNotResolved
            case CURLE_COULDNT_RESOLVE_HOST: .hostNotResolved
            case CURLE_COULDNT_CONNECT, CURLE_PROXY: .cannotConnect
            case CURLE_INTERFACE_FAILED: .interfaceUnavailable
            case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .notHTTP
            case CURLE_PARTIAL_FILE: .partialFile
            case CURLE_WRITE_ERROR: .cannotWrite
            case CURLE_READ_ERROR: .cannotReadSource
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_RANGE_ERROR: .rangeRefused
            case CURLE_SSL_CONNECT_ERROR: .tlsHandshake
            case CURLE_TOO_MANY_REDIRECTS: .tooManyRedirects
            case CURLE_SEND_ERROR: .sendFailed
            case CURLE_GOT_NOTHING: .noResponse
            case CURLE_HTTP2, CURLE_RECV_ERROR, CURLE_HTTP2_STREAM, CURLE_HTTP3, CURLE_QUIC_CONNECT_ERROR:
                .receiveFailed
            case CURLE_SSL_CERTPROBLEM: .clientCertificate
            case CURLE_PEER_FAILED_VERIFICATION: .certificateUntrusted
            case CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED,
                CURLE_SSL_CRL_BADFILE,
                CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
                .certificateRefused
            case CURLE_LOGIN_DENIED, CURLE_AUTH_ERROR: .loginDenied
            case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .pinMismatch
            default: .other
            }
    }
}

extension ProxyFailure {
    /// `CURLINFO_PROXY_ERROR`.
    init(_ code: CURLproxycode) {
        self =
            switch code {
            case CURLPX_RESOLVE_HOST: .hostNotResolved
            case CURLPX_USER_REJECTED, CURLPX_IDENTD, CURLPX_IDENTD_DIFFER: .loginRefused
            case CURLPX_NO_AUTH, CURLPX_GSSAPI, CURLPX_GSSAPI_PERMSG, CURLPX_GSSAPI_PROTECTION, CURLPX_LONG_PASSWD,
                CURLPX_LONG_USER:
                .noAcceptableLogin
            case CURLPX_REPLY_NOT_ALLOWED: .notAllowed
            case CURLPX_REPLY_NETWORK_UNREACHABLE: .networkUnreachable
            case CURLPX_REPLY_HOST_UNREACHABLE: .hostUnreachable
            case CURLPX_REPLY_CONNECTION_REFUSED: .connectionRefused
            case CURLPX_REPLY_TTL_EXPIRED: .timeToLiveExpired
            case CURLPX_REPLY_GENERAL_SERVER_FAILURE, CURLPX_REQUEST_FAILED: .generalFailure
            case CURLPX_REPLY_COMMAND_NOT_SUPPORTED, CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED, CURLPX_LONG_HOSTNAME:
                .notSupported
            case CURLPX_CLOSED, CURLPX_RECV_ADDRESS, CURLPX_RECV_AUTH, CURLPX_RECV_CONNECT, CURLPX_RECV_REQACK,
                CURLPX_SEND_AUTH,
                CURLPX_SEND_CONNECT, CURLPX_SEND_REQUEST:
                .closed
            case CURLPX_BAD_VERSION, CURLPX_BAD_ADDRESS_TYPE, CURLPX_UNKNOWN_MODE: .notSOCKS
            default: .other
            }
    }
}
