// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel

/// RFC 9111, section 4.3.4.
@Suite struct CacheRevalidationTests {
    typealias Pairs = [(String, String)]
    private let later = CacheSamples.start + 500

    private func freshen(
        _ stored: CachedResponse, _ fields: Pairs, status: Int = 304, request: CacheRequest? = nil
    ) throws
        -> CachedResponse?
    {
        stored.freshened(
            by: try CacheSamples.head(status, fields), for: try request ?? CacheSamples.request(),
            requestTime: later - 1, storedTime: later)
    }

    @Test(
        arguments: [
            ([("ETag", "\"a\"")], [("ETag", "\"a\"")], true), ([("ETag", "\"a\"")], [], true),
            ([("ETag", "\"a\"")], [("ETag", "\"b\"")], false),
            ([("ETag", "\"a\"")], [("ETag", "W/\"a\"")], true), ([("ETag", "W/\"a\"")], [("ETag", "W/\"a\"")], true),
            ([("ETag", "W/\"a\"")], [("ETag", "\"a\"")], false), ([("Last-Modified", "x")], [("ETag", "\"a\"")], false),
            ([("Last-Modified", "x")], [("Last-Modified", "x")], true),
            ([("Last-Modified", "x")], [("Last-Modified", "y")], false),
            ([("ETag", "\"a\""), ("Last-Modified", "x")], [("ETag", "\"a\""), ("Last-Modified", "y")], true),
        ] as [(Pairs, Pairs, Bool)]) func confirmationsNameTheVersion(
            _ stored: Pairs, _ head: Pairs, _ expected: Bool
        ) throws
    {
        #expect(try (freshen(CacheSamples.stored(stored), head) != nil) == expected)
    }

    @Test func only304Confirms() throws {
        #expect(try freshen(CacheSamples.stored([("ETag", "\"a\"")]), [("ETag", "\"a\"")], status: 200) == nil)
    }

    @Test func newFieldsReplaceOldOnes() throws {
        let stored = try CacheSamples.stored([
            ("ETag", "\"a\""), ("Cache-Control", "max-age=1"), ("Content-Length", "3"), ("Content-Encoding", "gzip"),
            ("Age", "400"),
            ("Content-Type", "text/plain"), ("X", "1"), ("X", "2"), ("Date", HTTPDate.format(CacheSamples.start - 9)),
        ])
        let result = try #require(
            try freshen(
                stored,
                [
                    ("ETag", "\"a\""), ("Cache-Control", "max-age=9"), ("Content-Length", "0"),
                    ("Content-Encoding", "br"), ("X", "3"),
                    ("Connection", "X-Hop"), ("X-Hop", "1"),
                ]))
        #expect(result.head.status.code == 200)
        #expect(result.body == [1, 2, 3])
        #expect(result.storedTime == later)
        #expect(result.age(at: later) == 1)
        let fields = result.head.headerFields
        #expect(fields[values: HTTPField.Name("X") ?? .age] == ["3"])
        #expect(fields[.cacheControl] == "max-age=9")
        #expect(fields[.contentLength] == "3")
        #expect(fields[.contentEncoding] == "gzip")
        #expect(fields[.contentType] == "text/plain")
        #expect(fields[.age] == nil)
        #expect(fields[.date] == HTTPDate.format(later))
        #expect(fields.contains { $0.name.canonicalName == "x-hop" } == false)
        #expect(result.isFresh(at: later + 7))
        #expect(!result.isFresh(at: later + 8))
    }

    @Test func rereadsDirectivesOf304() throws {
        var stored = try CacheSamples.stored([("ETag", "\"a\"")])
        #expect(try freshen(stored, [("Cache-Control", "no-store")])?.storagePolicy == .notAllowed)
        #expect(try freshen(stored, [("Set-Cookie", "a=b")])?.storagePolicy == .allowedInMemoryOnly)
        #expect(try freshen(stored, [])?.storagePolicy == .allowed)
        stored.storagePolicy = .allowedInMemoryOnly
        #expect(try freshen(stored, [])?.storagePolicy == .allowedInMemoryOnly)
    }

    @Test func newVaryUsesTheNewRequest() throws {
        let first = try CacheSamples.request([("Accept", "a")])
        let result = try #require(
            try freshen(CacheSamples.stored([("ETag", "\"a\"")], for: first), [("Vary", "Accept")], request: first))
        #expect(result.matches(first))
        #expect(!result.matches(try CacheSamples.request([("Accept", "b")])))
    }
}
