// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel

/// What is done with a request, row by row. Stored answers came at `start`; `later` is seconds after that.
@Suite struct CacheDecisionTests {
    typealias Pairs = [(String, String)]

    enum Expected: Sendable { case load, use, ask, fail }

    private static let tagged = ("ETag", "\"v1\"")
    private static let aged = CacheControlText("max-age=60")

    private struct CacheControlText: Sendable {
        let pair: (String, String)
        init(_ text: String) { pair = ("Cache-Control", text) }
    }

    private func decide(
        _ policy: CachePolicy, _ request: CacheRequest, _ stored: CachedResponse?, _ later: Int64
    ) -> Expected {
        switch CacheDecision.make(policy: policy, request: request, stored: stored, now: CacheSamples.start + later) {
        case .load: .load
        case .useStored: .use
        case .revalidate: .ask
        case .fail: .fail
        }
    }

    @Test(
        arguments: [
            // The answer's own words.
            ([], [("Cache-Control", "max-age=60"), tagged], 0, .use),
            ([], [("Cache-Control", "max-age=60"), tagged], 59, .use),
            ([], [("Cache-Control", "max-age=60"), tagged], 60, .ask),
            ([], [("Cache-Control", "max-age=60")], 60, .load),
            ([], [("Cache-Control", "max-age=60"), tagged], -1, .ask), ([], [tagged], 0, .ask), ([], [], 0, .load),
            ([], [("Cache-Control", "max-age=60, no-cache"), tagged], 0, .ask),
            ([], [("Cache-Control", "max-age=60, no-cache")], 0, .load),
            ([], [("Cache-Control", "max-age=60, no-cache=\"Set-Cookie\""), tagged], 0, .ask),
            ([], [("Cache-Control", "max-age=60, private, must-revalidate"), tagged], 0, .use),
            ([], [("Last-Modified", "Tue, 07 Nov 2023 22:13:20 GMT")], 60_479, .use),
            ([], [("Last-Modified", "Tue, 07 Nov 2023 22:13:20 GMT")], 60_480, .ask),
            ([], [("Cache-Control", "max-age=60"), ("ETag", "unquoted")], 60, .load),
            // The request's.
            ([("Cache-Control", "no-cache")], [("Cache-Control", "max-age=60"), tagged], 0, .ask),
            ([("Pragma", "no-cache")], [("Cache-Control", "max-age=60"), tagged], 0, .ask),
            ([("Cache-Control", "no-store")], [("Cache-Control", "max-age=60"), tagged], 0, .load),
            ([("Cache-Control", "max-age=0")], [("Cache-Control", "max-age=60"), tagged], 0, .ask),
            ([("Cache-Control", "max-age=10")], [("Cache-Control", "max-age=60"), tagged], 10, .use),
            ([("Cache-Control", "max-age=10")], [("Cache-Control", "max-age=60"), tagged], 11, .ask),
            ([("Cache-Control", "max-age=x")], [("Cache-Control", "max-age=60"), tagged], 0, .ask),
            ([("Cache-Control", "min-fresh=20")], [("Cache-Control", "max-age=60"), tagged], 40, .use),
            ([("Cache-Control", "min-fresh=20")], [("Cache-Control", "max-age=60"), tagged], 41, .ask),
            (
                [("Cache-Control", "min-fresh=99999999999999999999")], [("Cache-Control", "max-age=60"), tagged], 0,
                .ask
            ),
            ([("Cache-Control", "min-fresh")], [("Cache-Control", "max-age=60"), tagged], 0, .ask),
            ([("Cache-Control", "max-stale")], [("Cache-Control", "max-age=60"), tagged], 9999, .use),
            ([("Cache-Control", "max-stale=10")], [("Cache-Control", "max-age=60"), tagged], 70, .use),
            ([("Cache-Control", "max-stale=10")], [("Cache-Control", "max-age=60"), tagged], 71, .ask),
            ([("Cache-Control", "max-stale=x")], [("Cache-Control", "max-age=60"), tagged], 61, .ask),
            ([("Cache-Control", "max-stale")], [("Cache-Control", "max-age=60, must-revalidate"), tagged], 61, .ask),
            ([("Cache-Control", "max-stale")], [("Cache-Control", "max-age=60, no-cache"), tagged], 61, .ask),
            ([("Cache-Control", "max-stale, max-age=65")], [("Cache-Control", "max-age=60"), tagged], 66, .ask),
            ([("Cache-Control", "max-age=0")], [("Cache-Control", "max-age=60, immutable"), tagged], 59, .use),
            ([("Cache-Control", "max-age=0")], [("Cache-Control", "max-age=60, immutable"), tagged], 60, .ask),
            ([("Cache-Control", "no-cache")], [("Cache-Control", "max-age=60, immutable"), tagged], 0, .ask),
            ([("Cache-Control", "only-if-cached")], [("Cache-Control", "max-age=60"), tagged], 0, .use),
            ([("Cache-Control", "only-if-cached")], [("Cache-Control", "max-age=60"), tagged], 60, .fail),
            ([("Cache-Control", "only-if-cached, max-stale")], [("Cache-Control", "max-age=60"), tagged], 60, .use),
            // A question or a part of the user's own, and another variant.
            ([("If-None-Match", "\"mine\"")], [("Cache-Control", "max-age=60"), tagged], 0, .load),
            ([("If-Modified-Since", "x")], [("Cache-Control", "max-age=60"), tagged], 0, .load),
            ([("Range", "bytes=5-")], [("Cache-Control", "max-age=60"), tagged], 0, .load),
            ([("Accept", "b")], [("Cache-Control", "max-age=60"), ("Vary", "Accept"), tagged], 0, .load),
            ([("Accept", "b")], [("Cache-Control", "max-age=60"), ("Vary", "*"), tagged], 0, .load),
            ([("Accept", "b")], [("Cache-Control", "max-age=60"), ("Vary", "X"), tagged], 0, .use),
        ] as [(Pairs, Pairs, Int64, Expected)])
    func theProtocolDecides(_ wishes: Pairs, _ fields: Pairs, _ later: Int64, _ expected: Expected) throws {
        let request = try CacheSamples.request(wishes)
        #expect(decide(.useProtocolCachePolicy, request, try CacheSamples.stored(fields), later) == expected)
    }

