// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

extension Integration {
    /// Answers that are wrong, late or missing.
    @Suite(.serialized) struct AnswerTests {
        struct Row: Sendable, CustomStringConvertible {
            let answer: String
            let exit: Int32
            let says: String
            init(_ answer: String, _ exit: Int32, _ says: String) {
                (self.answer, self.exit, self.says) = (answer, exit, says)
            }
            var description: String { "\(exit): \(String(answer.prefix(40)).debugDescription)" }
        }

        static let rows: [Row] = [
            Row("HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\ngone\n", 22, "404"),
            Row("HTTP/1.1 204 No Content\r\n\r\n", 22, "204"),
            Row("HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok", 22, "not ready"),
            Row("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", 22, "500"),
            Row(
                "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nWWW-Authenticate: Basic realm=\"x\"\r\n\r\n", 67,
                "401"),
            Row("HTTP/1.1 407 Proxy\r\nContent-Length: 0\r\n\r\n", 67, "407"),
            Row("SSH-2.0-OpenSSH_9.2\r\nwhat do you want\r\n\r\n", 8, "not HTTP"),
            Row("\u{1}\u{2}\u{3}garbage\n", 8, "not HTTP"),
            Row("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort", 18, "before the whole body"),
            Row("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n", 18, "before the whole body"),
            Row(
                "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-4/9\r\nContent-Length: 5\r\n\r\nshort", 33,
                "206"),
            Row("HTTP/1.1 302 Found\r\nLocation: /file\r\nContent-Length: 0\r\n\r\n", 47, "redirects"),
            Row("HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n", 3, "scheme"),
            Row("HTTP/1.1 302 Found\r\nLocation: http://h:0/\r\nContent-Length: 0\r\n\r\n", 3, "redirected to"),
            Row("", 56, "without a response"), Row("HTTP/1.1 200 OK\r\nContent-Le", 56, "without a response"),
        ]

        @Test(arguments: rows) func errorsHaveTheirCodeAndLeaveNoFile(_ row: Row) async throws {
            try await Stage.with { stage in
                let server = try stage.server { connection, _ in
                    guard connection.readHead() != nil else { return }
                    connection.send(row.answer)
                }
                let outcome = try await stage.fileq("get", "-q", "--retry", "0", server.url())
                expectComplaint(outcome, row.exit, row.says)
                #expect(!stage.exists("file"))
            }
        }

        @Test func dropsBytesBeyondTheContentLength() async throws {
            try await Stage.with { stage in
                let server = try stage.server { connection, _ in
                    guard connection.readHead() != nil else { return }
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwholeand much more of it")
                }
                let outcome = try await stage.fileq("get", "-q", server.url())
                // HTTP's framing ends the answer; what follows belongs to no answer at all.
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(stage.text("file") == "whole")
                #expect(stage.names == ["file"])
            }
        }

        @Test func neverMixesAnUnrequestedRange() async throws {
            try await Stage.with { stage in
                let content = patternedBytes(300_000)
                let server = try stage.server { connection, number in
                    guard connection.readHead() != nil else { return }
                    switch number {
                    case 1:
                        connection.send("HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: 300000\r\n\r\n")
                        connection.send(Array(content[..<100_000]))
                    case 2:
                        connection.answer(
                            "206 Partial Content", ["ETag: \"v\"", "Content-Range: bytes 5-199999/300000"],
                            body: Array(content[5..<200_000]))
                    default: connection.answer("200 OK", ["ETag: \"v\""], body: content)
                    }
                }
                expectComplaint(
                    try await stage.fileq("get", "-q", "--retry", "0", server.url()), 18, "before the whole body")
                #expect(stage.bytes("file.fileq-part") == Array(content[..<100_000]))
                let again = try await stage.fileq("get", "-q", server.url())
                #expect(again.exit == 0, "\(again)")
                #expect(stage.bytes("file") == content)
                #expect(server.requests.count == 3)
                #expect(
                    server.requests[1].contains("Range: bytes=100000-")
                        && server.requests[1].contains("If-Range: \"v\""))
                #expect(!server.requests[2].contains("Range"))
            }
        }

