// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

extension Integration {
    /// Downloads that are interrupted and resume.
    @Suite(.serialized) struct InterruptionTests {
        struct Way: Sendable, CustomStringConvertible {
            let kind: ServerKind
            let signal: Int32
            let exit: Int32
            var description: String { "\(kind), signal \(signal)" }
        }

        static let ways = ServerKind.present.flatMap { kind in
            [(SIGINT, 130), (SIGTERM, 143), (SIGKILL, -SIGKILL)].map { Way(kind: kind, signal: $0, exit: Int32($1)) }
        }

        /// The second run asks for the rest alone, and asks for no byte again that was on disk before.
        @Test(arguments: ways) func theNextRunRequestsOnlyTheRest(_ way: Way) async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(way.kind)
                try Files.fill(server.file("big.bin"))
                let (part, record) = (stage.path("big.bin.fileq-part"), stage.path("big.bin.fileq-part.json"))

                let first = try stage.startFileq(["get", "--limit", "8M", server.url("big.bin")])
                #expect(await becomesTrue { Files.size(part) > 3 << 20 && Files.exists(record) })
                let before = Files.size(part)
                first.child.send(way.signal)
                let stopped = await first.end()
                #expect(stopped.exit == way.exit, "\(stopped)")
                let kept = Files.size(part)
                #expect(kept >= before && kept < Files.large)
                #expect(stage.names == ["big.bin.fileq-part", "big.bin.fileq-part.json"])
                // The record is the owner's alone; the part is as open as the file that it will become, and no more.
                #expect(Files.mode(record) == 0o600)
                let partMode = Files.mode(part)

                let second = try await stage.fileq("get", "--json", server.url("big.bin"))
                #expect(second.exit == 0, "\(second)")
                #expect(stage.names == ["big.bin"])
                #expect(Files.mode(stage.path("big.bin")) == partMode)
                #expect(Files.same(stage.path("big.bin"), server.file("big.bin")))

                let last = try #require(try second.events().last)
                #expect(last.metric("resumedFrom") == kept)
                #expect(last.metric("bodyReceived") == Files.large - kept)
                if way.kind == .nginx {
                    let expected = "range=\"bytes=\(kept)-\" sent=\(Files.large - kept) "
                    #expect(await becomesTrue { server.lines.last?.contains(expected) == true }, "\(server.lines)")
                    #expect(server.lines.last?.contains(" 206 ") == true)
                }
            }
        }

        @Test func aSecondInterruptExitsImmediately() async throws {
            try await Stage.with { stage in
                // The server stops in the middle; whatever an orderly end waits for, the second signal does not.
                let server = try stage.server { connection, _ in
                    guard connection.readHead() != nil else { return }
                    connection.send(
                        "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\nETag: \"a\"\r\n\r\n"
                            + String(repeating: "x", count: 70_000))
                    connection.waitForClose()
                }
                let run = try stage.startFileq(["get", server.url()])
                #expect(await becomesTrue { Files.size(stage.path("file.fileq-part")) == 70_000 })
                run.child.send(SIGINT)
                run.child.send(SIGTERM)
                let ended = await run.end(within: 20)
                #expect([130, 143].contains(ended.exit), "\(ended)")
                #expect(!ended.errors.contains(0x1b), "\(ended)")
                #expect(!stage.exists("file"))
                #expect(Files.size(stage.path("file.fileq-part")) == 70_000)
            }
        }

        @Test func reportsBytesThatCannotBeResumed() async throws {
            try await Stage.with { stage in
                let server = try stage.server { connection, number in
                    guard connection.readHead() != nil else { return }
                    connection.send(
                        "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + String(repeating: "x", count: 70_000))
                    if number > 1 {
                        connection.send(String(repeating: "y", count: 30_000))
                    } else {
                        connection.waitForClose()
                    }
                }
                let run = try stage.startFileq(["get", "--plain", server.url()])
                let errors = run.errors
                @Sendable func said() -> String {
                    String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self)
                }
                #expect(await becomesTrue { said().contains("note file: this server does not allow resuming") })
                run.child.send(SIGINT)
                #expect(await run.end(within: 60).exit == 130)
                #expect(
                    said().contains("70000 bytes are in file.fileq-part; this server does not allow resuming them"),
                    "\(said())")
                #expect(Files.size(stage.path("file.fileq-part")) == 70_000)
                let second = try await stage.fileq("get", "--json", server.url())
                #expect(second.exit == 0, "\(second)")
                #expect(String(decoding: second.output, as: UTF8.self).contains("\"event\":\"restarted\""), "\(second)")
                #expect(stage.names == ["file"])
            }
        }

        @Test func interruptedUploadsHaveTheSameCodes() async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(.fileq)
                try Files.fill(stage.path("big.bin"), 64 << 20)
                for (signal, exit) in [(SIGINT, Int32(130)), (SIGTERM, 143)] {
                    let run = try stage.startFileq([
                        "put", "--plain", "--limit", "1M", "big.bin", server.url("big.bin"),
                    ])
                    #expect(
                        await becomesTrue {
                            String(decoding: FileManager.default.contents(atPath: run.errors) ?? Data(), as: UTF8.self)
                                .contains("started")
                        })
                    run.child.send(signal)
                    #expect(await run.end(within: 10).exit == exit)
                    #expect(!Files.exists(server.file("big.bin")))
                }
            }
        }

        @Test func doesNotResumeAnotherVersion() async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(.fileq)
                try Files.fill(server.file("big.bin"), 20 << 20)
                let first = try stage.startFileq(["get", "--limit", "4M", server.url("big.bin")])
                let (part, record) = (stage.path("big.bin.fileq-part"), stage.path("big.bin.fileq-part.json"))
                #expect(await becomesTrue { Files.size(part) > 1 << 20 && Files.exists(record) })
                first.child.send(SIGINT)
                #expect(await first.end().exit == 130)

                try Files.fill(server.file("big.bin"), 21 << 20, seed: 2)
                let second = try await stage.fileq("get", server.url("big.bin"))
                #expect(second.exit == 0, "\(second)")
                #expect(Files.same(stage.path("big.bin"), server.file("big.bin")))
                #expect(stage.names == ["big.bin"])
            }
        }
    }
}
