// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

extension Soak {
    /// What anybody may write into the socket of the real service. Whatever comes, it answers others all the while.
    @Suite struct BadInputTests {
        @Test(.timeLimit(.minutes(5))) func oneGibibyteInOneMessage() async throws {
            try await answering { stage, socket in
                let pid = try #require(try await stage.servicePid())
                let raw = try RawSocket(socket)
                let taken = await offPool { raw.flood(1 << 30) }
                #expect(taken < 64 << 20, "\(taken) bytes were taken in")
                let said = await offPool { raw.readAll() }
                #expect(said.contains { $0.contains("-32003") }, "\(said)")
                #expect(stage.memory(of: pid) < 250 << 20, "\(stage.memory(of: pid)) bytes in use")
            }
        }

        @Test(.timeLimit(.minutes(5))) func halfMessages() async throws {
            try await answering { stage, socket in
                var held: [RawSocket] = []
                for count in [1, 9, 40] {
                    let raw = try RawSocket(socket)
                    raw.send(String(#"{"jsonrpc":"2.0","id":1,"method":"list","params":{}}"#.prefix(count)))
                    held.append(raw)
                }
                try await expectAnswers(stage)
                let cut = try RawSocket(socket)
                cut.hello()
                cut.send(#"{"jsonrpc":"2.0","id":1,"#)
                cut.finish()
                let said = await offPool { cut.readAll() }
                #expect(!said.contains { $0.contains(#""result""#) && $0.contains(#""transfers""#) }, "\(said)")
                withExtendedLifetime(held) {}
            }
        }

        @Test(
            .timeLimit(.minutes(5)),
            arguments: [
                ("this is no JSON", -32700), ("\u{0}\u{1}\u{2}", -32700), (#"{"jsonrpc":"2.0","id":2"#, -32700),
                ("[]", -32600), ("17", -32600),
                (#"{"jsonrpc":"1.0","id":2,"method":"list"}"#, -32600),
                (#"{"jsonrpc":"2.0","id":2,"method":"fetch"}"#, -32601),
                (#"{"jsonrpc":"2.0","id":2,"method":"info","params":{"id":"one"}}"#, -32602),
                (#"{"jsonrpc":"2.0","id":2,"method":"info","params":{"id":987654}}"#, -32000),
                (#"{"jsonrpc":"2.0","id":2,"method":"perform","params":{"command":"pause","ids":[987654]}}"#, -32000),
                (#"{"jsonrpc":"2.0","id":2,"method":"perform","params":{"command":"cancel","ids":[-1]}}"#, -32000),
                (#"{"jsonrpc":"2.0","id":2,"method":"info","params":{"id":99999999999999999999999}}"#, -32602),
            ]) func wrongRequests(_ request: String, _ code: Int) async throws
        {
            try await answering { _, socket in
                let raw = try RawSocket(socket)
                raw.hello()
                raw.send("\(request)\n")
                raw.send(#"{"jsonrpc":"2.0","id":"after","method":"limits.get"}"# + "\n")
                raw.finish()
                let said = await offPool { raw.readAll() }
                #expect(said.contains { $0.contains(#""code":\#(code)"#) }, "\(said)")
                #expect(said.contains { $0.contains(#""id":"after","result""#) }, "the connection continues: \(said)")
            }
        }

        /// Deep nesting must not end the process that reads it.
        @Test(.timeLimit(.minutes(5))) func nestedBeyondReason() async throws {
            try await answering { _, socket in
                let raw = try RawSocket(socket)
                raw.hello()
                raw.send(
                    #"{"jsonrpc":"2.0","id":2,"method":"list","params":"# + String(repeating: "[", count: 1_000_000)
                        + "\n")
                raw.finish()
                let said = await offPool { raw.readAll() }
                #expect(said.contains { $0.contains(#""error""#) }, "\(said)")
            }
        }

        /// A subscriber that never reads affects no other client.
        @Test(.timeLimit(.minutes(5))) func aReaderThatNeverReads() async throws {
            try await answering { stage, socket in
                let pid = try #require(try await stage.servicePid())
                let raw = try RawSocket(socket, receiveBuffer: 4096)
                raw.hello()
                for number in 1...20 {
                    raw.send(
                        #"{"jsonrpc":"2.0","id":\#(number),"method":"subscribe","params":{"subscription":\#(number)}}"#
                            + "\n")
                }
                let list = stage.folder.file("list")
                for round in 0..<2 {
                    let urls = (0..<1000).map { stage.lab.url("\(round)-\($0)", "size=64") }
                    try Data((urls.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: list))
                    try await stage.done(["add", "get", "--paused", "-d", stage.here, "-i", list])
                    try await expectAnswers(stage)
                }
                #expect(try await stage.list().count == 2000)
                #expect(stage.memory(of: pid) < 250 << 20, "\(stage.memory(of: pid)) bytes in use")
                // And asks without listening to the answers.
                let ask = #"{"jsonrpc":"2.0","id":1,"method":"snapshot"}"# + "\n"
                let writer = try RawSocket(socket, receiveBuffer: 4096)
                writer.hello()
                _ = await offPool {
                    writer.flood(32 << 20, with: Array(String(repeating: ask, count: 1000).utf8), seconds: 2)
                }
                try await expectAnswers(stage)
                #expect(stage.memory(of: pid) < 400 << 20, "\(stage.memory(of: pid)) bytes in use")
                withExtendedLifetime((raw, writer)) {}
            }
        }

        /// Excess connections are refused with an error, and closed ones make room.
        @Test(.timeLimit(.minutes(5))) func tooManyConnections() async throws {
            try await answering { stage, socket in
                var held: [RawSocket] = []
                for _ in 0..<600 { if let raw = try? RawSocket(socket) { held.append(raw) } }
                held.removeAll()
                try await expectAnswers(stage)
            }
        }

        // MARK: Parts

        /// Runs a test against a service that answers before, and answers in the same process afterwards.
        private func answering(_ body: (SoakStage, String) async throws -> Void) async throws {
            try await SoakStage.with { stage in
                try await stage.revive()
                let pid = try #require(try await stage.servicePid())
                try await body(stage, stage.socketPath())
                try await expectAnswers(stage)
                #expect(try await stage.servicePid() == pid, "the service has ended\n\(stage.logTail)")
            }
        }

        private func expectAnswers(_ stage: SoakStage) async throws {
            let said = try await stage.fileq("list", "--json")
            #expect(said.exit == 0, "\(said)")
        }
    }
}
