// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SessionCore
import Testing
import TransferModel
import TransferTesting

extension Integration {
    /// Sessions against httpbin: logins, redirects, statuses and bodies.
    @Suite(.serialized) struct HTTPBinTests {
        // MARK: Logins

        static let schemes = [
            "basic-auth/user/secret", "hidden-basic-auth/user/secret", "digest-auth/auth/user/secret",
            "digest-auth/auth/user/secret/SHA-256",
        ]

        @Test(.needs(.httpbin), arguments: schemes) func authenticatesWithThePassword(_ path: String) async throws {
            try await Stage.with { stage in
                let server = try await stage.httpbin()
                let session = try Sessions.make()
                // The hidden one never asks, and over http nothing is sent to who does not ask.
                let isHidden = path.hasPrefix("hidden")
                for (password, status) in [("wrong", isHidden ? 404 : 401), ("secret", isHidden ? 404 : 200)] {
                    let answer = try await session.data(
                        for: Sessions.request(server.url(path)) {
                            $0.credential = Credential(user: "user", password: password)
                        })
                    #expect(answer.response.status.code == status, "\(password): \(answer.text)")
                    if status == 200 { #expect(try answer.json()["authenticated"] as? Bool == true) }
                }
            }
        }

        @Test(.needs(.httpbin), arguments: ["basic-auth/user/secret", "digest-auth/auth/user/secret"])
        func authenticates(_ path: String) async throws {
            try await Stage.with { stage in
                let server = try await stage.httpbin()
                for (password, exit) in [("wrong", Int32(67)), ("secret", 0)] {
                    try stage.write("\(password)\n", to: "password")
                    let outcome = try await stage.fileq(
                        "get", "-q", "-o", "file", "--user", "user", "--password-file", "password", server.url(path))
                    #expect(outcome.exit == exit, "\(password): \(outcome)")
                }
                #expect(stage.text("file")?.replacing(" ", with: "").contains("\"authenticated\":true") == true)
                expectComplaint(try await stage.fileq("get", "-q", "-o", "other", server.url(path)), 67, "401")
            }
        }

        // MARK: Redirects

        struct Redirect: Sendable, CustomStringConvertible {
            let (status, method, arrives): (Int, HTTPRequest.Method, HTTPRequest.Method)
            let keepsBody: Bool
            var description: String { "\(method) \(status)" }
            init(_ status: Int, _ method: HTTPRequest.Method, _ arrives: HTTPRequest.Method, keepsBody: Bool) {
                (self.status, self.method, self.arrives, self.keepsBody) = (status, method, arrives, keepsBody)
            }
        }

        /// RFC 9110, sections 15.4.2 to 15.4.9.
        static let redirects = [
            Redirect(301, .post, .get, keepsBody: false), Redirect(302, .post, .get, keepsBody: false),
            Redirect(303, .post, .get, keepsBody: false), Redirect(307, .post, .post, keepsBody: true),
            Redirect(308, .post, .post, keepsBody: true), Redirect(301, .put, .put, keepsBody: true),
            Redirect(302, .put, .put, keepsBody: true), Redirect(303, .put, .get, keepsBody: false),
            Redirect(307, .put, .put, keepsBody: true), Redirect(302, .patch, .patch, keepsBody: true),
            Redirect(308, .delete, .delete, keepsBody: true),
        ]

        @Test(.needs(.httpbin)) func methodAndBodyAfterARedirect() async throws {
            try await Stage.with { stage in
                let server = try await stage.httpbin()
                let session = try Sessions.make()
                for redirect in Self.redirects {
                    let answer = try await session.data(
                        for: Sessions.request(
                            server.url("redirect-to?url=/anything&status_code=\(redirect.status)"), redirect.method),
                        body: Array("a=b&c=d".utf8))
                    #expect(answer.response.status.code == 200, "\(redirect)")
                    let seen = try answer.json()
                    #expect(seen["method"] as? String == redirect.arrives.rawValue, "\(redirect): \(seen)")
                    #expect(seen["data"] as? String == (redirect.keepsBody ? "a=b&c=d" : ""), "\(redirect): \(seen)")
                    #expect(answer.metrics.redirects == 1, "\(redirect)")
                }
            }
        }

        @Test(.needs(.httpbin, .nginx), arguments: [301, 302, 307, 308]) func uploadsFollowToAnotherServer(
            _ status: Int
        ) async throws {
            try await Stage.with { stage in
                let (first, second) = (try await stage.httpbin(), try await stage.serve(.nginx))
                try Files.fill(stage.path("sent"), 3_000_000)
                let outcome = try await stage.fileq(
                    "put", "-q", "sent", first.url("redirect-to?url=\(second.url("there"))&status_code=\(status)"))
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(Files.same(stage.path("sent"), second.file("there")))
            }
        }

        @Test(.needs(.httpbin), arguments: [true, false]) func secretsStayAtTheirOrigin(
            _ isSameOrigin: Bool
        ) async throws {
            try await Stage.with { stage in
                let first = try await stage.httpbin()
                let second = isSameOrigin ? first : try await stage.httpbin(name: "other")
                let session = try Sessions.make()
                let answer = try await session.data(
                    for: Sessions.request(first.url("redirect-to?url=\(second.url("headers"))")) {
                        $0.credential = Credential(user: "user", password: "secret")
                        $0.headers = [
                            HTTPField(name: .accept, value: "application/json"),
                            HTTPField(name: .init("X-Api-Key")!, value: "k3y"),
                        ]
                        $0.cookies = [try! Cookie(name: "crumb", value: "one")]
                    })
                let fields = try #require(try answer.json()["headers"] as? [String: String])
                #expect(fields["Authorization"] == nil)
                #expect(fields["X-Api-Key"] == (isSameOrigin ? "k3y" : nil))
                #expect(fields["Cookie"] == (isSameOrigin ? "crumb=one" : nil))
                #expect(fields["Accept"] == "application/json")
            }
        }

        /// Over http a login is sent where a server demands it, if that server is the one that it was given for.
        @Test(.needs(.httpbin), arguments: [true, false]) func loginsApplyToTheirOrigin(
            _ isSameOrigin: Bool
        ) async throws {
            try await Stage.with { stage in
                let first = try await stage.httpbin()
                let second = isSameOrigin ? first : try await stage.httpbin(name: "other")
                let session = try Sessions.make()
                let answer = try await session.data(
                    for: Sessions.request(first.url("redirect-to?url=\(second.url("basic-auth/user/secret"))")) {
                        $0.credential = Credential(user: "user", password: "secret")
                    })
                #expect(answer.response.status.code == (isSameOrigin ? 200 : 401))
            }
        }

        @Test(.needs(.httpbin)) func countsAndLimitsRedirects() async throws {
            try await Stage.with { stage in
                let server = try await stage.httpbin()
                var configuration = TransferConfiguration()
                configuration.maximumRedirects = 3
                let session = try Sessions.make(configuration)
                for kind in ["relative-redirect", "absolute-redirect"] {
                    let answer = try await session.data(for: Sessions.request(server.url("\(kind)/3")))
                    #expect(answer.response.status.code == 200 && answer.metrics.redirects == 3)
                    await #expect(throws: TransferError.self) {
                        try await session.data(for: Sessions.request(server.url("\(kind)/4")))
                    }
                }
            }
        }

