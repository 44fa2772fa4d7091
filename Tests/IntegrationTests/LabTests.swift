// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

extension Integration {
    /// The lab as a program, and this program before the lab.
    @Suite(.serialized) struct LabTests {
        /// Starts a part of the lab and waits for its first line.
        /// - Returns: the address in it.
        private func start(_ stage: Stage, _ words: String...) async throws -> (origin: String, process: Started) {
            let process = try stage.start(Binary.lab, words)
            let isReady = await becomesTrue {
                (FileManager.default.contents(atPath: process.output) ?? Data()).contains(0x0a)
                    || !process.child.isRunning
            }
            try #require(isReady && process.child.isRunning)
            let text = String(decoding: FileManager.default.contents(atPath: process.output) ?? Data(), as: UTF8.self)
            let words = text.split(separator: "\n")[0].split(separator: " ")
            #expect(words.prefix(2) == ["listening", "on"])
            return (String(words[2]), process)
        }

        @Test(arguments: [SIGINT, SIGTERM]) func endsTheServerOnRequest(_ signal: Int32) async throws {
            try await Stage.with { stage in
                let (origin, process) = try await start(stage, "serve", "--size", "1000")
                let outcome = try await stage.fileq("get", "-q", "-o", "file", "\(origin)/x")
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(stage.bytes("file")?.count == 1000)
                process.child.send(signal)
                let end = await process.end()
                #expect(end.exit == 0, "\(end)")
                #expect(end.complaints.contains("GET /x"))
            }
        }

        @Test func resumesATruncatedDownload() async throws {
            try await Stage.with { stage in
                let (origin, process) = try await start(stage, "serve", "--size", "500k")
                let outcome = try await stage.fileq(
                    "get", "-q", "-o", "file", "\(origin)/x?fault=reset&at=300k&times=1")
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(stage.bytes("file")?.count == 512_000)
                let lines = stage.text("file")?.split(separator: "\n") ?? []
                #expect(lines.count == 8000 && lines.last?.hasPrefix("line 000000008000,") == true)
                process.child.send(SIGTERM)
                _ = await process.end()
            }
        }

        /// The next run requests what the record lacks, over several connections again, and keeps the rest.
        @Test func resumesThePiecesOfAKilledDownload() async throws {
            try await Stage.with { stage in
                let (origin, process) = try await start(stage, "serve", "--size", "40M", "--rate", "1M")
                let first = try stage.startFileq(["get", "-q", "-o", "file", "\(origin)/x"])
                let pieces: @Sendable () -> Int = {
                    (stage.text("file.fileq-part.json") ?? "").matches(of: /\[\d+,\d+\]/).count
                }
                #expect(await becomesTrue { pieces() > 1 || !first.child.isRunning })
                first.child.send(SIGKILL)
                #expect(await first.end().exit == -SIGKILL)
                #expect(stage.names == ["file.fileq-part", "file.fileq-part.json"])
                let outcome = try await stage.fileq("get", "--json", "-o", "file", "\(origin)/x")
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(stage.names == ["file"])
                let events = try outcome.events()
                #expect(events.contains { $0.number("connections") ?? 1 > 1 })
                #expect(events.last?.metric("bodyReceived") ?? .max < 36 << 20)
                let found = try #require(stage.bytes("file"))
                #expect(found.count == 40 << 20)
                let isRight = (0..<(found.count / 64)).allSatisfy { line in
                    let digits = String(line + 1)
                    let number = String(repeating: "0", count: 12 - digits.count) + digits
                    return found[(64 * line)...].starts(with: "line \(number), version 0001".utf8)
                }
                #expect(isRight)
                process.child.send(SIGTERM)
                _ = await process.end()
            }
        }

        @Test func theConnectTimerLimitsABlackhole() async throws {
            try await Stage.with { stage in
                let (origin, process) = try await start(stage, "serve", "--blackhole")
                let outcome = try await stage.fileq(
                    "get", "--plain", "--retry", "0", "--connect-timeout", "0.3", "-o", "file", origin)
                #expect(outcome.exit == 28, "\(outcome)")
                #expect(outcome.complaints.contains("connect timeout"))
                process.child.send(SIGTERM)
                #expect(await process.end().exit == 0)
            }
        }

