// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel
import TransferTesting

@testable import FileServer

/// Links to files: how they are made, and what they give to whom.
@Suite(.timeLimit(.minutes(10))) struct ShareTests {
    private static let browser = "Accept: text/html,*/*;q=0.8"

    private func link(_ folder: ServedFolder, _ target: String, _ more: String...) async throws -> String {
        let made = try await folder.curl(
            "/files/share", ["-X", "POST", "-H", "Share-Target: \(target)"] + more.flatMap { ["-H", $0] })
        #expect(made.status == 201, "\(made.text)")
        return try #require(made.headers["location"])
    }

    @Test func aLinkServesItsFile() async throws {
        try await ServedFolder.with { folder in
            try folder.write("docs/a <b>&.txt", "0123456789")
            let link = try await link(folder, "/docs/a%20%3Cb%3E%26.txt")
            #expect(link.hasPrefix("/files/share/") && link.utf8.count == 45)
            let whole = try await folder.curl(link)
            #expect(whole.status == 200 && whole.text == "0123456789")
            #expect(whole.headers["content-disposition"]?.hasPrefix("attachment") == true)
            #expect(whole.headers["content-security-policy"] == "sandbox")
            let part = try await folder.curl(link, "-r", "3-5")
            #expect(part.status == 206 && part.text == "345")
            let head = try await folder.curl(link, "-I")
            #expect(head.status == 200 && head.headers["content-length"] == "10")
            let page = try await folder.curl(link, "-H", Self.browser)
            #expect(
                page.headers["content-type"] == "text/html; charset=utf-8"
                    && page.headers["vary"]?.hasPrefix("Accept, ") == true)
            #expect(page.text.contains("<bdi>a &lt;b&gt;&amp;.txt</bdi>") && !page.text.contains("<script"))
            // Relative to the page's own address.
            let id = link.dropFirst("/files/share/".count)
            let named = "\(id)/a%20%3Cb%3E%26.txt"
            #expect(page.text.contains("href=\"\(named)\"") && !page.text.contains("<form"), "\(page.text)")
            #expect(try await folder.curl("/files/share/" + named, "-H", Self.browser).text == "0123456789")
            #expect(try await folder.curl("/files/share/\(id)/other.txt").status == 404)
            #expect(try await folder.curl(link, "-X", "DELETE").status == 204)
            #expect(try await folder.curl(link).status == 404)
            #expect(try await folder.curl("/docs/a%20%3Cb%3E%26.txt").status == 200)
        }
    }

    @Test func theLogOpensNoLink() {
        let id = String(repeating: "0123456789abcdef", count: 2)
        for rest in [
            id, "\(id)/a.txt", "\(id)?x=1", "%30\(id.dropFirst())",
            "\(id)/", "\(id)/a/b", "\(id)/a%zz", "\(id)%zz", "/\(id)",
        ] {
            #expect(RequestHandler.shown("/files/share/\(rest)") == "/files/share/0123…", "\(rest)")
        }
        #expect(RequestHandler.shown("http://a/files/%73hare/\(id)/") == "/files/share/0123…")
        #expect(RequestHandler.shown("/files/share/?x") == "/files/share/")
        #expect(RequestHandler.shown("/a b?token=x") == "/a?b")
    }

    @Test func aLinkNeedsNoTokenAndOpensNothingElse() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.token = "secret" }) { folder in
            try folder.write("a.txt", "shared")
            try folder.write("b.txt", "private")
            let refused = try await folder.curl("/files/share", "-X", "POST", "-H", "Share-Target: /a.txt")
            #expect(refused.status == 401)
            let link = try await link(folder, "/a.txt", "Authorization: Bearer secret")
            #expect(try await folder.curl(link).text == "shared")
            #expect(try await folder.curl(link, "-X", "DELETE").status == 401)
            for path in ["/b.txt", "/a.txt", "/", "/files", "/files/share", link + "/../../../b.txt"] {
                #expect(try await folder.curl(path).status != 200, "\(path)")
            }
            let unknown = "/files/share/" + String(repeating: "0", count: 32)
            #expect(try await folder.curl(unknown).status == 404)
        }
    }

    @Test func aPasswordProtectsPageAndFile() async throws {
        try await ServedFolder.with { folder in
            try folder.write("a.txt", "shared")
            let link = try await link(
                folder, "/a.txt", "Share-Password: :\(Data("ge:heim".utf8).base64EncodedString()):")
            for more in [[], ["-u", "x:falsch"], ["-u", "x:falsch", "-H", Self.browser]] {
                let refused = try await folder.curl(link, more)
                #expect(refused.status == 401 && refused.headers["www-authenticate"]?.hasPrefix("Basic") == true)
                #expect(!refused.text.contains("a.txt"))
            }
            let locked = try await folder.curl(link, "-H", Self.browser)
            #expect(locked.status == 200 && locked.headers["www-authenticate"] == nil)
            #expect(locked.text.contains("type=\"password\"") && !locked.text.contains("a.txt"))
            let wrong = try await folder.curl(link, "-d", "password=falsch")
            #expect(wrong.status == 403 && wrong.text.contains("role=\"alert\"") && !wrong.text.contains("a.txt"))
            #expect(try await folder.curl(link, "-d", "download=1").text.contains("a.txt") == false)
            let right = try await folder.curl(link, "--data-urlencode", "password=ge:heim")
            #expect(right.status == 200 && right.text.contains("<bdi>a.txt</bdi>"))
            let ticket = try #require(right.text.firstMatch(of: /name="ticket" value="([0-9a-f-]+)"/)).1
            let started = try await folder.curl(link, "-d", "download=1&ticket=\(ticket)")
            #expect(started.status == 303 && started.headers["location"] == "\(link)/a.txt?ticket=\(ticket)")
            #expect(try await folder.curl("\(link)/a.txt?ticket=\(ticket)").text == "shared")
            for other in ["\(ticket)0", "9\(ticket)", "1-0", ""] {
                #expect(try await folder.curl("\(link)/a.txt?ticket=\(other)").status == 401, "\(other)")
            }
            #expect(try await folder.curl(link, "-u", "anyone:ge:heim").text == "shared")
            try await folder.restart()
            #expect(try await folder.curl(link, "-u", ":ge:heim").text == "shared")
            #expect(try await folder.curl(link, "-u", ":").status == 401)
            // Nothing on the disk has it.
            let stored = try folder.content(".fileq-server/shares/\(link.dropFirst(13)).json")
            #expect(!stored.contains("heim") && stored.contains("digest"))
        }
    }

    @Test func anExpiredLinkIsGone() async throws {
        try await ServedFolder.with { folder in
            try folder.write("a.txt", "shared")
            let link = try await link(folder, "/a.txt", "Share-Limit: max-age=1")
            let deadline = Date() + 60
            while try await folder.curl(link).status == 200, Date() < deadline { await Task.yield() }
            #expect(try await folder.curl(link).status == 404)
            let later = try await self.link(folder, "/a.txt", "Share-Limit: max-age=86400")
            #expect(try await folder.curl(later, "-H", Self.browser).text.contains("<dt>Until"))
        }
    }

    @Test func downloadsAreCountedByTheirBeginning() async throws {
        try await ServedFolder.with { folder in
            try folder.write("a.txt", "0123456789")
            let link = try await link(folder, "/a.txt", "Share-Limit: downloads=2")
            #expect(try await folder.curl(link, "-H", Self.browser).text.contains("<dt>Downloads left<dd>2"))
            #expect(try await folder.curl(link, "-I").status == 200)
            #expect(try await folder.curl(link).text == "0123456789")
            #expect(try await folder.curl(link, "-H", Self.browser).text.contains("<dt>Downloads left<dd>1"))
            // A download in two parts is one.
            #expect(try await folder.curl(link, "-r", "0-4").text == "01234")
            try await folder.restart()
            #expect(try await folder.curl(link, "-r", "5-").text == "56789")
            let refused = try await folder.curl(link)
            #expect(refused.status == 410 && refused.text.contains("as often as it may be"))
            #expect(try await folder.curl(link, "-r", "0-0").status == 410)
            #expect(try await responseAfterOthers(folder, link, "5-").status == 410)
            try folder.write("empty", "")
            let empty = try await self.link(folder, "/empty", "Share-Limit: downloads=1")
            #expect(try await folder.curl(empty).status == 200)
            #expect(try await folder.curl(empty).status == 410)
        }
    }

    @Test func noMethodReadsAFileUncounted() async throws {
        try await ServedFolder.with { folder in
            try folder.write("a.txt", "0123456789")
            let link = try await link(folder, "/a.txt", "Share-Limit: downloads=1")
            for method in ["HEAD", "GET", "OPTIONS"] {
                let answer = try await folder.curl(
                    link, "-X", "POST", "-H", "Tus-Resumable: 1.0.0", "-H", "X-HTTP-Method-Override: \(method)")
                #expect(answer.status == 400 && !answer.text.contains("0123"), "\(method)")
            }
            #expect(try await folder.curl(link).text == "0123456789")
            #expect(try await folder.curl(link).status == 410)
        }
    }

    /// The answer when the responses before have ended, of which the server may learn later than their clients.
    private func responseAfterOthers(_ folder: ServedFolder, _ link: String, _ range: String) async throws -> CurlAnswer
    {
        let deadline = Date() + 60
        var answer = try await folder.curl(link, "-r", range)
        while answer.status == 503, Date() < deadline { answer = try await folder.curl(link, "-r", range) }
        return answer
    }

    /// What a broken connection did not carry is returned.
    @Test func aBrokenDownloadMayContinue() async throws {
        try await ServedFolder.with { folder in
            let text = "in the second chunk"
            var bytes = sampleBytes(64 << 20)
            bytes.replaceSubrange(100_000..<100_002 + text.utf8.count, with: Data("\n\(text)\n".utf8))
            try folder.write("big.bin", bytes)
            let link = try await link(folder, "/big.bin", "Share-Limit: downloads=1")
            // Otherwise the kernel takes much of it.
            let connection = try RawConnection(port: folder.server.port, receiveBuffer: 64 << 10)
            await connection.send("GET \(link)/big.bin HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            // The server knows then that it has sent the first one.
            #expect(await connection.receive(until: text).contains(text))
            let early = try await folder.curl(link, "-r", "1000-")
            #expect(early.status == 503 && early.headers["retry-after"] == "5")
            #expect(try await folder.curl(link).status == 410)
            // Another connection of the same download.
            #expect(try await folder.curl(link, "-r", "\(bytes.count - 10)-").body == bytes.suffix(10))
            await connection.reset()
            let answer = try await responseAfterOthers(folder, link, "1000-")
            #expect(answer.status == 206 && answer.body == bytes.dropFirst(1000), "\(answer.status)")
            #expect(try await folder.curl(link).status == 410)
            #expect(try await responseAfterOthers(folder, link, "1000-").status == 410)
        }
    }

    @Test func aDownloadThatLacksOneByteIsOne() async throws {
        try await ServedFolder.with { folder in
            let bytes = sampleBytes(300_000)
            try folder.write("a.bin", bytes)
            let link = try await link(folder, "/a.bin", "Share-Limit: downloads=1")
            #expect(try await folder.curl(link, "-r", "0-299998").body == bytes.dropLast())
            for range in ["0-", "0-299998", "0-0", "1-", "299998-"] {
                #expect(try await responseAfterOthers(folder, link, range).status == 410, "\(range)")
            }
            #expect(try await folder.curl(link).status == 410)
            #expect(try await folder.curl(link, "-r", "299999-").body == bytes.suffix(1))
            #expect(try await responseAfterOthers(folder, link, "299999-").status == 410)
        }
    }

    @Test func anotherVersionIsNotSent() async throws {
        try await ServedFolder.with { folder in
            try folder.write("a.txt", "shared")
            let link = try await link(folder, "/a.txt")
            try folder.write("a.txt", "another")
            #expect(try await folder.curl(link).status == 410)
            try FileManager.default.removeItem(at: folder.root.appendingPathComponent("a.txt"))
            #expect(try await folder.curl(link).status == 404)
        }
    }

    @Test(arguments: [
        ([], 400), (["Share-Target: a.txt"], 400), (["Share-Target: /"], 400), (["Share-Target: /sub/"], 201),
        (["Share-Target: /a.txt/"], 404),
        (["Share-Target: /missing"], 404), (["Share-Target: /sub"], 404), (["Share-Target: /../a.txt"], 400),
        (["Share-Target: /.fileq-server/session-key"], 404), (["Share-Target: /link"], 404),
        (["Share-Target: /a.txt", "Share-Limit: downloads=0"], 400),
        (["Share-Target: /a.txt", "Share-Limit: max-age=-1"], 400),
        (["Share-Target: /a.txt", "Share-Limit: downloads=\"1\""], 400),
        (["Share-Target: /a.txt", "Share-Limit: ;;"], 400), (["Share-Target: /a.txt", "Share-Password: x"], 400),
        (["Share-Target: /a.txt", "Share-Password: ::"], 400),
        (["Share-Target: /a.txt", "Origin: http://evil.example"], 403),
        (["Share-Target: /a.txt", "Share-Limit: other=1"], 201),
    ])
    func malformedRequestsAreRefused(_ fields: [String], _ status: Int) async throws {
        try await ServedFolder.with { folder in
            try folder.write("a.txt", "1")
            try folder.write("sub/b.txt", "2")
            try FileManager.default.createSymbolicLink(
                atPath: folder.root.appendingPathComponent("link").path, withDestinationPath: "/etc/passwd")
            let answer = try await folder.curl("/files/share", ["-X", "POST"] + fields.flatMap { ["-H", $0] })
            #expect(answer.status == status, "\(answer.text)")
        }
    }

    /// What chats send for a preview, and what people send.
    @Test func aPreviewUsesNothingUp() async throws {
        try await ServedFolder.with { folder in
            try folder.write("a.txt", "0123456789")
            let link = try await link(folder, "/a.txt", "Share-Limit: downloads=1")
            for agent in [
                "Slackbot-LinkExpanding 1.0", "WhatsApp/2.24", "facebookexternalhit/1.1",
                "TelegramBot (like TwitterBot)",
                "Mozilla/5.0 (compatible; Discordbot/2.0)", "Mozilla/5.0 curl/8", "",
            ] {
                for more in [[], ["-r", "0-32768"], ["-I"]] {
                    let answer = try await folder.curl(link, ["-A", agent] + more)
                    #expect(answer.status == 200 && answer.headers["content-type"] == "text/html; charset=utf-8")
                    #expect(!answer.text.contains("0123456789"))
                    // Nothing that follows links starts a download either.
                    #expect(!answer.text.contains("href"), "\(agent)")
                }
            }
            let page = try await folder.curl(link, "-H", Self.browser)
            #expect(page.text.contains("<dt>Downloads left<dd>1") && page.text.contains("name=\"download\""))
            let started = try await folder.curl(link, "-d", "download=1")
            #expect(started.status == 303 && started.headers["location"] == link + "/a.txt")
            #expect(try await folder.curl(link + "/a.txt", "-A", "Mozilla/5.0").text == "0123456789")
            #expect(try await folder.curl(link + "/a.txt").status == 410)
            for agent in ["curl/8.0", "Wget/1.21", "fileq/0.2.0", "aria2/1.36"] {
                let other = try await self.link(folder, "/a.txt", "Share-Limit: downloads=1")
                #expect(try await folder.curl(other, "-A", agent).text == "0123456789", "\(agent)")
            }
            // Without a limit, there is nothing to use up.
            let open = try await self.link(folder, "/a.txt")
            #expect(try await folder.curl(open, "-A", "WhatsApp/2").text == "0123456789")
        }
    }

    @Test func itsMakerRemovesALinkWithoutTheToken() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.token = "secret" }) { folder in
            try folder.write("a.txt", "shared")
            let own = ["-X", "POST", "-H", "Authorization: Bearer secret", "-H", "Share-Target: /a.txt"]
            for isPage in [false, true] {
                let made = try await folder.curl("/files/share", own)
                let (link, key) = (try #require(made.headers["location"]), try #require(made.headers["share-key"]))
                #expect(made.text.contains("\"deleteKey\":\"\(key)\"") && key.utf8.count == 32)
                let stored = try folder.content(".fileq-server/shares/\(link.dropFirst(13)).json")
                #expect(!stored.contains(key))
                #expect(try await folder.curl(link, "-X", "DELETE").status == 401)
                #expect(try await folder.curl(link + "?key=0", "-X", "DELETE").status == 403)
                #expect(try await folder.curl(link, "-d", "delete=1&key=0").status == 403)
                for (query, hasButton) in [("?key=\(key)", true), ("?key=0", false), ("", false)] {
                    let page = try await folder.curl(link + query, "-H", Self.browser)
                    #expect(page.status == 200 && page.text.contains("name=\"delete\"") == hasButton)
                }
                try await folder.restart()
                let evil = ["-d", "delete=1&key=\(key)", "-H", "Origin: http://evil.example"]
                #expect(try await folder.curl(link, evil).status == 403)
                let removed =
                    try await isPage
                    ? folder.curl(link, "-d", "delete=1&key=\(key)") : folder.curl(link + "?key=\(key)", "-X", "DELETE")
                #expect(removed.status == (isPage ? 200 : 204))
                #expect(try await folder.curl(link).status == 404)
            }
            #expect(try folder.content("a.txt") == "shared")
        }
    }

    @Test func aFolderIsSharedAsAnArchive() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.token = "secret" }) { folder in
            try folder.write("in/a b/x.txt", "inside")
            try folder.write("in/other.txt", "private")
            let link = try await link(
                folder, "/in/a%20b/", "Share-Limit: downloads=2", "Authorization: Bearer secret")
            let page = try await folder.curl(link, "-H", Self.browser)
            #expect(page.text.contains("<bdi>a b.zip</bdi>") && page.text.contains("<dd>Folder, as .zip"))
            for left in [1, 0] {
                let answer = try await folder.curl(link, "-r", "0-9")
                #expect(answer.status == 200 && answer.headers["content-disposition"]?.contains("a b.zip") == true)
                #expect(answer.body.range(of: Data("inside".utf8)) != nil)
                #expect(answer.body.range(of: Data("private".utf8)) == nil)
                let page = try await folder.curl(link, "-H", Self.browser)
                #expect(page.text.contains("<dt>Downloads left<dd>\(left)"))
            }
            #expect(try await folder.curl(link).status == 410)
            #expect(try await folder.curl(link, "-I").status == 200)
            // What is used up is removed at the start.
            try await folder.restart()
            #expect(try await folder.curl(link).status == 404)
        }
    }

    private static func share(_ size: Int64, downloads: Int64?) -> Share {
        Share(id: "", path: ["a"], name: "a", size: size, entityTag: "", downloads: downloads)
    }

    @Test func whatALinkAdmits() {
        var share = Self.share(100, downloads: 2)
        #expect(share.downloadsLeft == 2)
        // Two at the same time, each with its own rest.
        #expect(share.take(0..<40, at: 0) == 1 && share.take(0..<50, at: 0) == 2 && share.downloadsLeft == 0)
        #expect(share.take(0..<1, at: 1) == nil && share.take(30..<50, at: 1) == nil)
        // Connections of one download, in any order.
        #expect(share.take(70..<100, at: 1) == 1 && share.take(40..<70, at: 1) == 1)
        #expect(share.take(40..<41, at: 1) == nil)
        #expect(share.take(50..<100, at: 2) == 2 && share.take(99..<100, at: 2) == nil)
        share.downloads = nil
        #expect(share.downloadsLeft == nil && share.take(0..<100, at: 3) == 3)
        #expect(!share.hasExpired(at: 1e12))
        share.expires = 100
        #expect(share.hasExpired(at: 100) && !share.hasExpired(at: 99))
    }

    @Test func whatABrokenDownloadGetsAgain() {
        let mebibyte = Int64(1 << 20)
        var share = Self.share(100 * mebibyte, downloads: 1)
        let whole = 0..<share.size
        #expect(share.take(whole, at: 0) == 1)
        share.giveBack(whole, sent: 50 * mebibyte, of: 1)
        // From where it broke off, or from before, but not from further before.
        var other = share
        #expect(other.take(50 * mebibyte..<share.size, at: 1) == 1)
        #expect(share.take(33 * mebibyte..<share.size, at: 1) == nil && share.take(whole, at: 1) == nil)
        #expect(share.take(34 * mebibyte..<share.size, at: 1) == 1)
        share.giveBack(34 * mebibyte..<share.size, sent: share.size, of: 1)
        #expect(share.take(99 * mebibyte..<share.size, at: 2) == nil, "it was sent to the end")
        #expect(other.take(34 * mebibyte..<50 * mebibyte, at: 40_000) == 1)
        // Hours later.
        other.giveBack(50 * mebibyte..<share.size, sent: 0, of: 1)
        #expect(other.take(50 * mebibyte..<share.size, at: 90_000) == nil)
    }

    /// However often its connection breaks, a download is sent at most twice, and its first byte once.
    @Test func breaksGiveNoSecondDownload() {
        var share = Self.share(1000, downloads: 1)
        var sent: Int64 = 900
        #expect(share.take(0..<1000, at: 0) == 1)
        share.giveBack(0..<1000, sent: 900, of: 1)
        #expect(share.take(0..<1000, at: 0) == nil)
        while share.take(1..<1000, at: 0) != nil, sent < 10_000 {
            share.giveBack(1..<1000, sent: 998, of: 1)
            sent += 998
        }
        #expect(sent == 1898)
        // Nothing was sent: the same request again.
        var early = Self.share(1000, downloads: 1)
        #expect(early.take(0..<1000, at: 0) == 1)
        early.giveBack(0..<1000, sent: 0, of: 1)
        #expect(early.take(0..<1000, at: 0) == 1)
    }

    @Test func whatIsStoredOfDownloadsIsLimited() throws {
        var share = Self.share(1000, downloads: 1000)
        for _ in 0..<100 { #expect(share.take(0..<1, at: 0) != nil) }
        #expect(share.open.count == Share.mostOpen && share.begun == 100 && share.open.last?.number == 100)
        for byte in Int64(1)..<400 { _ = share.take(byte * 2..<byte * 2 + 1, at: 0) }
        #expect(share.open.allSatisfy { $0.unsent.ranges.count <= ShareDownload.mostRanges })
        #expect(try JSONDecoder().decode(Share.self, from: JSONEncoder().encode(share)) == share)
        var large = Self.share(.max, downloads: .max)
        #expect(large.take(0..<Int64.max, at: 0) == 1)
        large.giveBack(0..<Int64.max, sent: .max - 1, of: 1)
        #expect(large.take(Int64.max - 1..<Int64.max, at: 0) == 1)
        var empty = Self.share(0, downloads: 1)
        #expect(empty.take(0..<0, at: 0) == 1 && empty.take(0..<0, at: 0) == nil)
    }

    /// RFC 7914, section 11.
    @Test func passwordsAreDerivedAsPublished() throws {
        let digest = try #require(Hex.decode("55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"))
        let salt = Array("salt".utf8)
        let stored = try JSONDecoder().decode(
            SharePassword.self, from: Data(#"{"salt":\#(salt),"rounds":1,"digest":\#(digest)}"#.utf8))
        #expect(stored.matches("passwd") && !stored.matches("passwe") && !stored.matches(""))
        let own = SharePassword("x", rounds: 2)
        #expect(own.matches("x") && own.salt.count == 16 && own.salt != SharePassword("x", rounds: 2).salt)
    }
}
