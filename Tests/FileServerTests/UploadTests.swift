// SPDX-License-Identifier: MIT

import FileServer
import Foundation
import Testing
import TransferModel
import TransferTesting

struct UploadTests {
    static let uuid = "0f8fad5b-d9cb-469f-a165-70867728950e"

    private func upload(
        _ folder: ServedFolder, _ cookies: FileQCookies, _ content: String,
        _ arguments: String...
    ) async throws -> CurlAnswer {
        try await folder.curl(
            "/upload",
            [
                "--data-binary", "@-", "-H", "Content-Type: application/octet-stream",
                "-H", "Cookie: \(CookieHeader.print(cookies.cookies()))",
            ] + arguments,
            input: Data(content.utf8))
    }

    private func listing(_ folder: ServedFolder) async throws -> [FileQListing.Entry] {
        try JSONDecoder().decode(FileQListing.self, from: try await folder.curl("/files").body).files
    }

    @Test func storesAndServesAnUpload() async throws {
        try await ServedFolder.with { (folder) async throws in
            let sid = try await folder.issueSID()
            let cookies = FileQCookies(
                sid: sid, upload: Self.uuid, name: "写真 1.txt", size: 3, modified: 1_000_000_000,
                checksum: try Checksum(
                    parsing:
                        "sha256:7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"),
                metadata: [.init(name: "album", value: "夏")])
            let made = try await upload(folder, cookies, "one")
            #expect(made.status == 201)
            let location = try #require(made.headers["location"])
            #expect(location.hasPrefix("/files/") && location.hasSuffix("/%E5%86%99%E7%9C%9F%201.txt"))
            #expect(made.headers["repr-digest"] == "sha-256=:dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z/0Me0=:")

            let read = try await folder.curl(location)
            #expect(read.text == "one")
            #expect(read.headers["etag"] == made.headers["etag"])
            #expect(read.headers["repr-digest"] == made.headers["repr-digest"])
            #expect(read.headers["last-modified"] == "Sun, 09 Sep 2001 01:46:40 GMT")
            #expect(read.headers["content-disposition"]?.contains("filename*=UTF-8''%E5%86%99") == true)
            #expect(try await folder.curl(location, "-r", "1-1").text == "n")

            let entry = try #require(try await listing(folder).first)
            #expect(entry.location == location && entry.name == "写真 1.txt" && entry.size == 3)
            #expect(entry.metadata == cookies.metadata && entry.modified == 1_000_000_000)

            #expect(try await folder.curl(location + "x").status == 404)
            #expect(try await folder.curl(location, "-X", "DELETE").status == 204)
            #expect(try await folder.curl(location, "-X", "DELETE").status == 404)
            #expect(try await folder.curl(location).status == 404)
            #expect(try await listing(folder).isEmpty)
            #expect(try folder.tree() == ["files"])
        }
    }

    @Test func repeatsAreRecognizedAfterARestart() async throws {
        try await ServedFolder.with { (folder) async throws in
            let cookies = FileQCookies(sid: try await folder.issueSID(), upload: Self.uuid, name: "a", size: 3)
            let first = try await upload(folder, cookies, "one")
            let second = try await upload(folder, cookies, "one")
            #expect(first.status == 201 && second.status == 200)
            try await folder.restart()
            let third = try await upload(folder, cookies, "one")
            #expect(third.status == 200)
            for name in ["location", "etag", "repr-digest"] {
                #expect(first.headers[name] != nil)
                #expect(second.headers[name] == first.headers[name] && third.headers[name] == first.headers[name])
            }
            #expect(try await listing(folder).count == 1)
            // Another sender's upload of the same number is another upload.
            var other = cookies
            other.sid = try await folder.issueSID()
            #expect(try await upload(folder, other, "one").status == 201)
            // One that was taken away by hand is taken in again.
            try FileManager.default.removeItem(at: folder.root.appendingPathComponent("files"))
            #expect(try await upload(folder, cookies, "one").status == 201)
            try await folder.restart()
            #expect(try await listing(folder).count == 1)
        }
    }

    /// With a body that is not wanted, sent or held back.
    @Test func repeatsSucceedWithAnyBody() async throws {
        try await ServedFolder.with { (folder) async throws in
            let sid = try await folder.issueSID()
            let bytes = sampleBytes(3_000_000)
            for (expect, status) in [("Expect:", 201), ("Expect:", 200), ("Expect: 100-continue", 200)] {
                let answer = try await folder.curl(
                    "/upload",
                    [
                        "--data-binary", "@-", "-H", expect, "--expect100-timeout", "30", "-b",
                        "fileuploadSID=\(sid); fileq-upload=\(Self.uuid)",
                    ], input: bytes)
                #expect(answer.status == status && answer.exit == 0)
                #expect(!answer.log.contains("100 Continue"))
            }
            #expect(try await listing(folder).map(\.size) == [3_000_000])
        }
    }

