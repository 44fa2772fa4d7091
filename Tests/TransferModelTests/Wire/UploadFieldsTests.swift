// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel

struct UploadFieldsTests {
    @Test(
        arguments: [
            (.v8, ["Upload-Offset": "5", "Upload-Complete": "?1", "Upload-Length": "7"], 5, 7, true),
            (.v8, ["Upload-Offset": "5;q=1", "Upload-Complete": "?0; a"], 5, nil, false),
            (.v6, ["Upload-Offset": " 5 ", "Upload-Length": "0"], 5, 0, nil),
            (.v5, ["Upload-Offset": "0", "Upload-Length": "7", "Upload-Complete": "?1"], 0, nil, true),
            (.v3, ["Upload-Offset": "0", "Upload-Incomplete": "?1"], 0, nil, false),
            (.v3, ["Upload-Incomplete": "?0"], nil, nil, true),
            // Each version has one of the two fields.
            (.v3, ["Upload-Complete": "?1"], nil, nil, nil), (.v8, ["Upload-Incomplete": "?0"], nil, nil, nil),
        ] as [(UploadInterop, [String: String], Int64?, Int64?, Bool?)])
    func reads(version: UploadInterop, fields: [String: String], offset: Int64?, length: Int64?, isComplete: Bool?) {
        var found: HTTPFields = [:]
        for (name, value) in fields { found[HTTPField.Name(name)!] = value }
        #expect(
            UploadFields(found, version: version)
                == UploadFields(offset: offset, length: length, isComplete: isComplete))
    }

    /// "Other values MUST cause the entire header field to be ignored."
    @Test(arguments: [
        "-1", "1.0", "\"1\"", "?1", "one", "", "1 2", "1, 2", "0x1", "+1", "1000000000000000", "9223372036854775808",
    ])
    func ignoresOffsetsThatAreNoCount(text: String) {
        #expect(UploadFields([.uploadOffset: text, .uploadLength: text], version: .v8) == UploadFields())
    }

    @Test(arguments: ["1", "?2", "true", "", "?1?0", "?0, ?1"])
    func ignoresCompletenessThatIsNoBoolean(text: String) {
        #expect(UploadFields([.uploadComplete: text], version: .v8).isComplete == nil)
        #expect(UploadFields([.uploadIncomplete: text], version: .v3).isComplete == nil)
    }

    @Test func aFieldPresentTwiceIsIgnored() {
        var fields: HTTPFields = [:]
        fields[values: .uploadOffset] = ["1", "2"]
        #expect(UploadFields(fields, version: .v8).offset == nil)
    }

    @Test(arguments: UploadInterop.allCases, [true, false])
    func readsWhatItWrites(version: UploadInterop, isComplete: Bool) {
        let stated = UploadFields(offset: 3, length: version.traits.hasLength ? 9 : nil, isComplete: isComplete)
        var fields: HTTPFields = [:]
        stated.write(to: &fields, version: version)
        #expect(UploadFields(fields, version: version) == stated)
    }

    @Test func theTableOfVersions() {
        let rows = UploadInterop.preferred.map { version in
            let traits = version.traits
            return [
                "\(version.rawValue)", traits.completeness == .complete ? "complete" : "incomplete",
                traits.appendType ?? "any", traits.reportsProgress ? "progress" : "-", traits.lifetimeKey ?? "-",
                traits.problems.map { $0.rawValue.split(separator: "#")[1] }.sorted().joined(separator: "+"),
                traits.appendStatesCompleteness ? "stated" : "-", "\(traits.incompleteAppendStatus)",
                traits.replaysFinalResponse ? "replay" : "-",
            ].joined(separator: " ")
        }
        #expect(
            rows == [10, 9, 8].map {
                "\($0) complete application/partial-upload progress max-age "
                    + "inconsistent-upload-length+mismatching-upload-offset stated 204 replay"
            } + [
                "6 complete application/partial-upload progress expires "
                    + "completed-upload+mismatching-upload-offset - 201 -",
                "5 complete any progress -  - 201 -", "3 incomplete any - -  - 201 -",
            ])
    }

    @Test(arguments: [
        ("10", 10), ("9", 9), ("8", 8), ("1000", nil), ("6;x", 6), ("5", 5), ("3", 3), ("7", nil), ("", nil),
        ("8.0", nil), ("\"8\"", nil),
    ])
    func versions(text: String, number: Int?) {
        #expect(UploadFields.version(of: [.uploadInterop: text])?.rawValue == number)
    }
}

