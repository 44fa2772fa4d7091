// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Integration {
    /// Places of the configuration, against `fileq serve`.
    @Suite struct PlacesTests {
        @Test func aPlaceStandsForItsURLInEveryCommand() async throws {
            try await Stage.withService { stage in
                let token = try stage.write("1234567890abcdef\n", to: "token")
                let server = try await stage.serve(.fileq, ["--token-file", token]).origin
                let settings = "# mine\nretry = 0 # none\n"
                try Data(settings.utf8).write(to: URL(fileURLWithPath: stage.home + "/config.toml"))
                let added = try await stage.fileq(
                    "places", "add", "nas", "\(server)/dav", "--token-file", "token", "--limit", "50M")
                #expect(added.exit == 0 && added.text.isEmpty, "\(added)")
                let kept = String(
                    decoding: FileManager.default.contents(atPath: stage.home + "/config.toml") ?? Data(), as: UTF8.self
                )
                #expect(kept.hasPrefix(settings) && !kept.contains("1234567890abcdef"), "\(kept)")
                let listed = try await stage.fileq("places", "list")
                #expect(listed.text == "nas\t\(server)/dav/\tlimit=50M token-file=\(token)\n", "\(listed)")

                try stage.write("content", to: "夏 100%.txt")
                let put = try await stage.fileq("put", "夏 100%.txt", "nas:sub/")
                #expect(put.exit == 0, "\(put)")
                let saved = try await stage.fileq("get", "-o", "got", "nas:sub/夏 100%.txt")
                #expect(saved.exit == 0 && stage.text("got") == "content", "\(saved)")

                let names = try await stage.fileq("ls", "nas:sub/")
                #expect(names.exit == 0 && names.text == "夏 100%.txt\n", "\(names)")

                let queued = try await stage.fileq("add", "-o", "queued", "nas:sub/夏 100%.txt")
                #expect(queued.exit == 0, "\(queued)")
                let id = queued.text.split(separator: "\n").first.map(String.init) ?? ""
                let waited = try await stage.fileq("wait", id)
                #expect(waited.exit == 0 && stage.text("queued") == "content", "\(waited)")

                try stage.write("nas:sub/夏 100%.txt\n  out=listed\n", to: "list")
                let ofList = try await stage.fileq("get", "-i", "list")
                #expect(ofList.exit == 0 && stage.text("listed") == "content", "\(ofList)")
                let piped = try await stage.shell("sed s/listed/piped/ list | \"$FILEQ\" get -i -")
                #expect(piped.exit == 0 && stage.text("piped") == "content", "\(piped)")

                // Without its token, by the address alone.
                let open = try await stage.fileq("get", "-o", "open", "\(server)/dav/sub/%E5%A4%8F%20100%25.txt")
                #expect(open.exit == 67, "\(open)")
                let removed = try await stage.fileq("places", "remove", "nas")
                #expect(removed.exit == 0, "\(removed)")
                #expect(FileManager.default.contents(atPath: stage.home + "/config.toml") == Data(settings.utf8))
                expectComplaint(try await stage.fileq("get", "nas:x"), 2, "fileq places list")
            }
        }

        @Test func secretsAndWaysOutAreRefused() async throws {
            try await Stage.with { stage in
                let url = "http://127.0.0.1:9/"
                expectComplaint(try await stage.fileq("get", "nas:x"), 2, "fileq places list")
                expectComplaint(try await stage.fileq("get", "localhost:8080/x"), 3, "no URL")
                expectComplaint(
                    try await stage.fileq("places", "add", "nas", "http://a:b@127.0.0.1/"), 2, "password-file")
                expectComplaint(try await stage.fileq("places", "add", "nas", url, "--password=x"), 2, "a secret")
                expectComplaint(try await stage.fileq("places", "add", "nas", url, "--limit", "x"), 2, "--limit")
                expectComplaint(try await stage.fileq("places", "add", "s3", url), 2, "begins URLs")
                #expect(!Files.exists(stage.home + "/config.toml"))
                let added = try await stage.fileq("places", "add", "nas", url)
                #expect(added.exit == 0, "\(added)")
                expectComplaint(try await stage.fileq("places", "add", "nas", url), 2, "already")
                expectComplaint(try await stage.fileq("get", "nas:../x"), 2, "'..'")
                let shown = try await stage.fileq("places", "show", "nas", "--json")
                #expect(shown.text == "{\"name\":\"nas\",\"url\":\"\(url)\",\"options\":[]}\n", "\(shown)")
            }
        }

        /// A redirect leads elsewhere, where the token must not be sent.
        @Test func theTokenOfAPlaceStaysAtItsServer() async throws {
            try await Stage.with { stage in
                let token = try stage.write("1234567890abcdef\n", to: "token")
                let other = try stage.replying("200 OK", body: "content")
                let first = try stage.replying("302 Found", ["Location: \(other.url("/x"))"])
                let added = try await stage.fileq("places", "add", "nas", first.url("/"), "--token-file", token)
                #expect(added.exit == 0, "\(added)")
                let outcome = try await stage.fileq("get", "-o", "got", "nas:x")
                #expect(outcome.exit == 0 && stage.text("got") == "content", "\(outcome)")
                #expect(first.requests.contains { $0.contains("Authorization: Bearer 1234567890abcdef") })
                #expect(!other.requests.isEmpty && !other.requests.contains { $0.contains("1234567890abcdef") })
            }
        }
    }
}
