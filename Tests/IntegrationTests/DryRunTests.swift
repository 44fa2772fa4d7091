// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Integration {
    /// `--dry-run` asks by HEAD and changes nothing; `--referer` stays at its origin.
    @Suite(.serialized) struct DryRunTests {
        /// Every file has 1536 bytes but `missing`.
        private static func server(_ stage: Stage) throws -> ScriptedServer {
            try stage.server { connection, _ in
                while let head = connection.readHead() {
                    connection.send(
                        "HTTP/1.1 \(head.contains("/missing") ? "404 Not Found" : "200 OK")\r\nContent-Length: "
                            + "1536\r\n\r\n"
                    )
                }
            }
        }

        @Test func getListsWhatItWouldDownload() async throws {
            try await Stage.with { stage in
                let server = try Self.server(stage)
                let outcome = try await stage.fileq(
                    "get", "--dry-run", "--create-dirs", "-d", "new", server.url("/a.iso"), server.url("/missing"))
                #expect(outcome.exit == 0, "\(outcome)")
                let lines = outcome.text.split(separator: "\n")
                #expect(
                    lines == [
                        "download \(server.url("/a.iso")) -> new/a.iso (1.50K)",
                        "download \(server.url("/missing")) -> new/missing (the server responds with 404)",
                    ])
                #expect(stage.names == [])
                #expect(server.requests.count == 2)
                #expect(server.requests.allSatisfy { $0.hasPrefix("HEAD ") })
            }
        }

        /// The same without `--dry-run`.
        @Test func getAndAddCreateTheFolders() async throws {
            try await Stage.withService { stage in
                let server = try stage.replying("200 OK", body: "content")
                let words = ["--create-dirs", "-d"]
                let got = try await stage.fileq(["get"] + words + ["new/er", server.url("/a")])
                #expect(got.exit == 0, "\(got)")
                #expect(stage.text("new/er/a") == "content")
                let added = try await stage.fileq(["add", "--paused"] + words + ["other/er", server.url("/a")])
                #expect(added.exit == 0, "\(added)")
                #expect(stage.exists("other/er"))
                try stage.write("x", to: "file")
                for command in ["get", "add"] {
                    let refused = try await stage.fileq([command] + words + ["file/new", server.url("/a")])
                    expectComplaint(refused, 23, "the folder 'file/new' cannot be created")
                }
            }
        }

        /// As without `--dry-run`: the others are listed.
        @Test(arguments: ["get", "add"]) func invalidLinesAreReported(_ command: String) async throws {
            try await Stage.with { stage in
                let server = try Self.server(stage)
                try stage.write("\(server.url("/a"))\nno url\n", to: "list")
                let outcome = try await stage.fileq(command, "--dry-run", "-i", "list")
                #expect(outcome.exit == 2, "\(outcome)")
                #expect(outcome.text.hasPrefix("download \(server.url("/a")) -> "))
                #expect(outcome.text.hasSuffix("/a (1.50K)\n"))
                #expect(outcome.text.split(separator: "\n").count == 1)
                #expect(outcome.complaints.contains("skipped: "))
            }
        }

        @Test func linesAreJSONForPrograms() async throws {
            try await Stage.with { stage in
                let server = try Self.server(stage)
                let outcome = try await stage.fileq(
                    "get", "--dry-run", "--json", "-o", "b", server.url("/a?token=secret"))
                #expect(outcome.exit == 0, "\(outcome)")
                let line = try #require(outcome.text.split(separator: "\n").first)
                let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                #expect(object["event"] as? String == "planned")
                #expect(object["kind"] as? String == "download")
                #expect((object["file"] as? String)?.hasSuffix("b") == true)
                #expect(object["total"] as? Int == 1536)
                #expect(object["status"] as? Int == 200)
                #expect(!outcome.text.contains("secret"))
            }
        }

        /// As the run that follows would.
        @Test func namesTheFileAsTheServerDoes() async throws {
            try await Stage.with { stage in
                let server = try stage.server { connection, _ in
                    while let head = connection.readHead() {
                        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n")
                        if head.contains("/named") {
                            connection.send("Content-Disposition: attachment; filename=\"../disp.txt\"\r\n")
                        }
                        connection.send("\r\n")
                    }
                }
                try stage.write("old", to: "disp.txt")
                let outcome = try await stage.fileq("get", "--dry-run", server.url("/named"), server.url("/x"))
                #expect(
                    outcome.text.split(separator: "\n") == [
                        "download \(server.url("/named")) -> ./disp.txt (5B, exists)",
                        "download \(server.url("/x")) -> ./x (5B)",
                    ])
                let json = try await stage.fileq("get", "--dry-run", "--json", server.url("/named"), server.url("/x"))
                let objects = try json.text.split(separator: "\n").map {
                    try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
                }
                #expect(objects.map { $0["file"] as? String } == ["./disp.txt", "./x"])
                #expect(objects.map { $0["exists"] as? Bool } == [true, nil])
                let named = try await stage.fileq("get", "--dry-run", "-o", "y", server.url("/named"))
                #expect(named.text.hasSuffix(" -> y (5B)\n"))
            }
        }

        @Test func unreachableServersAreNoFailure() async throws {
            try await Stage.with { stage in
                let outcome = try await stage.fileq("get", "--dry-run", "http://127.0.0.1:1/a")
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(outcome.text.contains("127.0.0.1"))
            }
        }

        @Test func putListsFilesWithoutRequests() async throws {
            try await Stage.with { stage in
                let server = try Self.server(stage)
                try stage.write([UInt8](repeating: 1, count: 100), to: "file")
                let outcome = try await stage.fileq("put", "--dry-run", "file", server.url("/in/"))
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(outcome.text == "upload file -> \(server.url("/in/file")) (100B)\n")
                #expect(server.requests == [])
            }
        }

        /// Also with a link that would be printed; the name is Latin-1.
        @Test func putReportsWhatCannotBeRead() async throws {
            try await Stage.with { stage in
                let server = try Self.server(stage)
                let made = try await stage.shell(#"mkdir top && printf x > top/a && printf x > $'top/caf\xe9'"#)
                #expect(made.exit == 0, "\(made)")
                for words in [["put"], ["put", "--share"], ["add", "put"]] {
                    let outcome = try await stage.fileq(words + ["--dry-run", "-r", "top", server.url("/in/")])
                    #expect(outcome.exit == 26, "\(outcome)")
                    #expect(outcome.complaintLines.count == 1 && outcome.complaints.contains("not UTF-8"), "\(outcome)")
                    #expect(outcome.text.hasSuffix("top/a -> \(server.url("/in/top/a")) (1B)\n"), "\(outcome)")
                    #expect(outcome.text.split(separator: "\n").count == 1)
                }
                #expect(server.requests == [])
            }
        }

        @Test func addQueuesNothingAndStartsNoService() async throws {
            try await Stage.with { stage in
                let server = try Self.server(stage)
                let outcome = try await stage.fileq("add", "--dry-run", server.url("/a"))
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(outcome.text.contains("/a (1.50K)"))
                #expect(stage.names == [])
                #expect(try FileManager.default.subpathsOfDirectory(atPath: stage.aside("state")) == [])
            }
        }

        @Test func sendsTheRefererToItsOriginOnly() async throws {
            try await Stage.with { stage in
                let other = try stage.replying("200 OK", body: "content")
                let server = try stage.server { connection, _ in
                    while let head = connection.readHead() {
                        let target = head.contains("/away") ? other.url("/a") : head.contains("/here") ? "/a" : nil
                        if let target {
                            connection.answer("302 Found", ["Location: \(target)"])
                        } else {
                            connection.answer("200 OK")
                        }
                    }
                }
                for path in ["/here", "/away"] {
                    let outcome = try await stage.fileq(
                        "get", "-o", "file", "--overwrite", "-e", "http://page.test/?key=1", server.url(path))
                    #expect(outcome.exit == 0, "\(outcome)")
                }
                #expect(server.requests.count == 3)
                #expect(server.requests.allSatisfy { $0.contains("Referer: http://page.test/?key=1") })
                #expect(other.requests.count == 1)
                #expect(!other.requests.contains { $0.lowercased().contains("referer") })
            }
        }
    }
}