    @Test(
        arguments: [
            (.useProtocolCachePolicy, [.load, .use, .ask, .load, .load]),
            (.reloadIgnoringLocalCacheData, [.load, .load, .load, .load, .load]),
            (.reloadRevalidatingCacheData, [.load, .ask, .ask, .load, .load]),
            (.returnCacheDataElseLoad, [.load, .use, .use, .use, .load]),
            (.returnCacheDataDontLoad, [.fail, .use, .use, .use, .fail]),
        ] as [(CachePolicy, [Expected])])
    /// Nothing stored; fresh; stale; stale without a validator; fresh, but the request is a POST.
    func policiesDecide(_ policy: CachePolicy, _ expected: [Expected]) throws {
        let get = try CacheSamples.request()
        let stored = try CacheSamples.stored([Self.aged.pair, Self.tagged])
        let untagged = try CacheSamples.stored([Self.aged.pair])
        #expect(decide(policy, get, nil, 0) == expected[0])
        #expect(decide(policy, get, stored, 0) == expected[1])
        #expect(decide(policy, get, stored, 999) == expected[2])
        #expect(decide(policy, get, untagged, 999) == expected[3])
        #expect(decide(policy, try CacheSamples.request(method: .post), stored, 0) == expected[4])
    }

    /// Fields that the tables above do not think of: no crash, and nothing is used that was not stored for the request.
    @Test func toleratesInvalidFields() throws {
        let names = [
            "Cache-Control", "Expires", "Date", "Age", "Last-Modified", "ETag", "Vary", "Pragma", "Connection",
            "Content-Length",
        ]
        let values = [
            "", "*", ",", "\"", "W/\"", "-1", "0", "9223372036854775808", "max-age=9223372036854775807", "no-cache=\"",
            "Accept, *", "Mon, 01 Jan 0000 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT", "é", ": :",
            "min-fresh=2147483648, max-stale=99999999999", "max-stale", "public", "Date, Vary", "immutable, max-age=1",
        ]
        func some() throws -> Pairs {
            (0..<Int.random(in: 0...8)).map { _ in (names.randomElement() ?? "", values.randomElement() ?? "") }
        }
        for _ in 0..<1000 {
            let request = try CacheSamples.request(try some())
            let (fields, news) = (try some(), try some())
            let stored = try CacheSamples.stored(fields, for: request)
            for now in [Int64.min, 0, CacheSamples.start + 1, .max] {
                for policy in CachePolicy.allCases {
                    let decision = CacheDecision.make(policy: policy, request: request, stored: stored, now: now)
                    if !stored.matches(request) { #expect(decision != .useStored, "\(fields)") }
                }
                let fresh = stored.freshened(
                    by: try CacheSamples.head(304, news), for: request, requestTime: now, storedTime: now)
                #expect(fresh.map { $0.age(at: now) >= 0 } ?? true)
            }
        }
    }

    @Test func failureActions() throws {
        let request = try CacheSamples.request()
        guard
            case .fail(let error) = CacheDecision.make(
                policy: .returnCacheDataDontLoad, request: request, stored: nil, now: 0)
        else {
            return #expect(Bool(false), "must fail")
        }
        #expect(error.message.hasPrefix("a.test: no stored response"))
        #expect(
            decide(.useProtocolCachePolicy, try CacheSamples.request([("Cache-Control", "only-if-cached")]), nil, 0)
                == .fail)
    }