struct UploadLimitsTests {
    @Test(
        arguments: [
            ("max-size=100, min-size=1", UploadLimits(maximumSize: 100, minimumSize: 1)),
            (
                "max-append-size=10, min-append-size=2;x, max-age=60, other=(1 2)",
                UploadLimits(maximumAppend: 10, minimumAppend: 2, lifetime: 60)
            ),
            ("expires=60", UploadLimits(lifetime: 60)), ("", UploadLimits()), ("unknown", UploadLimits()),
            ("max-size=-1", nil), ("max-size=\"1\"", nil), ("max-size=1.5", nil), ("max-size", nil), ("=", nil),
        ] as [(String, UploadLimits?)])
    func reads(text: String, limits: UploadLimits?) { #expect(UploadLimits(parsing: text) == limits) }

    @Test func writesTheLifetimeUnderTheNameOfTheVersion() {
        let limits = UploadLimits(maximumSize: 9, lifetime: 60)
        #expect(limits.field(for: .v8) == "max-size=9, max-age=60")
        #expect(limits.field(for: .v6) == "max-size=9, expires=60")
        #expect(limits.field(for: .v5) == nil && limits.field(for: .v3) == nil)
        #expect(UploadLimits().field(for: .v8) == "min-size=0")
        #expect(UploadLimits(maximumSize: .max).field(for: .v8) == "max-size=999999999999999")
    }

    @Test func limitsThatContradict() {
        #expect(UploadLimits(maximumSize: 1, minimumSize: 2).isContradictory)
        #expect(UploadLimits(maximumAppend: 1, minimumAppend: 2).isContradictory)
        #expect(UploadLimits(maximumAppend: 0).isContradictory)
        #expect(!UploadLimits(maximumSize: 2, minimumSize: 2, maximumAppend: 1).isContradictory)
    }
}

struct UploadProblemTests {
    @Test func readsWhatItWrites() {
        let problem = UploadProblemDetails(.mismatchingOffset, expectedOffset: 5, providedOffset: 0)
        #expect(UploadProblemDetails(parsing: problem.json()) == problem)
        #expect(String(decoding: problem.json(), as: UTF8.self).contains("\"expected-offset\":5"))
        #expect(UploadProblemDetails(parsing: Array("{\"type\":\"about:blank\"}".utf8)) == nil)
        #expect(UploadProblemDetails(parsing: Array("oops".utf8)) == nil)
        let digest = String(decoding: UploadProblemDetails(.mismatchingDigest).json(), as: UTF8.self)
        #expect(digest.contains("https://iana.org/assignments/http-problem-types#digest-mismatched-values"))
        for kind in UploadProblemDetails.Kind.allCases {
            let problem = UploadProblemDetails(kind)
            #expect(UploadProblemDetails(parsing: problem.json()) == problem && !problem.title.isEmpty)
        }
    }
}

struct TusTests {
    @Test(
        arguments: [
            ("filename d29ybGQ=,secret", [("filename", "world"), ("secret", "")]),
            ("a YQ==, b  ", [("a", "a"), ("b", "")]), ("a YQ==, b", [("a", "a"), ("b", "")]), ("", nil),
            ("a YQ==,", nil),
            ("a YQ==,a YQ==", nil), ("a b c", nil), ("a !!!", nil), ("é YQ==", nil), (" ,", nil),
        ] as [(String, [(String, String)]?)])
    func metadata(text: String, pairs: [(String, String)]?) throws {
        let found = Tus.Metadata(parsing: text)
        guard let pairs else {
            #expect(found == nil)
            return
        }
        let metadata = try #require(found)
        #expect(metadata == Tus.Metadata(pairs.map { .init(key: $0.0, value: Array($0.1.utf8)) }))
        #expect(Tus.Metadata(parsing: metadata.description) == metadata)
    }

    @Test func textOfMetadata() {
        #expect(Tus.Metadata.Pair(key: "a", value: Array("写".utf8)).text == "写")
        #expect(Tus.Metadata.Pair(key: "a", value: Array("x\r\ny".utf8)).text == nil)
        #expect(Tus.Metadata.Pair(key: "a", value: [0xff]).text == nil)
    }

    @Test(
        arguments: [
            ("partial", .partial), ("final;/a /b", .final(["/a", "/b"])), ("final;", nil), ("final", nil), ("x", nil),
        ] as [(String, Tus.Concatenation?)])
    func concatenation(text: String, expected: Tus.Concatenation?) {
        #expect(Tus.Concatenation(parsing: text) == expected)
        if let expected { #expect(expected.description == text) }
    }

    @Test func checksums() throws {
        let sum = try Checksum(parsing: "sha1:2aae6c35c94fcfb415dbe95f408b9ce91ee846ed")
        #expect(Tus.ChecksumField(parsing: "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=") == .checksum(sum))
        #expect(Tus.ChecksumField.text(of: sum) == "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=")
        #expect(Tus.ChecksumField(parsing: "crc32 AAAA") == .unsupported)
        for text in ["sha1 AAAA", "sha1", "sha1 !", ""] { #expect(Tus.ChecksumField(parsing: text) == .malformed) }
    }

    @Test(arguments: [("0", 0), ("10", 10), ("-1", nil), ("", nil), ("1a", nil), ("9223372036854775808", nil)])
    func numbers(text: String, value: Int64?) { #expect(Tus.number(text) == value) }
}