        @Test(arguments: [200, 206]) func aChangedETagRestartsTheFile(_ status: Int) async throws {
            try await Stage.with { stage in
                let (old, new) = (patternedBytes(200_000, seed: 1), patternedBytes(200_000, seed: 2))
                let server = try stage.server { connection, number in
                    guard connection.readHead() != nil else { return }
                    switch (number, status) {
                    case (1, _):
                        connection.send("HTTP/1.1 200 OK\r\nETag: \"old\"\r\nContent-Length: 200000\r\n\r\n")
                        connection.send(Array(old[..<100_000]))
                    case (2, 206):
                        connection.answer(
                            "206 Partial Content", ["ETag: \"new\"", "Content-Range: bytes 100000-199999/200000"],
                            body: Array(new[100_000...]))
                    default: connection.answer("200 OK", ["ETag: \"new\""], body: new)
                    }
                }
                // The attempts of one run, not two runs.
                let outcome = try await stage.fileq("get", "-q", server.url())
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(stage.bytes("file") == new)
                #expect(stage.names == ["file"])
            }
        }

        @Test(
            arguments: [
                ("attachment; filename=\"../../escape\"", "escape"), ("attachment; filename=\"/etc/passwd\"", "passwd"),
                ("attachment; filename*=UTF-8''%1B%5B31mred%E5%A4%8F", nil), ("attachment; filename=\"..\"", "file"),
                ("attachment; filename=\".bashrc\"", nil), ("attachment; filename*=UTF-8''a%E2%80%AEb.txt", nil),
            ] as [(String, String?)])
        func namesFromTheServerStayInTheFolder(_ disposition: String, _ expected: String?) async throws {
            try await Stage.with { stage in
                let server = try stage.replying("200 OK", ["Content-Disposition: \(disposition)"], body: "content")
                let place = try stage.makeFolder(stage.path("a/b/c"))
                let outcome = try await stage.fileq("get", "-d", "a/b/c", server.url())
                #expect(outcome.exit == 0, "\(outcome)")
                let names = try FileManager.default.contentsOfDirectory(atPath: place)
                #expect(names.count == 1)
                let name = try #require(names.first)
                if let expected { #expect(name == expected) }
                #expect(!name.hasPrefix("."))
                #expect(
                    name.unicodeScalars.allSatisfy {
                        $0.value >= 0x20 && $0.value != 0x7f && !$0.properties.isBidiControl
                    })
                #expect(outcome.errors.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x0a }, "\(outcome)")
                #expect(stage.names == ["a"] && !stage.exists("a/escape") && !stage.exists("a/b/escape"))
            }
        }

