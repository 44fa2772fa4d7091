// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Integration {
    /// One document for fileq and for aria2, whose first address has no file and whose second one has other bytes.
    @Suite(.serialized) struct MetalinkDocumentTests {
        private static let body = patternedBytes(3 << 20)

        private func document(_ stage: Stage, _ addresses: [String]) async throws -> String {
            try stage.write(Self.body, to: "source")
            let whole = try await stage.shell("sha256sum < source | cut -d ' ' -f 1")
            let parts = try await stage.shell(
                "split -b 262144 --filter='sha1sum | cut -d \" \" -f 1' source | sed 's|.*|<hash>&</hash>|'")
            try #require(whole.exit == 0 && parts.exit == 0, "\(whole) \(parts)")
            try FileManager.default.removeItem(atPath: stage.path("source"))
            let urls = addresses.enumerated().map { "<url priority=\"\($0.offset + 1)\">\($0.element)</url>" }
            return """
                <?xml version="1.0" encoding="UTF-8"?>
                <metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="結果.bin"><size>\(Self.body.count)</size>
                <hash type="sha-256">\(whole.text.trimmingCharacters(in: .newlines))</hash>
                <pieces length="262144" type="sha-1">
                \(parts.text)</pieces>
                \(urls.joined(separator: "\n"))
                </file></metalink>
                """
        }

        private func addresses(_ stage: Stage) throws -> [String] {
            let missing = try stage.replying("404 Not Found")
            let right = try stage.server { connection, _ in
                while let head = connection.readHead() { Self.answer(head, Self.body, on: connection) }
            }
            return [missing.url("/a"), right.url("/b")]
        }

        /// With ranges.
        private static func answer(_ head: String, _ body: [UInt8], on connection: ScriptedConnection) {
            var range = 0..<body.count
            var isPart = false
            if let match = head.firstMatch(of: /(?i)\r\nRange: bytes=(\d+)-(\d*)/), let start = Int(match.1) {
                range = start..<min(body.count, Int(match.2).map { $0 + 1 } ?? body.count)
                isPart = true
            }
            var fields = ["ETag: \"1\"", "Accept-Ranges: bytes"]
            if isPart {
                fields.append("Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)")
            }
            connection.answer(isPart ? "206 Partial Content" : "200 OK", fields, body: Array(body[range]))
        }

        @Test func aFileIsDownloadedFromWhereItIs() async throws {
            try await Stage.with { stage in
                let text = try await document(stage, addresses(stage))
                try stage.write(text, to: "list.meta4")
                let outcome = try await stage.fileq("get", "--plain", "list.meta4")
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(stage.bytes("結果.bin") == Self.body)
                #expect(outcome.complaints.contains("asking 127.0.0.1"))
                #expect(stage.names == ["list.meta4", "結果.bin"])
            }
        }

        @Test func theDocumentMayBeAnAddress() async throws {
            try await Stage.with { stage in
                let text = try await document(stage, addresses(stage))
                let server = try stage.replying(
                    "200 OK", ["Content-Type: application/metalink4+xml"], body: text)
                for words in [[server.url("/x.meta4")], ["--metalink", server.url("/x")], [server.url("/x")]] {
                    let outcome = try await stage.fileq(["get"] + words)
                    #expect(outcome.exit == 0, "\(outcome)")
                    #expect(stage.bytes("結果.bin") == Self.body)
                    try FileManager.default.removeItem(atPath: stage.path("結果.bin"))
                }
                // With such a name, the document itself is what is wanted.
                let outcome = try await stage.fileq("get", "-o", "kept.meta4", server.url("/x.meta4"))
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(stage.text("kept.meta4") == text)
                let plain = try await stage.fileq("get", "--no-metalink", server.url("/x"))
                #expect(plain.exit == 0, "\(plain)")
                #expect(stage.text("x") == text)
            }
        }

        /// It is received in memory, as far as the limit.
        @Test func aDocumentThatIsTooLargeIsRefused() async throws {
            try await Stage.with { stage in
                let body = [UInt8](repeating: UInt8(ascii: " "), count: 64 << 20)
                let server = try stage.server { connection, _ in
                    while let head = connection.readHead() { Self.answer(head, body, on: connection) }
                }
                let outcome = try await stage.fileq("get", "--metalink", server.url("/x"))
                #expect(outcome.exit == 2 && outcome.complaints.contains("is larger than 8 MiB"), "\(outcome)")
                #expect(stage.names == [])
            }
        }

        /// What was received of it cannot be continued: the server sends no ranges.
        @Test func aDocumentThatBreaksOffIsFetchedAgain() async throws {
            try await Stage.with { stage in
                let text = try await document(stage, addresses(stage))
                let (half, body) = (Array(text.utf8.prefix(text.utf8.count / 2)), Array(text.utf8))
                let server = try stage.server { connection, number in
                    guard connection.readHead() != nil else { return }
                    guard number == 1 else { return connection.answer("200 OK", body: body) }
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
                    connection.send(half)
                }
                let outcome = try await stage.fileq("get", "--metalink", server.url("/x"))
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(stage.bytes("結果.bin") == Self.body)
            }
        }

        @Test func aDryRunNamesTheMirrors() async throws {
            try await Stage.with { stage in
                let addresses = try addresses(stage)
                try stage.write(try await document(stage, addresses), to: "list.meta4")
                let outcome = try await stage.fileq("get", "--dry-run", "--json", "list.meta4")
                #expect(outcome.exit == 0, "\(outcome)")
                let object = try #require(
                    try JSONSerialization.jsonObject(with: Data(outcome.text.utf8)) as? [String: Any])
                #expect(object["url"] as? String == addresses[0])
                #expect(object["mirrors"] as? [String] == [addresses[1]])
            }
        }

        /// The queue keeps the mirrors: `info` shows them.
        @Test func infoShowsTheMirrors() async throws {
            try await Stage.withService { stage in
                let addresses = try addresses(stage)
                let added = try await stage.fileq(
                    "add", "get", "--paused", "--mirror", addresses[1], addresses[0])
                #expect(added.exit == 0, "\(added)")
                let info = try await stage.fileq("info", "--json", added.text.trimmingCharacters(in: .newlines))
                let object = try #require(
                    try JSONSerialization.jsonObject(with: Data(info.text.utf8)) as? [String: Any])
                #expect(object["mirrors"] as? [String] == [addresses[1]])
            }
        }

        @Test(.needs(.aria2)) func aria2ReadsTheSameDocument() async throws {
            try await Stage.with { stage in
                try stage.write(try await document(stage, addresses(stage)), to: "list.meta4")
                let aria2 = try ServerProgram.aria2.required()
                let outcome = try await stage.shell("'\(aria2)' --quiet --metalink-file=list.meta4 -d theirs")
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(stage.bytes("theirs/結果.bin") == Self.body)
            }
        }
    }
}
