// SPDX-License-Identifier: MIT

@testable import CurlTransport
import Crypto
import Testing
import TransferModel
import TransferTesting

@Suite(.timeLimit(.minutes(10))) struct CertificateSummaryTests {
    @Test func readsNamesDatesAndFingerprints() async throws {
        let folder = try TemporaryFolder()
        let made = try await TestCertificate.make(
            in: folder, subject: "/C=DE/O=Ünï \u{202e}gnp, Inc/OU=a\\+b/CN=x\u{1b}[2J/emailAddress=a@b",
            alternatives: "DNS:*.example.org,IP:192.0.2.1,IP:2001:db8::1,email:a@b", days: 20_000)
        let summary = CertificateSummary(der: made.der)
        #expect(summary.subject == "C=DE, O=Ünï \u{fffd}gnp\\, Inc, OU=a\\+b, CN=x\u{fffd}[2J, emailAddress=a@b")
        #expect(summary.issuer == summary.subject)
        #expect(summary.sha256 == made.sha256)
        #expect(summary.publicKeySHA256 == made.publicKeySHA256)
        #expect(summary.alternativeNames == ["*.example.org", "192.0.2.1", "2001:db8::1"])
        // The end is a GeneralizedTime, the beginning a UTCTime.
        #expect(try #require(summary.notAfter) - (try #require(summary.notBefore)) == 20_000 * 86_400)
        #expect(try #require(summary.notBefore) > 1_700_000_000)
    }

    @Test func damagedCertificatesHaveAFingerprint() async throws {
        let folder = try TemporaryFolder()
        let made = try await TestCertificate.make(in: folder)
        for length in 0..<made.der.count {
            let piece = Array(made.der.prefix(length))
            let summary = CertificateSummary(der: piece)
            #expect(summary.sha256 == [UInt8](SHA256.hash(data: piece)))
            #expect(summary.publicKeySHA256 == nil)
        }
        for index in made.der.indices {
            for value in [0, 0x7f, 0x80, 0xff] as [UInt8] {
                var damaged = made.der
                damaged[index] = value
                let summary = CertificateSummary(der: damaged)
                #expect(summary.sha256.count == 32)
                #expect(!summary.subject.unicodeScalars.contains { $0.value < 0x20 })
            }
        }
    }

    @Test(
        arguments: [
            // BMPString, UniversalString with a value that is no character, TeletexString.
            ([0x1e, 4, 0x30, 0x42, 0x30, 0x44], "あい"), ([0x1c, 8, 0, 0, 0, 0x41, 0, 0x11, 0, 0], "A\u{fffd}"),
            ([0x14, 2, 0x41, 0x42], "AB"),
        ] as [([UInt8], String)])
    func namesInOldAlphabetsAreRead(_ value: [UInt8], _ expected: String) {
        func wrap(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, UInt8(content.count)] + content }
        let name = wrap(0x30, wrap(0x31, wrap(0x30, [6, 3, 0x55, 4, 3] + value)))
        let body = wrap(0x30, [2, 1, 1] + wrap(0x30, []) + name + wrap(0x30, []) + name + wrap(0x30, []))
        let summary = CertificateSummary(der: wrap(0x30, body + wrap(0x30, []) + [3, 1, 0]))
        #expect(summary.subject == "CN=\(expected)")
        #expect(summary.notAfter == nil)
    }
}
