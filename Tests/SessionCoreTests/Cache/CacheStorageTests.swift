// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel

/// RFC 9111, sections 3 and 4.1.
@Suite struct CacheStorageTests {
    typealias Policy = CachedResponse.StoragePolicy
    typealias Pairs = [(String, String)]

    private func policy(_ request: CacheRequest, _ status: Int = 200, _ fields: Pairs = []) throws -> Policy {
        CachedResponse.storagePolicy(of: try CacheSamples.head(status, fields), answering: request)
    }

    @Test(arguments: [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501])
    func cachesSomeStatusesByDefault(_ status: Int) throws {
        #expect(try policy(CacheSamples.request(), status) == .allowed)
    }

    @Test(arguments: [201, 202, 302, 303, 307, 400, 403, 416, 500, 502, 503, 504])
    func otherFilesNeedIt(_ status: Int) throws {
        let request = try CacheSamples.request()
        #expect(try policy(request, status) == .notAllowed)
        #expect(try policy(request, status, [("Cache-Control", "max-age=60")]) == .allowed)
        #expect(try policy(request, status, [("Cache-Control", "public")]) == .allowed)
        #expect(try policy(request, status, [("Cache-Control", "private")]) == .allowed)
        #expect(try policy(request, status, [("Expires", CacheSamples.date)]) == .allowed)
        #expect(try policy(request, status, [("Cache-Control", "s-maxage=60")]) == .notAllowed)
        #expect(try policy(request, status, [("Cache-Control", "max-age=60, must-understand")]) == .notAllowed)
    }

    @Test(arguments: [100, 103, 206, 304, 401, 407, 428, 429, 431, 511])
    func someAreNeverStored(_ status: Int) throws {
        #expect(try policy(CacheSamples.request(), status, [("Cache-Control", "public, max-age=60")]) == .notAllowed)
    }

    @Test(
        arguments: [
            ([], .allowed), ([("Cache-Control", "no-store")], .notAllowed),
            ([("Cache-Control", "max-age=9, No-Store")], .notAllowed),
            ([("Cache-Control", "private")], .allowed), ([("Cache-Control", "no-cache")], .allowed),
            ([("Cache-Control", "private=\"no-store\"")], .allowed),
            ([("Content-Range", "bytes 0-1/2")], .notAllowed), ([("Set-Cookie", "a=b")], .allowedInMemoryOnly),
            ([("Vary", "*")], .notAllowed), ([("Vary", "Accept, *")], .notAllowed),
            ([("Vary", "Acc(ept")], .notAllowed),
            ([("Vary", "Accept")], .allowed), ([("Vary", "Origin, Accept")], .allowed),
            ([("Vary", "X-Key")], .allowedInMemoryOnly),
            ([("Vary", "Cookie")], .allowedInMemoryOnly),
        ] as [(Pairs, Policy)]) func responseDirectivesControlStorage(_ fields: Pairs, _ expected: Policy) throws
    {
        let request = try CacheSamples.request([("Accept", "*/*"), ("X-Key", "secret"), ("Cookie", "a=b")])
        #expect(try policy(request, 200, fields) == expected)
    }