    @Test func concurrentRepeatsStoreOneCopy() async throws {
        try await ServedFolder.with { (folder) async throws in
            let cookies = FileQCookies(sid: try await folder.issueSID(), upload: Self.uuid, name: "a", size: 6)
            let first = try RawConnection(port: folder.server.port)
            let head =
                "POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\nCookie: "
                + (try CookieHeader.print(cookies.cookies())) + "\r\n\r\n"
            await first.send(head + "one")
            #expect(try await eventually { try folder.partials().count == 1 })
            let second = try RawConnection(port: folder.server.port)
            await second.send(head + "onetwo")
            await first.send("two")
            let (one, two) = (await first.receive(until: "stored"), await second.receive(until: "stored"))
            #expect(one.hasPrefix("HTTP/1.1 201"))
            #expect(two.hasPrefix("HTTP/1.1 200"))
            #expect(try await listing(folder).count == 1)
        }
    }

    @Test func repeatTakesOverALostUpload() async throws {
        try await ServedFolder.with { (folder) async throws in
            let cookies = FileQCookies(sid: try await folder.issueSID(), upload: Self.uuid, name: "a", size: 6)
            let first = try RawConnection(port: folder.server.port)
            let head =
                "POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\nCookie: "
                + (try CookieHeader.print(cookies.cookies())) + "\r\n\r\n"
            await first.send(head + "one")
            #expect(try await eventually { try folder.partials().count == 1 })
            let second = try RawConnection(port: folder.server.port)
            await second.send(head + "onetwo")
            await first.reset()
            #expect(await second.receive(until: "stored").hasPrefix("HTTP/1.1 201"))
            #expect(try await listing(folder).count == 1)
        }
    }

    @Test func refusals() async throws {
        try await ServedFolder.with { (folder) async throws in
            let sid = try await folder.issueSID()
            let wrong = Checksum(algorithm: .sha256, bytes: Array(repeating: 1, count: 32))
            let rows: [(String, Int)] = [
                ("", 400), ("fileuploadSID=", 403), ("fileuploadSID=\(String(repeating: "a", count: 64))", 403),
                ("fileuploadSID=\(sid.dropLast())0", 403), ("fileuploadSID=\(sid); fileq-size=4", 400),
                ("fileuploadSID=\(sid); fileq-size=x", 400), ("fileuploadSID=\(sid); fileq-name=a%0Ab", 400),
                ("fileuploadSID=\(sid); fileq-upload=7", 400), ("fileuploadSID=\(sid); fileq-sha256=\(wrong.hex)", 422),
                ("fileuploadSID=\(sid); fileuploadSID=\(sid)", 400),
            ]
            for (cookie, status) in rows
            where !cookie.hasSuffix(sid.suffix(1) == "0" ? "\(sid.dropLast())0" : "no such row") {
                let answer = try await folder.curl("/upload", ["--data-binary", "one", "-H", "Cookie: \(cookie)"])
                #expect(answer.status == status, "\(cookie)")
                #expect(answer.text.split(separator: "\n").count == 1)
            }
            // The announced size is also compared without a Content-Length.
            let chunked = try await folder.curl(
                "/upload",
                [
                    "-H", "Transfer-Encoding: chunked", "--data-binary", "one", "-H",
                    "Cookie: fileuploadSID=\(sid); fileq-size=4",
                ])
            #expect(chunked.status == 400)
            #expect(try await listing(folder).isEmpty)
            #expect(try folder.tree().isEmpty)
            #expect(try folder.partials().isEmpty)
        }
    }

    @Test(arguments: [
        ("..%2F..%2Fetc%2Fpasswd", "passwd"), ("..", "upload"), ("%20", "upload"), ("a%5Cb", "a_b"),
        ("photo%E2%80%AEgpj.exe", "photogpj.exe"), ("%E3%81%8B%E3%82%99", "か\u{3099}"),
    ])
    func sanitizesNames(sent: String, stored: String) async throws {
        try await ServedFolder.with { (folder) async throws in
            let sid = try await folder.issueSID()
            let answer = try await folder.curl(
                "/upload", "--data-binary", "one", "-b", "fileuploadSID=\(sid); fileq-name=\(sent)")
            #expect(answer.status == 201)
            let entry = try #require(try await listing(folder).first)
            #expect(Array(entry.name.utf8) == Array(stored.utf8))
            #expect(try folder.tree() == ["files", "files/\(entry.id)", "files/\(entry.id)/\(entry.name)"])
            #expect(try await folder.curl(entry.location).text == "one")
        }
    }

    @Test func filesChangedByHandHaveNoDigest() async throws {
        try await ServedFolder.with { (folder) async throws in
            let cookies = FileQCookies(sid: try await folder.issueSID(), name: "a")
            let location = try #require(try await upload(folder, cookies, "one").headers["location"])
            try folder.write(String(location.dropFirst()), "changed")
            let answer = try await folder.curl(location)
            #expect(answer.text == "changed" && answer.headers["repr-digest"] == nil)
        }
    }
}
