// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel

@Suite struct FailureTranslationTests {
    private static let trust = ServerTrust(host: "h", port: 443, chain: [CertificateSummary(sha256: [1])])

    @Test(arguments: [
        (ExchangeFailure(.trustUndecided(trust)), TransferError.Code.certificateRefused, "not approved"),
        (ExchangeFailure(.trustUndecided(ServerTrust(host: "h", port: 443, chain: [], failure: "it is\u{7} old\nand more"))), .certificateRefused, "not approved: it is old"),
        (ExchangeFailure(.certificatePinMismatch), .pinMismatch, "not the pinned one"),
        (ExchangeFailure(.clientCertificateRequired), .clientCertificate, "demands a client certificate"),
        (ExchangeFailure(.clientCertificateRefused, detail: "alert unknown ca"), .clientCertificate, "alert unknown ca"),
        (ExchangeFailure(.misconfigured(.usage), detail: "no such\u{1b} thing"), .usage, "no such thing"),
        (ExchangeFailure(.curl(code: 58, errno: 0), detail: "wrong pass phrase"), .clientCertificate, "wrong pass phrase"),
        (ExchangeFailure(.proxyRefused(HTTPResponse(status: .proxyAuthenticationRequired))), .loginDenied, "the proxy answered 407"),
        (ExchangeFailure(.proxyRefused(HTTPResponse(status: .forbidden))), .httpStatus, "the proxy answered 403"),
    ] as [(ExchangeFailure, TransferError.Code, String)])
    func failuresHaveANumberAndWords(_ failure: ExchangeFailure, _ code: TransferError.Code, _ words: String) {
        let error = TransferError(failure, authority: "h:1", moved: .init())
        #expect(error.code == code)
        #expect(error.message.contains(words))
        #expect(error.message.contains("h:1"))
        #expect(FailureClassifier.verdict(on: error) == .permanent)
    }
}