    @Test(arguments: [HTTPRequest.Method.head, .post, .put, .delete, .patch, .options])
    func storesOnlyGET(_ method: HTTPRequest.Method) throws {
        #expect(
            try policy(CacheSamples.request(method: method), 200, [("Cache-Control", "public, max-age=60")])
                == .notAllowed)
    }

    @Test func requestDirectivesControlStorage() throws {
        #expect(try policy(CacheSamples.request([("Cache-Control", "no-store")])) == .notAllowed)
        #expect(try policy(CacheSamples.request([("Range", "bytes=0-")])) == .notAllowed)
        #expect(try policy(CacheSamples.request([("If-None-Match", "\"a\"")])) == .allowed)
        var withBody = try CacheSamples.request()
        withBody.hasBody = true
        #expect(try policy(withBody) == .notAllowed)
    }

    @Test(
        arguments: [
            ("", .notAllowed, .notAllowed), ("max-age=60", .notAllowed, .notAllowed),
            ("private", .notAllowed, .notAllowed),
            ("public", .allowed, .allowed), ("must-revalidate", .allowedInMemoryOnly, .notAllowed),
            ("s-maxage=1", .allowedInMemoryOnly, .notAllowed), ("public, no-store", .notAllowed, .notAllowed),
        ] as [(String, Policy, Policy)])
    func loginsNeedPermission(_ control: String, _ visible: Policy, _ hidden: Policy) throws {
        let fields = [("Cache-Control", control)]
        #expect(try policy(CacheSamples.request([("Authorization", "Basic eA==")]), 200, fields) == visible)
        #expect(try policy(CacheSamples.request(hidden: [.authorization]), 200, fields) == hidden)
    }

    @Test func doesNotStoreResponsesVaryingByHiddenFields() throws {
        #expect(try policy(CacheSamples.request(hidden: [.cookie]), 200, [("Vary", "cookie")]) == .notAllowed)
        #expect(try policy(CacheSamples.request(hidden: [.cookie]), 200, [("Vary", "Accept")]) == .allowed)
    }

    @Test(
        arguments: [
            ("Accept", [("Accept", "a")], [("Accept", "a")], true),
            ("Accept", [("Accept", "a")], [("accept", "a"), ("X", "1")], true),
            ("Accept", [("Accept", "a")], [("Accept", "b")], false), ("Accept", [("Accept", "a")], [], false),
            ("Accept", [], [("Accept", "a")], false), ("Accept", [], [], true),
            ("", [("Accept", "a")], [("Accept", "b")], true),
            ("accept ,X", [("Accept", "a"), ("X", "1")], [("X", "1"), ("Accept", "a")], true),
            ("Accept,X", [("Accept", "a"), ("X", "1")], [("X", "2"), ("Accept", "a")], false),
            ("", [], [("Authorization", "Basic eA==")], false), ("", [("Accept", "a")], [("Cookie", "a=b")], true),
        ] as [(String, Pairs, Pairs, Bool)])
    func distinguishesVariants(_ vary: String, _ first: Pairs, _ second: Pairs, _ expected: Bool) throws {
        let answer = try CacheSamples.stored([("Vary", vary)], for: CacheSamples.request(first))
        #expect(answer.matches(try CacheSamples.request(second)) == expected)
    }

    @Test func hiddenFieldsNeverMatch() throws {
        let answer = try CacheSamples.stored([("Vary", "Cookie")])
        #expect(answer.matches(try CacheSamples.request()))
        #expect(!answer.matches(try CacheSamples.request(hidden: [.cookie])))
        #expect(!answer.matches(try CacheSamples.request(hidden: [.authorization])))
        let open = try CacheSamples.stored([("Cache-Control", "public")])
        #expect(open.matches(try CacheSamples.request(hidden: [.authorization])))
    }

    @Test func omitsConnectionFields() throws {
        let answer = try CacheSamples.stored([
            ("Connection", "close, X-Hop"), ("X-Hop", "1"), ("Transfer-Encoding", "chunked"),
            ("Keep-Alive", "timeout=5"),
            ("ETag", "\"a\""),
        ])
        #expect(
            answer.head.headerFields == (try CacheSamples.fields([("ETag", "\"a\""), ("Date", CacheSamples.date)])))
    }

    @Test(arguments: [Int64.min, -1, 0, .max]) func limitsTimes(_ time: Int64) throws {
        let head = try CacheSamples.head(200, [("Age", "99999999999999999999")])
        let answer = CachedResponse(
            answering: try CacheSamples.request(), head: head, body: [], requestTime: .max, storedTime: time)
        #expect(answer.requestTime <= answer.storedTime)
        #expect(answer.age(at: .max) >= 0)
        #expect(answer.age(at: .min) >= 0)
        #expect(answer.freshnessLifetime == 0)
    }

    @Test func collectsStorableBodies() throws {
        let request = try CacheSamples.request()
        func writer(_ fields: Pairs, limit: Int = 4) throws -> CacheWriter? {
            CacheWriter(
                answering: request, head: try CacheSamples.head(200, fields), requestTime: CacheSamples.start,
                storedTime: CacheSamples.start + 1, limit: limit)
        }
        var whole = try #require(try writer([("Content-Length", "4")]))
        whole.append([1, 2])
        #expect(whole.finished() == nil)
        whole.append([3, 4][...])
        #expect(whole.finished()?.body == [1, 2, 3, 4])
        #expect(whole.finished()?.storedTime == CacheSamples.start + 1)
        whole.append([5])
        #expect(whole.hasGivenUp)
        #expect(whole.finished() == nil)
        var unannounced = try #require(try writer([]))
        #expect(unannounced.finished()?.body == [])
        unannounced.append([1, 2, 3])
        unannounced.append([4, 5])
        unannounced.append([6])
        #expect(unannounced.finished() == nil)
        #expect(try writer([("Content-Length", "5")]) == nil)
        #expect(try writer([("Cache-Control", "no-store")]) == nil)
    }
}
