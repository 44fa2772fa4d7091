// SPDX-License-Identifier: MIT

import Crypto
import Foundation
import Testing
import TransferTesting

/// A certificate made on the spot that is its own authority.
struct TestCertificate: Sendable {
    let path: String
    let key: String
    let der: [UInt8]
    /// SHA-256 of its SubjectPublicKeyInfo.
    let publicKeySHA256: [UInt8]

    var sha256: [UInt8] { [UInt8](SHA256.hash(data: der)) }
    var pin: String { "sha256//" + Data(publicKeySHA256).base64EncodedString() }

    static func make(
        in folder: TemporaryFolder, _ name: String = "server", subject: String = "/CN=server",
        alternatives: String = "IP:127.0.0.1,DNS:localhost", days: Int = 2
    ) async throws -> TestCertificate {
        let (path, key, der, spki) = (
            folder.file("\(name).pem"), folder.file("\(name).key"), folder.file("\(name).der"),
            folder.file("\(name).spki")
        )
        try await openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "\(days)",
            "-utf8", "-subj", subject, "-addext", "subjectAltName=\(alternatives)", "-keyout", key, "-out", path,
        ])
        try await openssl(["x509", "-in", path, "-outform", "der", "-out", der])
        try await openssl(["ec", "-in", key, "-pubout", "-outform", "der", "-out", spki])
        return TestCertificate(
            path: path, key: key, der: try folder.read("\(name).der"),
            publicKeySHA256: [UInt8](SHA256.hash(data: try folder.read("\(name).spki"))))
    }
}

/// Runs `openssl` to its end, off the threads that all tests share.
func openssl(_ arguments: [String]) async throws {
    let status = try await ChildProcess.run(["openssl"] + arguments)
    try #require(status == 0, "openssl \(arguments.joined(separator: " "))")
}
