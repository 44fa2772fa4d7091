// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel

@Suite struct ContentMismatchTests {
    private static let expected = Checksum(algorithm: .md5, bytes: Array(repeating: 0xab, count: 16))
    private static let found = Array(repeating: UInt8(0xcd), count: 16)
    private static let digits = String(repeating: "ab", count: 16)
    private static let others = String(repeating: "cd", count: 16)

    private static let sentences: [(ContentMismatch, String)] = [
        (.init(.size, found: "5", expected: "7"), "the file has 5 bytes there, expected 7"),
        (
            .init(.download, expected: expected, found: found),
            "MD5 is \(others), expected \(digits); the file was not kept"
        ),
        (
            .init(.download, expected: expected), "MD5 is unknown, expected \(digits); the file was not kept"
        ),
        (
            .init(.stream, expected: expected, found: found),
            "MD5 is \(others), expected \(digits); its bytes have been written out"
        ),
        (
            .init(.part),
            "a part of the file has another digest than expected, from each address; the file was not kept"
        ),
        (.init(.existing, expected: expected), "exists already, and its MD5 is another"),
        (.init(.source, expected: expected), "does not have the checksum md5:\(digits); nothing was sent"),
        (
            .init(.sent, expected: expected),
            "what was sent does not have the checksum md5:\(digits); the server has a file that you did not mean"
        ),
        (
            .init(.stored, expected: expected, found: found),
            "the server stored other bytes than were sent (MD5 \(others) instead of \(digits))"
        ),
    ]

    @Test(arguments: sentences) func hasASentence(_ mismatch: ContentMismatch, _ text: String) {
        let error = TransferError(mismatch, host: "h")
        #expect(error.message == "h: \(text)" && error.code == .checksumMismatch)
        #expect(TransferError(mismatch, path: "/x").message == "/x: \(text)")
    }

    /// An algorithm of a later version has the name that came with it.
    @Test(arguments: [
        ("sha256", "SHA-256"), ("sha512", "SHA-512"), ("sha1", "SHA-1"), ("md5", "MD5"), ("blake3", "blake3"),
    ])
    func namesTheAlgorithm(_ algorithm: String, _ name: String) {
        let mismatch = ContentMismatch(.existing, algorithm: algorithm)
        #expect(mismatch.message(of: nil) == "exists already, and its \(name) is another")
    }

    @Test func everyKindHasASentence() {
        let tested = Self.sentences.map(\.0.kind)
        #expect(Set(tested) == Set(ContentMismatch.Kind.allCases).subtracting([.unknown]))
    }

    @Test(arguments: sentences) func survivesCoding(_ mismatch: ContentMismatch, _ text: String) throws {
        let error = TransferError(mismatch, path: "/x", variant: .existingDiffers)
        #expect(try JSONDecoder().decode(TransferError.self, from: JSONEncoder().encode(error)) == error)
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
