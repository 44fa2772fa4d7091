// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel

struct ReprDigestTests {
    let empty = Checksum(
        algorithm: .sha256,
        bytes: Hex.decode(
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")!)
    let text = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"

    @Test func printsAndReads() {
        #expect(ReprDigest(empty).description == text)
        #expect(ReprDigest(parsing: text)?[.sha256] == empty)
    }

    @Test func ignoresOtherAlgorithms() {
        #expect(ReprDigest(parsing: "md5=:AAAA:, \(text), unixsum=30637")?.checksums == [empty])
        #expect(ReprDigest(parsing: "crc32c=:AAAAAA==:")?.checksums == [])
    }

    @Test(arguments: ["sha-256=47DEQ", "sha-256=:AAAA:", "sha-256=:!!:", "sha-256", "sha-256=\"x\"", "=;,"])
    func refuses(text: String) { #expect(ReprDigest(parsing: text) == nil) }

    @Test(
        arguments: [
            ("sha-256=10", Checksum.Algorithm.sha256), ("sha-512=3, sha-256=3", .sha256),
            ("sha-512=9, sha-256=3", .sha512),
            ("sha-256=0, sha-512=1", .sha512), ("sha-256=0", nil), ("md5=10", nil), ("", nil), ("sha-256", nil),
            ("sha-256=:AAAA:", nil), ("sha-256=-1", nil), ("sha-256=ten", nil), ("=;,", nil),
        ] as [(String, Checksum.Algorithm?)])
    func preferences(text: String, algorithm: Checksum.Algorithm?) {
        #expect(ReprDigest.algorithm(wantedBy: text) == algorithm)
    }
}

struct EntityTagListTests {
    @Test(
        arguments: [
            ("*", "\"a\"", true, true), ("\"a\"", "\"a\"", true, true), ("\"a\"", "\"b\"", false, false),
            ("W/\"a\"", "\"a\"", false, true), ("\"a\"", "W/\"a\"", false, true), ("W/\"a\"", "W/\"a\"", false, true),
            ("\"x\", \"a\"", "\"a\"", true, true), ("\"x,\",\"a\"", "\"a\"", true, true),
            ("\"x,y\"", "\"x,y\"", true, true),
            ("a", "\"a\"", false, false), ("junk, \"a\"", "\"a\"", true, true), ("", "\"a\"", false, false),
            ("*", nil, false, false), ("\"a", "\"a\"", false, false),
        ] as [(String, String?, Bool, Bool)])
    func matches(list: String, tag: String?, strongly: Bool, weakly: Bool) {
        #expect(EntityTagList(parsing: list).matchesStrongly(tag) == strongly)
        #expect(EntityTagList(parsing: list).matchesWeakly(tag) == weakly)
    }
}

struct ValidatorTests {
    @Test(
        arguments: [
            (Validator(entityTag: "\"a\"", lastModified: "d"), "\"a\""),
            (Validator(entityTag: "W/\"a\"", lastModified: "d"), nil),
            (Validator(entityTag: "\"a", lastModified: "d"), nil), (Validator(entityTag: "a"), nil),
            (Validator(lastModified: "d"), nil), (Validator(), nil), (Validator(entityTag: "\"\""), "\"\""),
        ] as [(Validator, String?)])
    func valueForIfRange(validator: Validator, expected: String?) { #expect(validator.ifRange == expected) }

    /// RFC 9110, section 8.8.2.2.
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:50:37 GMT", true),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:50:36 GMT", false),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", false),
            ("Sun, 06 Nov 1994 08:49:37 GMT", nil, false),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "later", false), ("yesterday", "Sun, 06 Nov 1994 08:50:37 GMT", false),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sat, 05 Nov 1994 08:49:37 GMT", false),
        ] as [(String, String?, Bool)])
    func usesOnlyAStrongDateAsCondition(modified: String, date: String?, isStrong: Bool) {
        #expect(Validator(lastModified: modified, date: date).ifRange == (isStrong ? modified : nil))
        #expect(Validator(entityTag: "W/\"a\"", lastModified: modified, date: date).ifRange == nil)
    }

    @Test func readsRecordsWithoutADate() throws {
        let old = #"{"lastModified":"Sun, 06 Nov 1994 08:49:37 GMT"}"#
        let validator = try JSONDecoder().decode(Validator.self, from: Data(old.utf8))
        #expect(validator.lastModified != nil && validator.ifRange == nil)
    }

    @Test(arguments: [
        (Validator(entityTag: "\"a\""), Validator(entityTag: "\"a\""), true),
        (Validator(entityTag: "\"a\""), Validator(entityTag: "\"b\""), false),
        (Validator(entityTag: "W/\"a\""), Validator(entityTag: "W/\"a\""), false),
        (Validator(entityTag: "\"a\"", lastModified: "d"), Validator(lastModified: "e"), false),
        (Validator(lastModified: "d"), Validator(lastModified: "d"), true),
        (Validator(entityTag: "\"a\""), Validator(), true),
    ])
    func agreement(one: Validator, other: Validator, expected: Bool) { #expect(one.agrees(with: other) == expected) }
}
