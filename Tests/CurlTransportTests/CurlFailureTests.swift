// SPDX-License-Identifier: MIT

import CCurl
@testable import CurlTransport
import SessionCore
import Testing
import TransferModel

/// libcurl's numbers go no further than the transport.
@Suite struct CurlFailureTests {
    @Test(
        arguments: [
            (1, TransferError.Code.notHTTP), (3, .malformedURL), (5, .proxyNotResolved), (6, .hostNotResolved),
            (7, .cannotConnect),
            (8, .notHTTP), (16, .receiveFailed), (18, .partialFile), (23, .cannotWrite), (26, .cannotReadSource),
            (28, .timedOut),
            (33, .rangeRefused), (35, .tlsHandshake), (45, .interfaceUnavailable), (47, .tooManyRedirects),
            (52, .noResponse),
            (55, .sendFailed), (56, .receiveFailed), (58, .clientCertificate), (59, .certificateRefused),
            (60, .certificateUntrusted),
            (61, .notHTTP), (66, .certificateRefused), (67, .loginDenied), (77, .certificateRefused),
            (90, .pinMismatch), (92, .receiveFailed),
            (94, .loginDenied), (97, .cannotConnect), (2, .other), (43, .other),
        ] as [(UInt32, TransferError.Code)]) func mapsNumbersToCodes(_ number: UInt32, _ code: TransferError.Code)
    {
        let failure = ExchangeFailure(CURLcode(number), errno: 5, text: "why")
        #expect(failure.cause == .transport(code, errno: 5, number: Int32(number)))
    }

    @Test(arguments: [
        "error:1408F10B:SSL routines:ssl3_get_record:wrong version number",
        "error:0A00010B:SSL routines::wrong version number",
        "gnutls_handshake() failed: An unexpected TLS packet was received.",
    ]) func namesPlainPorts(_ detail: String) {
        #expect(ExchangeFailure(CURLE_SSL_CONNECT_ERROR, text: detail).problem?.kind == .notTLS)
    }

    @Test(arguments: [
        ("SSL certificate problem: self-signed certificate", CertificateProblem.selfSigned),
        ("SSL certificate problem: self signed certificate in certificate chain", .selfSignedAuthority),
        ("SSL certificate problem: certificate has expired", .expired),
        ("SSL: no alternative certificate subject name matches target host name 'x'", .otherName),
        ("something\u{1b} new\nand more", .init("something new")),
    ]) func namesCertificateProblems(_ text: String, _ problem: CertificateProblem) {
        #expect(ExchangeFailure(CURLE_PEER_FAILED_VERIFICATION, text: text).certificate == problem)
    }

    /// A response with such a field is HTTP.
    @Test func namesTheFieldOfAResponse() {
        let length = ExchangeFailure(CURLE_WEIRD_SERVER_REPLY, text: "Invalid Content-Length: value")
        #expect(length.problem?.kind == .contentLength)
        for text in ["Header without colon", "Nul byte in header"] {
            let failure = ExchangeFailure(CURLE_WEIRD_SERVER_REPLY, text: text)
            #expect(failure.detail == "a field of the response is not valid: \(text)" && failure.problem == nil)
        }
        #expect(ExchangeFailure(CURLE_RECV_ERROR, text: "Invalid Content-Length: value").problem == nil)
    }

    /// libcurl names host, port and cause a second time.
    @Test func specificCodesHaveNoDetail() {
        #expect(
            ExchangeFailure(CURLE_COULDNT_CONNECT, errno: 111, text: "Failed to connect to h port 1 after 0 ms").detail
                .isEmpty)
        #expect(ExchangeFailure(CURLE_WEIRD_SERVER_REPLY, text: "Weird server reply").detail.isEmpty)
        #expect(ExchangeFailure(CURLE_UNSUPPORTED_PROTOCOL, text: "Received HTTP/0.9 when not allowed").detail.isEmpty)
    }
}
