// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel

@Suite struct ContentMismatchTests {
    /// An algorithm of a later version has the name that came with it.
    @Test(arguments: [
        ("sha256", "SHA-256"), ("sha512", "SHA-512"), ("sha1", "SHA-1"), ("md5", "MD5"), ("blake3", "blake3"),
    ])
    func namesTheAlgorithm(_ algorithm: String, _ name: String) {
        let mismatch = ContentMismatch(.existing, algorithm: algorithm)
        #expect(mismatch.message(of: nil) == "exists already, and its \(name) is another")
    }

    @Test func readsKindsOfLaterVersions() throws {
        let json = Data(#"{"code":32,"message":"h: smells","host":"h","mismatch":{"kind":"smell"}}"#.utf8)
        let error = try JSONDecoder().decode(TransferError.self, from: json)
        #expect(error.fields.mismatch?.kind == .unknown && error.fields.mismatch?.message(of: "h") == nil)
        #expect(error.message == "h: smells")
    }

    @Test func anotherSentenceDropsTheValue() {
        var error = TransferError(ContentMismatch(.part), host: "h")
        error.message = "something else"
        #expect(error.fields.mismatch == nil && error.fields.host == "h")
    }
}