        // MARK: Cookies

        @Test(.needs(.httpbin)) func returnsCookiesOfARedirect() async throws {
            try await Stage.with { stage in
                let server = try await stage.httpbin()
                let session = try Sessions.make()
                let jar = stage.aside("jar")
                func crumbs(_ path: String, jar: String?) async throws -> [String: String]? {
                    try await session.data(for: Sessions.request(server.url(path)) { $0.cookieJar = jar }).json()[
                        "cookies"] as? [String: String]
                }
                #expect(
                    try await crumbs("cookies/set?crumb=one&other=two", jar: jar) == ["crumb": "one", "other": "two"])
                #expect(try await crumbs("cookies/delete?other=", jar: jar) == ["crumb": "one"])
                #expect(try await crumbs("cookies", jar: nil) == [:])
            }
        }

        // MARK: Statuses

        @Test(.needs(.httpbin)) func statusesAreResponses() async throws {
            try await Stage.with { stage in
                let server = try await stage.httpbin()
                let session = try Sessions.make()
                for status in [200, 204, 304, 400, 403, 404, 410, 418, 429, 500, 503] {
                    let answer = try await session.data(for: Sessions.request(server.url("status/\(status)")))
                    #expect(answer.response.status.code == status)
                }
            }
        }

        // MARK: Bodies