        @Test func aLinkLeadsToTheServer() async throws {
            try await Stage.with { stage in
                let (origin, server) = try await start(stage, "serve", "--size", "100k")
                let target = String(origin.dropFirst("http://".count))
                let (shaped, link) = try await start(stage, "link", "--profile", "lte", "--to", target)
                let outcome = try await stage.fileq("get", "-q", "-o", "file", "\(shaped)/x")
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(stage.bytes("file")?.count == 102_400)
                for process in [link, server] { process.child.send(SIGTERM) }
                let end = await link.end()
                #expect(end.exit == 0 && end.complaints.contains("shaped link lte"), "\(end)")
                // Reports that the server has ended.
                _ = await server.end()
                let (_, lonely) = try await start(stage, "link", "--profile", "lte", "--to", target)
                lonely.child.send(SIGTERM)
                #expect(await lonely.end().complaints.contains("\(target) cannot be reached now: Connection refused"))
                let (_, taken) = try await start(stage, "serve")
                let port = try #require(
                    String(decoding: FileManager.default.contents(atPath: taken.output) ?? Data(), as: UTF8.self)
                        .split(separator: ":").last?.dropLast())
                expectComplaint(
                    try await stage.start(
                        Binary.lab, ["link", "--profile", "lte", "--to", target, "--port", String(port)]
                    ).end(), 1,
                    "Address already in use")
                expectComplaint(
                    try await stage.start(Binary.lab, ["serve", "--port", String(port)]).end(), 1,
                    "Address already in use")
            }
        }

        @Test(arguments: [
            (["serve", "--fault", "nonsense"], "reset, close, truncate"),
            (["serve", "--wait-accept", "soon"], "--wait-accept"),
            (["serve", "--tls-cert", "x"], "--tls-key"), (["serve", "--port", "70000"], "--port"),
            (["serve", "--blackhole", "--listen", "::1"], "--blackhole"),
            (["link", "--profile", "5g", "--to", "127.0.0.1:1"], "3g, lte, edge, dsl"),
            (["link", "--profile", "3g"], "--to"),
            (["link", "--profile", "3g", "--to", "127.0.0.1"], "HOST:PORT"),
            (["link", "--profile", "3g", "--to", "127.0.0.1:1", "--down", "5x", "--every", "9s"], "--down"),
            (["link", "--profile", "3g", "--to", "127.0.0.1:1", "--down", "9s", "--every", "5s"], "--every"),
            (["table", "--scale", "0"], "--scale"),
        ])
        func reportsErrorsInOneLine(_ words: [String], _ says: String) async throws {
            try await Stage.with { stage in expectComplaint(try await stage.start(Binary.lab, words).end(), 2, says) }
        }

        @Test func fileqNamesTheProgramThatHasIt() async throws {
            try await Stage.with { stage in expectComplaint(try await stage.fileq("lab", "serve"), 2, "fileq-lab") }
        }

        private struct Line: Decodable {
            var setting: String
            var wait: String
            var method: String
            var agrees: Bool
            var name: String { "\(setting), \(wait), \(method)" }
        }

        /// Every timer with every delay. A machine under load may be late by more than is allowed: each line has five
        /// attempts, and each attempt twice the time of the one before.
        @Test func everyTimeoutMatchesItsName() async throws {
            try await Stage.with { stage in
                var differing: [Int: String]?
                for scale in ["0.6", "1.2", "2.4", "4.8", "9.6"] where differing != [:] {
                    let outcome = try await stage.start(Binary.lab, ["table", "--json", "--scale", scale]).end()
                    let all = try outcome.text.split(separator: "\n").map {
                        try JSONDecoder().decode(Line.self, from: Data($0.utf8))
                    }
                    try #require(all.count > 60)
                    #expect(outcome.exit == (all.allSatisfy(\.agrees) ? 0 : 1), "\(outcome)")
                    let late = all.enumerated().filter { !$0.element.agrees }.map { ($0.offset, $0.element.name) }
                    differing = Dictionary(uniqueKeysWithValues: late).filter {
                        differing?[$0.key] != nil || differing == nil
                    }
                }
                #expect(differing == [:])
            }
        }
    }
}