        /// A part that is longer than the range it claims to be.
        @Test func neverMixesAnOverlongRange() async throws {
            try await Stage.with { stage in
                let content = patternedBytes(300_000)
                let server = try stage.server { connection, number in
                    guard connection.readHead() != nil else { return }
                    switch number {
                    case 1:
                        connection.send("HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: 300000\r\n\r\n")
                        connection.send(Array(content[..<100_000]))
                    case 2:
                        connection.answer(
                            "206 Partial Content", ["ETag: \"v\"", "Content-Range: bytes 100000-299999/300000"],
                            body: Array(content[100_000...]) + Array(content[..<50_000]))
                    default: connection.answer("200 OK", ["ETag: \"v\""], body: content)
                    }
                }
                _ = try await stage.fileq("get", "-q", "--retry", "0", server.url())
                let second = try await stage.fileq("get", "-q", "--retry", "0", server.url())
                #expect(second.exit == 0, "\(second)")
                #expect(stage.bytes("file") == content)
                #expect(
                    server.requests.count == 3 && field("Range", of: server.requests[2]) == nil,
                    "the whole file is requested again")
            }
        }

        /// Bytes on standard output cannot be revoked; with a strong validator the same run continues after them.
        @Test func brokenConnectionsResume() async throws {
            try await Stage.with { stage in
                let content = patternedBytes(300_000)
                let server = try stage.server { connection, number in
                    guard let head = connection.readHead() else { return }
                    if number == 1 {
                        connection.send("HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: 300000\r\n\r\n")
                        return connection.send(Array(content[..<100_000]))
                    }
                    let from = field("Range", of: head).flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
                    connection.answer(
                        "206 Partial Content", ["ETag: \"v\"", "Content-Range: bytes \(from)-299999/300000"],
                        body: Array(content[from...]))
                }
                let outcome = try await stage.fileq("get", "-q", "-o", "-", server.url())
                #expect(outcome.exit == 0, "\(outcome.complaints)")
                #expect([UInt8](outcome.output) == content)
                #expect(stage.names == [])
            }
        }

        @Test func brokenConnectionsFailWithoutAValidator() async throws {
            try await Stage.with { stage in
                let server = try stage.server { connection, _ in
                    guard connection.readHead() != nil else { return }
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbeginning")
                }
                let outcome = try await stage.fileq("get", "-q", "-o", "-", server.url())
                #expect(outcome.exit == 18, "\(outcome)")
                #expect(outcome.text == "beginning")
                #expect(outcome.complaintLines.count == 1, "\(outcome)")
            }
        }

        @Test func twoRunsNeverWriteOneFile() async throws {
            try await Stage.with { stage in
                let server = try stage.server { connection, _ in
                    guard connection.readHead() != nil else { return }
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nETag: \"v\"\r\n\r\nbeginning")
                    connection.waitForClose()
                }
                let first = try stage.startFileq(["get", "-q", server.url()])
                #expect(await becomesTrue { Files.size(stage.path("file.fileq-part")) == 9 })
                expectComplaint(try await stage.fileq("get", "-q", server.url()), 23, "another process")
                #expect(Files.size(stage.path("file.fileq-part")) == 9)
                first.child.send(SIGINT)
                #expect(await first.end().exit == 130)
            }
        }

        @Test func theChecksumDecides() async throws {
            try await Stage.with { stage in
                let server = try stage.replying("200 OK", ["ETag: \"v\""], body: "hello\n")
                let right = "sha256:5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"
                let wrong = "sha256:" + String(repeating: "0", count: 64)
                expectComplaint(try await stage.fileq("get", "-q", "--checksum", wrong, server.url()), 32, "SHA-256")
                #expect(stage.names == [])
                let outcome = try await stage.fileq("get", "-q", "--checksum", right, server.url())
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(stage.text("file") == "hello\n")
                let asked = server.requests.count
                #expect(try await stage.fileq("get", "-q", "--checksum", right, server.url()).exit == 0)
                #expect(server.requests.count == asked, "existing bytes are not fetched")
            }
        }

        // MARK: No server, or a slow one

        @Test func aRefusedConnection() async throws {
            try await Stage.with { stage in
                let url = "http://127.0.0.1:\(try freePort())/file"
                expectComplaint(try await stage.fileq("get", "-q", "--retry", "0", url), 7, "127.0.0.1")
            }
        }

        @Test func aMissingName() async throws {
            try await Stage.with { stage in
                expectComplaint(
                    try await stage.fileq("get", "-q", "--retry", "0", "http://nonexistent.invalid/file"), 6,
                    "nonexistent.invalid")
            }
        }

        @Test(arguments: [
            (["--connect-timeout", "0.3"], "https", "connect timeout"),
            (["--request-timeout", "0.3"], "http", "request timeout"),
            (["--resource-timeout", "0.3"], "http", "resource timeout"),
        ])
        func errorsNameTheirTimeout(_ words: [String], _ scheme: String, _ says: String) async throws {
            try await Stage.with { stage in
                let server = try stage.server { connection, _ in connection.waitForClose() }
                let url = "\(scheme)://127.0.0.1:\(server.port)/file"
                expectComplaint(try await stage.fileq(["get", "-q", "--retry", "0", url] + words), 28, says)
            }
        }

        @Test func everyByteRestartsTheRequestTimeout() async throws {
            try await Stage.with { stage in
                let server = try stage.server { connection, _ in
                    guard connection.readHead() != nil else { return }
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
                    for _ in 0..<10 {
                        // A server that is slow; nothing waits for a moment that may not come.
                        guard !connection.closes(within: 100) else { return }
                        connection.send("x")
                    }
                }
                let outcome = try await stage.fileq(
                    "get", "-q", "--retry", "0", "--request-timeout", "0.8", server.url())
                #expect(outcome.exit == 0, "\(outcome)")
            }
        }
    }
}
