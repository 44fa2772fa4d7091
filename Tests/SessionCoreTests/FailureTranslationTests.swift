// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel

@Suite struct FailureTranslationTests {
    private static let trust = ServerTrust(host: "h", port: 443, chain: [CertificateSummary(sha256: [1])])

    @Test(
        arguments: [
            (ExchangeFailure(.trustUndecided(trust)), TransferError.Code.certificateRefused, "not approved"),
            (
                ExchangeFailure(
                    .trustUndecided(
                        ServerTrust(host: "h", port: 443, chain: [], failure: .init("it is\u{7} old\nand more")))),
                .certificateRefused, "not approved: it is old"
            ),
            (ExchangeFailure(.certificatePinMismatch), .pinMismatch, "not the pinned one"),
            (ExchangeFailure(.clientCertificateRequired), .clientCertificate, "demands a client certificate"),
            (
                ExchangeFailure(.clientCertificateRefused, detail: "alert unknown ca"), .clientCertificate,
                "alert unknown ca"
            ),
            (
                ExchangeFailure(
                    .clientCertificateRefused,
                    detail: "OpenSSL/3.0.19: error:0A000418:SSL routines::tlsv1 alert unknown ca, errno 0"),
                .clientCertificate, "the client certificate: alert unknown ca"
            ),
            (ExchangeFailure(.misconfigured(.usage), detail: "no such\u{1b} thing"), .usage, "no such thing"),
            (
                ExchangeFailure(.transport(.clientCertificate), detail: "wrong pass phrase"), .clientCertificate,
                "wrong pass phrase"
            ),
            (
                ExchangeFailure(.proxyRefused(HTTPResponse(status: .proxyAuthenticationRequired))), .loginDenied,
                "the proxy returned 407"
            ),
            (ExchangeFailure(.proxyRefused(HTTPResponse(status: .forbidden))), .httpStatus, "the proxy returned 403"),
        ] as [(ExchangeFailure, TransferError.Code, String)])
    func failuresHaveACodeAndMessage(_ failure: ExchangeFailure, _ code: TransferError.Code, _ words: String) {
        let error = TransferError(failure, authority: "h:1", moved: .init())
        #expect(error.code == code)
        #expect(error.message.contains(words))
        #expect(error.message.contains("h:1"))
        #expect(FailurePolicy.verdict(error).next == .end)
    }

    private static let socks = ProxyServer(
        scheme: .socks5, host: "p", port: 1080, credential: Credential(user: "ada", password: "love"))

    @Test(
        arguments: [
            (
                ExchangeFailure(.proxyFailed(.hostNotResolved)), TransferError.Code.hostNotResolved,
                "h:1: the host's name could not be resolved"
            ),
            (.init(.proxyFailed(.loginRefused)), .loginDenied, "the proxy socks5://p:1080 did not accept the login"),
            (.init(.proxyFailed(.noAcceptableLogin)), .loginDenied, "the proxy socks5://p:1080 wants another login"),
            (
                .init(.proxyFailed(.connectionRefused)), .cannotConnect,
                "the proxy socks5://p:1080 could not connect to h:1: connection refused"
            ),
            (.init(.proxyFailed(.notSOCKS)), .cannotConnect, "the proxy socks5://p:1080 does not speak SOCKS"),
            (
                .init(.proxyRefused(HTTPResponse(status: .forbidden))), .httpStatus,
                "the proxy socks5://p:1080 returned 403"
            ),
            // libcurl's number for a host is that of the proxy's own name too.
            (.init(.transport(.hostNotResolved)), .proxyNotResolved, "the proxy's name could not be resolved"),
            (
                .init(.transport(.proxyNotResolved)), .proxyNotResolved,
                "the proxy socks5://p:1080 (to h:1): the proxy's name"
            ),
            (
                .init(.transport(.cannotConnect, errno: 111), detail: "Failed to connect"), .cannotConnect,
                "the proxy socks5://p:1080 (to h:1): connection refused"
            ),
            (
                .init(.connectTimeout(seconds: 0.25)), .timedOut,
                "h:1: connect timeout: no connection by way of the proxy socks5://p:1080 within 0.25 s (nothing "
                    + "was sent)"
            ),
        ] as [(ExchangeFailure, TransferError.Code, String)])
    func proxyFailuresNameTheProxy(_ failure: ExchangeFailure, _ code: TransferError.Code, _ words: String) {
        let error = TransferError(failure, authority: "h:1", proxy: Self.socks, moved: .init())
        #expect(error.code == code)
        #expect(error.message.contains(words), "\(error.message)")
        #expect(!error.message.contains("love") && !error.message.contains("ada"))
    }

    @Test(
        arguments: [
            (111, "Failed to connect to h port 1 after 0 ms: Couldn't connect to server", "h:1: connection refused"),
            (113, "", "h:1: no route to host"), (0, "", "h:1: no connection"),
        ] as [(Int32, String, String)])
    func refusedConnectionsHaveOneCause(_ errno: Int32, _ detail: String, _ message: String) {
        let error = TransferError(
            ExchangeFailure(.transport(.cannotConnect, errno: errno), detail: detail), authority: "h:1", moved: .init())
        #expect(error.message == message)
        #expect(error.systemErrno == (errno == 0 ? nil : errno))
    }

    @Test func namesATLSPort() {
        let failure = ExchangeFailure(.transport(.notHTTP))
        #expect(
            TransferError(failure, authority: "h:1", isSecure: false, moved: .init()).message
                == "h:1: the response is not HTTP; if the port speaks TLS, use https://")
        #expect(TransferError(failure, authority: "h:1", moved: .init()).message == "h:1: the response is not HTTP")
    }

    @Test func fullDiskErrorsHaveTheirCode() {
        let error = TransferError(ExchangeFailure(.cannotWrite(errno: 28)), authority: "h:1", moved: .init())
        #expect(error.code == .diskFull && error.message == "cannot write: no space left on device")
    }

    @Test func earlySuccessIsAFailure() {
        let error = TransferError(ExchangeFailure(.answeredEarly(status: 201)), authority: "h:1", moved: .init())
        #expect(error.code == .answeredEarly)
        #expect(error.message == "h:1: returned 201 before the file was sent; the server may want a login")
    }

    @Test func timeoutsReportProgress() {
        let moved = ExchangeProgress(received: 3, sent: 4)
        let request = TransferError(.init(.requestTimeout(seconds: 0.5)), authority: "h:1", moved: moved)
        #expect(request.message == "h:1: request timeout: nothing moved for 0.5 s (3 bytes received, 4 sent before)")
        let response = TransferError(.init(.responseTimeout(seconds: 300)), authority: "h:1", moved: moved)
        #expect(response.message == "h:1: response timeout: no response for 300 s after the last of 4 bytes")
        #expect(response.code == .timedOut && response.fields.timer == .response)
        let connect = TransferError(.init(.connectTimeout(seconds: 30)), authority: "h:1", moved: .init())
        #expect(connect.message == "h:1: connect timeout: no connection within 30 s (nothing was sent)")
    }
}
