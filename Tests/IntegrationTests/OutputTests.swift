// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

extension Integration {
    /// `--json` as scripts meet it, and secrets that appear nowhere.
    @Suite(.serialized) struct OutputTests {
        static let names: Set<String> = [
            "queued", "started", "waiting", "retrying", "progress", "resumed", "paused", "verifying",
            "completed", "failed", "cancelled",
        ]
        static let states: Set<String> = [
            "queued", "running", "waiting", "retrying", "paused", "verifying", "completed", "failed",
            "cancelled",
        ]
        static let fields: Set<String> = [
            "time", "event", "id", "kind", "url", "file", "state", "bytes", "total", "confirmed", "rate",
            "eta", "connections", "uploadProtocol", "attempt", "reason", "status", "error", "metrics",
        ]

        /// Holds for every line of every run.
        static func check(
            _ outcome: Outcome, ends: [String: Int], location: SourceLocation = #_sourceLocation
        ) throws -> [JSONEvent] {
            let events = try outcome.events()
            #expect(!events.isEmpty, "\(outcome)", sourceLocation: location)
            // What people must know is said to them too, but never on standard output.
            #expect(outcome.errors.isEmpty == (outcome.exit == 0), "\(outcome)", sourceLocation: location)
            for event in events {
                #expect(names.contains(event.name), "\(event.fields)", sourceLocation: location)
                #expect(states.contains(event.text("state") ?? ""), "\(event.fields)", sourceLocation: location)
                #expect(
                    ["download", "upload"].contains(event.text("kind")), "\(event.fields)", sourceLocation: location)
                #expect(Set(event.fields.keys).isSubset(of: fields), "\(event.fields.keys)", sourceLocation: location)
                #expect(event.text("url") != nil && event.text("file") != nil && event.id > 0, sourceLocation: location)
                #expect(event.number("bytes") != nil && event.number("attempt") != nil, sourceLocation: location)
                let isTime = event.text("time")?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil
                #expect(isTime, "\(event.fields)", sourceLocation: location)
            }
            var lasts: [String: Int] = [:]
            for (_, own) in Dictionary(grouping: events, by: \.id) {
                let ended = own.filter { ["completed", "failed", "cancelled"].contains($0.name) }
                #expect(
                    ended.count == 1 && own.last?.name == ended.first?.name, "\(own.map(\.name))",
                    sourceLocation: location)
                #expect(own.first?.name == "queued", sourceLocation: location)
                #expect(own.last?.text("state") == own.last?.name, sourceLocation: location)
                if let last = own.last { lasts[last.name, default: 0] += 1 }
            }
            #expect(lasts == ends, sourceLocation: location)
            return events
        }

        @Test func aDownloadAndAnUpload() async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(.fileq)
                try Files.fill(server.file("a.bin"), 8 << 20)
                let got = try await stage.fileq("get", "--json", "--limit", "8M", server.url("a.bin"))
                #expect(got.exit == 0)
                let events = try Self.check(got, ends: ["completed": 1])
                #expect(events.contains { $0.name == "progress" })
                #expect(events.filter { $0.name == "progress" }.count <= 8)
                let last = try #require(events.last)
                #expect(
                    last.number("bytes") == 8 << 20 && last.number("total") == 8 << 20
                        && last.number("confirmed") == 8 << 20)
                #expect(
                    last.number("status") == 200 && last.metric("bodyReceived") == 8 << 20
                        && last.metric("exchanges") == 1)

                let sent = try await stage.fileq("put", "--json", "a.bin", server.url("b.bin"))
                #expect(sent.exit == 0)
                let end = try #require(try Self.check(sent, ends: ["completed": 1]).last)
                #expect(
                    end.text("kind") == "upload" && end.number("confirmed") == 8 << 20
                        && end.metric("bodySent") == 8 << 20)
            }
        }

        @Test func failuresHaveOnlyTheCode() async throws {
            try await Stage.with { stage in
                let server = try stage.server { connection, _ in
                    while let head = connection.readHead() {
                        connection.answer(
                            head.hasPrefix("GET /bad") ? "404 Not Found" : "200 OK", body: Array("x".utf8))
                    }
                }
                let outcome = try await stage.fileq("get", "--json", server.url("/bad"), server.url("/good"))
                #expect(outcome.exit == 22)
                let events = try Self.check(outcome, ends: ["completed": 1, "failed": 1])
                let failed = try #require(events.first { $0.name == "failed" })
                #expect(failed.errorCode == 22 && failed.number("status") == 404)
                #expect(failed.object("error")?["name"] as? String == "http-status")
                #expect((failed.object("error")?["message"] as? String)?.contains("404") == true)
            }
        }

        @Test func interruptedRunsEndTheirEvents() async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(.fileq)
                try Files.fill(server.file("a.bin"), 64 << 20)
                let run = try stage.startFileq([
                    "get", "--json", "--limit", "1M", server.url("a.bin"),
                    server.url("missing/../a.bin?x")
                        .replacing("a.bin?x", with: "b.bin"), "-j", "1",
                ])
                #expect(await becomesTrue { Files.size(stage.path("a.bin.fileq-part")) > 100_000 })
                run.child.send(SIGINT)
                let outcome = await run.end()
                #expect(outcome.exit == 130, "\(outcome)")
                _ = try Self.check(outcome, ends: ["cancelled": 2])
            }
        }

        /// Whatever is secret in a run appears neither in its output nor in what it leaves on disk.
        @Test(arguments: [["--json"], ["--plain", "-v"], ["-q"]]) func secretsAreNeverShown(
            _ form: [String]
        ) async throws {
            try await Stage.with { stage in
                let secrets = ["s3cretURL", "s3cretCookie", "s3cretToken", "s3cretSID", "s3cretPassword"]
                try stage.write("Authorization: Bearer s3cretToken\n", to: "header")
                try stage.write("a=s3cretCookie\n", to: "cookie")
                try stage.write("s3cretPassword\n", to: "password")
                let server = try stage.server { connection, number in
                    while let head = connection.readHead() {
                        if head.hasPrefix("GET /hop") {
                            connection.answer(
                                "302 Found", ["Location: http://u:s3cretURL@\(field("Host", of: head) ?? "")/file"])
                        } else if head.hasPrefix("GET /short") {
                            return connection.send(
                                "HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: 100000\r\n\r\n"
                                    + String(repeating: "x", count: 50_000))
                        } else {
                            connection.answer("404 No")
                        }
                    }
                }
                let host = "127.0.0.1:\(server.port)"
                let common = form + ["--retry", "0", "-H", "@header", "-b", "@cookie", "--sid", "s3cretSID"]
                for words in [
                    ["http://user:s3cretURL@\(host)/file"], ["http://user:s3cretURL@\(host)/hop"],
                    ["http://user:s3cretURL@\(host)/short"],
                    ["--user", "u", "--password-file", "password", server.url("/short2")],
                ] {
                    let outcome = try await stage.fileq(["get"] + common + words)
                    #expect(outcome.exit != 0)
                    for secret in secrets {
                        #expect(
                            !outcome.text.contains(secret) && !outcome.complaints.contains(secret),
                            "\(secret): \(outcome)")
                    }
                }
                #expect(stage.exists("short.fileq-part.json"))
                let record = stage.text("short.fileq-part.json") ?? ""
                for secret in secrets { #expect(!record.contains(secret), "\(secret) in the record") }
                #expect(server.requests.contains { $0.contains("s3cretCookie") && $0.contains("s3cretToken") })
            }
        }

        @Test func demoRunsWithoutATerminal() async throws {
            try await Stage.with { stage in
                let outcome = try await stage.fileq("demo", "--rate", "50M")
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(outcome.text.contains("every byte matches"), "\(outcome)")
                #expect(stage.names == [])
                let left = try FileManager.default.contentsOfDirectory(atPath: stage.aside("tmp"))
                #expect(left == [])
            }
        }
    }
}