    @Test func conditionsNameTheStoredVersion() throws {
        let modified = "Tue, 07 Nov 2023 22:13:20 GMT"
        let stored = try CacheSamples.stored([Self.tagged, ("Last-Modified", modified)])
        let now = CacheSamples.start + 999_999
        let plain = CacheDecision.make(
            policy: .useProtocolCachePolicy, request: try CacheSamples.request(), stored: stored, now: now)
        let expected = [("If-None-Match", "\"v1\""), ("If-Modified-Since", modified)]
        #expect(plain == .revalidate(try CacheSamples.fields(expected)))
        let reload = CacheDecision.make(
            policy: .reloadRevalidatingCacheData, request: try CacheSamples.request(), stored: stored,
            now: now)
        #expect(reload == .revalidate(try CacheSamples.fields(expected + [("Cache-Control", "max-age=0")])))
        let wish = try CacheSamples.request([("Cache-Control", "no-cache")])
        #expect(
            CacheDecision.make(policy: .reloadRevalidatingCacheData, request: wish, stored: stored, now: now) == plain)
    }

    @Test(
        arguments: [
            ("\"a\"", nil, [("If-None-Match", "\"a\"")]), ("W/\"a\"", nil, [("If-None-Match", "W/\"a\"")]),
            ("\"a, b\"", nil, [("If-None-Match", "\"a, b\"")]),
            ("*", nil, []), ("a", nil, []), ("\"a\", \"b\"", nil, []), ("", "x", []), (nil, nil, []),
            (nil, CacheSamples.date, [("If-Modified-Since", CacheSamples.date)]),
            ("*", CacheSamples.date, [("If-Modified-Since", CacheSamples.date)]),
        ] as [(String?, String?, Pairs)]) func validatorsMakeConditions(
            _ tag: String?, _ modified: String?, _ expected: Pairs
        ) throws
    {
        #expect(
            Validator(entityTag: tag, lastModified: modified).conditionalFields == (try CacheSamples.fields(expected)))
    }

    @Test(
        arguments: [
            (HTTPRequest.Method.post, 200, [], ["http://a.test/x/one"]), (.put, 204, [], ["http://a.test/x/one"]),
            (.delete, 302, [], ["http://a.test/x/one"]), (.post, 404, [], []), (.post, 500, [], []),
            (.get, 200, [("Location", "/b")], []), (.head, 200, [], []), (.options, 200, [], []),
            (
                .post, 201, [("Location", "two"), ("Content-Location", "http://a.test:80/three")],
                ["http://a.test/x/one", "http://a.test/x/two", "http://a.test/three"]
            ),
            (
                .post, 201, [("Location", "http://b.test/"), ("Content-Location", "https://a.test/x")],
                ["http://a.test/x/one"]
            ),
            (.post, 201, [("Location", "one"), ("Content-Location", "file:///etc")], ["http://a.test/x/one"]),
        ] as [(HTTPRequest.Method, Int, Pairs, [String])])
    func changesInvalidate(_ method: HTTPRequest.Method, _ status: Int, _ fields: Pairs, _ expected: [String]) throws {
        let urls = CacheInvalidation.urls(
            after: method, url: try TransferURL("http://a.test/x/one"),
            head: try CacheSamples.head(status, fields))
        #expect(urls.map(\.string) == expected)
    }
}