        @Test(.needs(.httpbin)) func bodiesOfEveryFraming() async throws {
            try await Stage.with { stage in
                let server = try await stage.httpbin()
                let session = try Sessions.make()
                let fixed = try await session.data(for: Sessions.request(server.url("bytes/50000?seed=7")))
                #expect(fixed.response.headerFields[.contentLength] == "50000" && fixed.body.count == 50_000)
                let chunked = try await session.data(
                    for: Sessions.request(server.url("stream-bytes/50000?seed=7&chunk_size=1000")))
                #expect(chunked.response.headerFields[.contentLength] == nil)
                #expect(chunked.response.headerFields[.transferEncoding] == "chunked")
                #expect(chunked.body == fixed.body)
                let slow = try await session.data(
                    for: Sessions.request(server.url("drip?numbytes=5&duration=0.5&delay=0.1")))
                #expect(slow.text == "*****")
            }
        }

        /// A file is kept as it was sent: who asks for `identity` and gets a coding has the coded bytes.
        @Test(.needs(.httpbin), arguments: [("gzip", [0x1f, 0x8b]), ("deflate", [0x78])] as [(String, [UInt8])])
        func doesNotDecodeByDefault(_ coding: String, _ magic: [UInt8]) async throws {
            try await Stage.with { stage in
                let server = try await stage.httpbin()
                let answer = try await Sessions.make().data(for: Sessions.request(server.url(coding)))
                #expect(answer.response.headerFields[.contentEncoding] == coding)
                #expect(Array(answer.body.prefix(magic.count)) == magic)
            }
        }

        @Test(.needs(.httpbin)) func sendsTheCallersRangesAndConditions() async throws {
            try await Stage.with { stage in
                let server = try await stage.httpbin()
                let session = try Sessions.make()
                func answer(
                    _ path: String, _ name: HTTPField.Name, _ value: String
                ) async throws -> TransferSession.Response {
                    try await session.data(
                        for: Sessions.request(server.url(path)) { $0.headers = [HTTPField(name: name, value: value)] })
                }
                let part = try await answer("range/26", .range, "bytes=10-19")
                #expect(part.response.status.code == 206 && part.text == "klmnopqrst")
                #expect(part.response.headerFields[.contentRange] == "bytes 10-19/26")
                #expect(try await answer("range/26", .range, "bytes=40-50").response.status.code == 416)
                #expect(try await answer("etag/one", .ifNoneMatch, "one").response.status.code == 304)
                #expect(try await answer("etag/one", .ifMatch, "two").response.status.code == 412)
                #expect(try await answer("etag/one", .ifMatch, "one").response.status.code == 200)
                #expect(
                    try await answer("cache", .ifModifiedSince, "Sat, 21 Nov 2026 12:00:00 GMT").response.status.code
                        == 304)
            }
        }

        @Test(.needs(.httpbin), arguments: [HTTPRequest.Method.put, .post, .patch]) func uploadsArriveUnchanged(
            _ method: HTTPRequest.Method
        ) async throws {
            try await Stage.with { stage in
                let server = try await stage.httpbin()
                let session = try Sessions.make()
                try stage.write(patternedBytes(200_000), to: "file")
                let answer = try await session.upload(
                    for: Sessions.request(server.url("anything"), method), body: .file(path: stage.path("file")))
                let seen = try answer.json()
                #expect(seen["method"] as? String == method.rawValue)
                let data = try #require(
                    (seen["data"] as? String)?.split(separator: ";base64,").last.flatMap {
                        Data(base64Encoded: String($0))
                    })
                #expect([UInt8](data) == patternedBytes(200_000))
                #expect((seen["headers"] as? [String: String])?["Content-Type"] == "application/octet-stream")
            }
        }
    }
}
