// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import Platform
import Testing
import TransferModel

@testable import FileServer

/// What is decided without a socket or a disk.
struct DecisionTests {
    @Test(
        arguments: [
            ("/", .plain([], isFolder: true)), ("/a", .plain(["a"], isFolder: false)),
            ("/a/b%20c/", .plain(["a", "b c"], isFolder: true)),
            ("/a?x=/y", .plain(["a"], isFolder: false)), ("/session", .session), ("/upload?x", .fileQ),
            ("/upload/", .fileQ),
            ("/files", .listing), ("/files/", .listing), ("/files/i/n", .stored(id: "i", name: "n")),
            ("/files/i/%E5%86%99", .stored(id: "i", name: "写")), ("*", .server),
            ("http://h/a", .plain(["a"], isFolder: false)),
            ("/Files", .plain(["Files"], isFolder: false)),
            ("/a/.fileq-servers", .plain(["a", ".fileq-servers"], isFolder: false)),
            ("/fileq-server", .plain(["fileq-server"], isFolder: false)),
        ] as [(String, RequestTarget)])
    func targets(text: String, target: RequestTarget) throws { #expect(try RequestTarget(text) == target) }

    @Test(arguments: [
        ("", 400), ("a", 400), ("/a//b", 400), ("/..", 400), ("/%2e", 400), ("/a%2Fb", 400), ("/%00", 400),
        ("/%7F", 400),
        ("/\u{FFFD}", 400), ("/.fileq-server", 404), ("/.fileq-server/x", 404), ("/files/a", 404),
        ("/a/.fileq-server", 404), ("/a/.fileq-server/x", 404), ("/.FileQ-Server/", 404), ("/%2EFILEQ-server", 404),
        ("/a/.fileq-%C5%BFerver", 404), ("/.%EF%AC%81leq-server", 404), ("/.fileq%C2%AD-server%E2%80%8D", 404),
        ("/files/a/b/c", 404),
        ("/files/a/", 404), ("/session/x", 404), ("/" + String(repeating: "a/", count: 64), 400),
        ("/" + String(repeating: "a", count: 9000), 414), ("/\u{2F}\u{301}x", 400),
    ])
    func refusedTargets(text: String, status: Int) {
        let refusal = #expect(throws: Refusal.self) { try RequestTarget(text) }
        #expect(refusal?.status.code == status)
    }

    @Test(
        arguments: [
            ("http://h/a?b", "h", "/a?b"), ("HTTPS://h:1", "h:1", "/"), ("http://h?/x", "h", "/?/x"),
            ("http:///a", "", "/a"), ("http://u@h/", "u@h", "/"), ("http://h/http://k/", "h", "/http://k/"),
            ("/http://h/", nil, nil), ("*", nil, nil), ("", nil, nil), ("http:/h", nil, nil), ("ftp://h/a", nil, nil),
        ] as [(String, String?, String?)])
    func absoluteForms(text: String, authority: String?, origin: String?) {
        let found = RequestTarget.absoluteForm(text)
        #expect(found?.authority == authority && found?.origin == origin)
    }

    @Test(
        arguments: [
            (ENOENT, 404), (EACCES, 403), (EPERM, 403), (EROFS, 403), (ENOSPC, 507), (EDQUOT, 507), (EFBIG, 413),
            (ENAMETOOLONG, 400), (ENOTDIR, 409), (ELOOP, 409), (EISDIR, 409), (EMFILE, 503), (EIO, 500),
        ] as [(Int32, Int)])
    func systemErrors(errno: Int32, status: Int) {
        let refusal = SystemError("x", errno: errno).refusal
        #expect(refusal.status.code == status)
        #expect(!refusal.message.isEmpty && !refusal.message.contains("\n"))
    }

    @Test func evaluatesConditionsInOrder() {
        func outcome(
            _ method: HTTPRequest.Method, _ fields: HTTPFields, tag: String? = "\"a\"",
            modified: Int64? = 1_000_000_000
        ) -> Preconditions.Outcome {
            let request = HTTPRequest(method: method, scheme: nil, authority: nil, path: "/", headerFields: fields)
            return Preconditions(request).outcome(for: .init(entityTag: tag, modified: modified))
        }
        let (before, after) = ("Sun, 09 Sep 2001 01:46:39 GMT", "Sun, 09 Sep 2001 01:46:41 GMT")
        #expect(outcome(.get, [.ifMatch: "\"a\"", .ifUnmodifiedSince: before]) == .proceed)
        #expect(outcome(.get, [.ifMatch: "\"b\"", .ifNoneMatch: "\"a\""]) == .failed)
        #expect(outcome(.get, [.ifNoneMatch: "\"b\"", .ifModifiedSince: after]) == .proceed)
        #expect(outcome(.get, [.ifModifiedSince: "nonsense"]) == .proceed)
        #expect(outcome(.put, [.ifModifiedSince: after]) == .proceed)
        #expect(outcome(.put, [.ifNoneMatch: "\"a\""]) == .failed)
        #expect(outcome(.put, [.ifNoneMatch: "*"], tag: nil, modified: nil) == .proceed)
        #expect(outcome(.put, [.ifMatch: "*"], tag: nil, modified: nil) == .failed)
        #expect(outcome(.put, [.ifUnmodifiedSince: before]) == .failed)
        #expect(outcome(.put, [.ifUnmodifiedSince: after]) == .proceed)
    }

    @Test(
        arguments: [
            ("http://h", "h", true, false), ("https://h", "h", true, true), ("HTTPS://H", "h", true, true),
            ("https://h:443", "h", true, true), ("https://h", "h:443", true, true),
            ("http://h:8443", "h:8443", true, false), ("http://h:8443", "h:8443", false, true),
            ("https://h:8443", "h:8443", true, true), ("https://h", "h:8443", true, false),
            ("https://h.evil", "h", true, false), ("null", "h", true, false), ("null", "h", false, false),
            ("file://h", "h", false, false),
        ] as [(String, String, Bool, Bool)])
    func sites(origin: String, host: String, isEncrypted: Bool, isSame: Bool) throws {
        let host = try #require(RequestHost(host))
        #expect(ServerNames.isSameSite(origin: origin, host: host, isEncrypted: isEncrypted) == isSame)
    }

    @Test func keepsTheRateAfterAPause() {
        var pace = Pace(rate: 1000)
        var now = Duration.seconds(100)
        for _ in 0..<10 { now += pace.delay(after: 500, now: now) ?? .zero }
        #expect(now == .seconds(105))
        now += .seconds(60)
        for _ in 0..<10 { now += pace.delay(after: 500, now: now) ?? .zero }
        #expect(now == .seconds(170))
        #expect(Pace(rate: nil).chunk == 256 * 1024)
        #expect(Pace(rate: 10).chunk == 1024)
        var unlimited = Pace(rate: nil)
        #expect(unlimited.delay(after: 1 << 30, now: now) == nil)
    }

    @Test func verifiesItsOwnSIDsOnly() {
        let keeper = SessionIDSigner(key: Array(repeating: 7, count: 32))
        let sid = keeper.issue()
        #expect(sid.utf8.count == 64 && keeper.isValid(sid))
        #expect(SessionIDSigner(key: Array(repeating: 7, count: 32)).isValid(sid))
        #expect(!SessionIDSigner(key: Array(repeating: 8, count: 32)).isValid(sid))
        #expect(!keeper.isValid("") && !keeper.isValid(String(sid.dropLast(2))) && !keeper.isValid(sid + "00"))
        #expect(keeper.issue() != sid)
    }

    @Test(arguments: [
        ("a.TXT", "text/plain; charset=utf-8"), ("a", "application/octet-stream"), ("写.jpg", "image/jpeg"),
        (".gz", "application/gzip"), ("a.unknown", "application/octet-stream"),
    ])
    func mediaTypes(name: String, type: String) { #expect(MediaType.of(name) == type) }
}
