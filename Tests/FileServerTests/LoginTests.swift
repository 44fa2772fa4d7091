// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Testing
import TransferModel

@testable import FileServer

/// The token of a server in browsers: the form, the cookie, and what pages of other sites can do with it.
@Suite(.timeLimit(.minutes(10))) struct LoginTests {
    private static let browser = ["-H", "Accept: text/html,*/*;q=0.8"]
    private static let token = "open + sesame&x=1 夏"

    private func with(_ body: (ServedFolder) async throws -> Void) async throws {
        try await ServedFolder.with(
            { configuration, _ in configuration.token = Self.token },
            { (folder) async throws in
                try folder.write("a b/x", "inside")
                try await body(folder)
            })
    }

    private func logIn(_ folder: ServedFolder, _ token: String = token, _ more: String...) async throws -> CurlAnswer {
        try await folder.curl("/a%20b/", Self.browser + more + ["--data-urlencode", "token=\(token)"])
    }

    /// `NAME=VALUE`
    private func cookie(_ answer: CurlAnswer) throws -> String {
        String(try #require(answer.headers["set-cookie"]).prefix { $0 != ";" })
    }

    @Test func aBrowserLogsInAndOut() async throws {
        try await with { folder in
            for path in ["/a%20b/", "/a%20b/x", "/missing", "/files"] {
                let form = try await folder.curl(path, Self.browser)
                #expect(form.status == 401 && form.headers["content-type"] == "text/html; charset=utf-8")
                // Basic would make the browser ask for a password itself.
                #expect(form.headers["www-authenticate"] == "Bearer realm=\"fileq\"")
                #expect(form.text.contains("type=\"password\"") && !form.text.contains("inside"))
                #expect(form.headers["cache-control"] == "no-store" && !form.text.contains("role=\"alert\""))
            }
            // Browsers send the cookie once the page itself loads its address again.
            for (site, refreshes) in [("cross-site", true), ("same-origin", false), ("none", false)] {
                let form = try await folder.curl("/", Self.browser + ["-H", "Sec-Fetch-Site: \(site)"])
                #expect(form.status == 401 && form.text.contains("http-equiv=\"refresh\"") == refreshes)
            }
            let wrong = try await logIn(folder, "open")
            #expect(wrong.status == 401 && wrong.headers["set-cookie"] == nil && wrong.text.contains("role=\"alert\""))
            let right = try await logIn(folder)
            #expect(right.status == 303 && right.headers["location"] == "/a%20b/")
            let field = try #require(right.headers["set-cookie"])
            #expect(field.hasSuffix("; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict"))
            let cookie = try cookie(right)
            #expect(cookie.wholeMatch(of: /fileq-login=[0-9a-f]{64}/) != nil)
            #expect(try self.cookie(try await logIn(folder)) != cookie)

            let page = try await folder.curl("/a%20b/", Self.browser + ["-b", cookie])
            #expect(page.status == 200 && page.text.contains("name=\"logout\""))
            #expect(page.headers["referrer-policy"] == "same-origin")
            #expect(page.headers["content-security-policy"]?.contains("form-action 'self'") == true)
            #expect(try await folder.curl("/a%20b/x", "-b", "other=1; \(cookie)").text == "inside")
            #expect(try await folder.curl("/a%20b/x", "-b", cookie + "0").status == 401)
            // A restart ends no login, and nothing on the disk is one.
            try await folder.restart()
            #expect(try await folder.curl("/a%20b/x", "-b", cookie).text == "inside")
            let stored = try folder.content(".fileq-server/logins.json")
            #expect(!stored.contains(cookie.dropFirst("fileq-login=".count)) && !stored.contains("sesame"))

            let origin = "Origin: \(folder.server.url)"
            let gone = try await folder.curl(
                "/a%20b/", Self.browser + ["-b", cookie, "-H", origin, "-d", "logout=1"])
            #expect(gone.status == 303 && gone.headers["set-cookie"]?.hasPrefix("fileq-login=; ") == true)
            #expect(gone.headers["set-cookie"]?.contains("Max-Age=0") == true)
            #expect(try await folder.curl("/a%20b/x", "-b", cookie).status == 401)
            try await folder.restart()
            #expect(try await folder.curl("/a%20b/x", "-b", cookie).status == 401)
        }
    }

    @Test func programsAreAskedAsBefore() async throws {
        try await with { folder in
            for more in [[], ["-u", "x:wrong"] + Self.browser, ["-d", "token=x"]] {
                let refused = try await folder.curl("/a%20b/x", more)
                #expect(refused.status == 401 && refused.text == "this server requires a token\n", "\(more)")
                #expect(refused.headers["www-authenticate"] == "Basic realm=\"fileq\", charset=\"UTF-8\"")
            }
            for own in [["-H", "Authorization: Bearer \(Self.token)"], ["-u", "any:\(Self.token)"]] {
                let page = try await folder.curl("/a%20b/", Self.browser + own)
                #expect(page.status == 200 && !page.text.contains("logout"))
                #expect(try await folder.put("/new", "1", own).status < 300)
            }
        }
    }

    /// Browsers send the cookie also for pages at other ports of the same host.
    @Test func theCookieIsNoLoginForPagesOfOthers() async throws {
        try await with { folder in
            let cookie = ["-b", try cookie(try await logIn(folder))]
            let origin = folder.server.url
            for (fields, status): ([String], Int) in [
                ([], 403), (["Sec-Fetch-Site: same-site"], 403), (["Sec-Fetch-Site: none"], 403),
                (["Origin: http://127.0.0.1:1"], 403), (["Origin: null"], 403),
                (["Origin: \(origin)", "Sec-Fetch-Site: same-site"], 403),
                (["Origin: \(origin)"], 201), (["Sec-Fetch-Site: same-origin"], 204),
            ] {
                let answer = try await folder.put("/new", "1", cookie + fields.flatMap { ["-H", $0] })
                #expect(answer.status == status, "\(fields)")
            }
            for (fields, status) in [
                ([], 200), (["Sec-Fetch-Site: same-origin"], 200), (["Sec-Fetch-Site: none"], 200),
                (["Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: cors"], 403),
                (["Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"], 200),
                (["Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"], 403),
            ] {
                let answer = try await folder.curl("/a%20b/x", cookie + fields.flatMap { ["-H", $0] })
                #expect(answer.status == status, "\(fields)")
            }
            #expect(try await logIn(folder, Self.token, "-H", "Origin: http://evil.example").status == 403)
        }
    }

    @Test func theFormLeadsNowhereElse() async throws {
        try await with { folder in
            let form = Self.browser + ["--data-urlencode", "token=\(Self.token)"]
            for path in ["//evil.example/", "/../x", "/a//b"] {
                let answer = try await folder.curl(path, form)
                #expect(answer.status == 400 && answer.headers["set-cookie"] == nil)
            }
            let long = try await folder.curl(
                "/", Self.browser + ["-d", "token=" + String(repeating: "x", count: 9000)])
            #expect(long.status == 413)
        }
    }

    /// A proxy or the server itself has TLS: the cookie does not travel without.
    @Test func theCookieIsSecureBehindTLS() async throws {
        try await with { folder in
            let answer = try await logIn(folder, Self.token, "-H", "Host: localhost", "-H", "Origin: https://localhost")
            #expect(answer.status == 303 && answer.headers["set-cookie"]?.hasSuffix("; Secure") == true)
            // Relative, as the proxy may have a path of its own.
            #expect(answer.headers["location"] == "../a%20b/")
        }
    }

    @Test func theFormSpeaksJapanese() async throws {
        try await with { folder in
            for (accepted, language) in [
                ("ja", "ja"), ("ja-JP,ja;q=0.9,en;q=0.8", "ja"), ("en,ja;q=0.5", "en"), ("fr", "en"), ("ja;q=0", "en"),
                ("JA-jp", "ja"),
            ] {
                let page = try await folder.curl("/", Self.browser + ["-H", "Accept-Language: \(accepted)"])
                #expect(page.text.contains("<html lang=\"\(language)\">"), "\(accepted)")
                #expect(page.text.contains("ログイン") == (language == "ja"))
            }
        }
    }

    @Test func anotherTokenEndsLogins() async throws {
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let folder = try FolderDescriptor(path: scratch.path)
        func open(_ token: String) -> LoginStore { LoginStore(folder: folder, tokenDigest: Secret.digest(token)) }
        let store = open("a")
        let first = try store.begin(at: 0)
        #expect(store.isValid(first, at: 1) && !store.isValid(first, at: LoginStore.lifetime))
        #expect(open("a").isValid(first, at: 1) && !open("b").isValid(first, at: 1))
        for number in 1...LoginStore.most { _ = try store.begin(at: Double(number)) }
        #expect(!store.isValid(first, at: 1), "the oldest made room")
        try store.end(first)
        try Data("x".utf8).write(to: scratch.appendingPathComponent("logins.json"))
        #expect(!open("a").isValid(first, at: 1))
    }

    /// Of one network they wait, and only for that subject.
    @Test func guessesKeepNobodyElseOut() async throws {
        let guesses = GuessLimit()
        // The right one does not count.
        for _ in 0...GuessLimit.most {
            #expect(guesses.turn(of: "1", on: "a", at: 0) == 0)
            guesses.wasRight("1", on: "a")
        }
        for _ in 0..<GuessLimit.most { #expect(guesses.turn(of: "1", on: "a", at: 0) == 0) }
        #expect((0..<5).map { _ in guesses.turn(of: "1", on: "a", at: 0) } == [0, 5, 10, 15, nil])
        await #expect(throws: Refusal.self) { try await guesses.takeTurn(of: "1", on: "a", at: 0) }
        #expect(guesses.turn(of: "2", on: "a", at: 0) == 0 && guesses.turn(of: "1", on: "b", at: 0) == 0)
        guesses.wasRight("1", on: "a")
        #expect(guesses.turn(of: "1", on: "a", at: 12) == 8)
        #expect(guesses.turn(of: "1", on: "a", at: 3600) == 0)
    }

    @Test func formBearerAndBasicShareThatLimit() async throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        var configuration = FileServerConfiguration(root: root.path)
        configuration.token = "right"
        let handler = try FileServer(configuration: configuration).handler
        let request = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/")
        func status(_ token: String, from network: String) async throws -> Int {
            try await handler.answer(FormFields("token=" + token), of: request, from: network).status.code
        }
        func code(_ authorization: String, from network: String) async throws -> Int {
            var request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
            request.headerFields[.authorization] = authorization
            do { _ = try await handler.admission(of: request, from: network) } catch let refusal as Refusal {
                return refusal.status.code
            }
            return 200
        }
        let (name, now) = (RequestHandler.loginCookie, UploadStore.now())
        for _ in 0..<GuessLimit.most + 4 { _ = handler.guesses.turn(of: "1", on: name, at: now) }
        #expect(try await status("right", from: "1") == 429)
        #expect(try await status("right", from: "2") == 303)
        for right in ["Bearer right", "Basic OnJpZ2h0"] {
            #expect(try await code(right, from: "1") == 429)
            #expect(try await code(right, from: "2") == 200)
        }
        for _ in 0..<GuessLimit.most - 3 { _ = handler.guesses.turn(of: "3", on: name, at: now) }
        #expect(try await status("wrong", from: "3") == 401)
        for wrong in ["Bearer wrong", "Basic Ondyb25n"] { #expect(try await code(wrong, from: "3") == 401) }
        #expect(handler.guesses.turn(of: "3", on: name, at: now) == 0)
        #expect(handler.guesses.turn(of: "3", on: name, at: now) == 5)
    }
}
