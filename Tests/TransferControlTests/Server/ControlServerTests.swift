// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

@Suite struct ControlServerTests {
    @Test func greetsFirst() async throws {
        try await onStage { stage in
            let peer = try RawPeer(stage.path)
            let greeting = try #require(await peer.line().flatMap { JSONValue($0) })
            #expect(greeting["method"] == .text("hello"))
            #expect(greeting["params"]?["protocol"] == .number(1))
            #expect(greeting["params"]?["pid"] == .number(Double(getpid())))
        }
    }

    @Test func requiresACompatibleHello() async throws {
        try await onStage { stage in
            let peer = try RawPeer(stage.path)
            _ = await peer.line()
            #expect(await peer.ask("list")?["error"]?["code"] == .number(-32002))
            let answer = await peer.ask("hello", #"{"protocol":2,"version":"9.0"}"#)
            #expect(answer?["error"]?["code"] == .number(-32001))
            #expect(answer?["error"]?["message"]?.text?.contains("version 2") == true)
            #expect(await peer.ask("list")?["error"]?["code"] == .number(-32002))
            #expect(await peer.ask("hello", #"{"protocol":1,"version":"9.0","later":true}"#)?["result"] != nil)
            #expect(await peer.ask("list")?["result"] != nil)
        }
    }

    @Test func isAttendedAsLongAsAClientSaysSo() async throws {
        try await onStage { stage in
            let (first, second) = (try await stage.client(), try await stage.client())
            let server = try #require(stage.server)
            #expect(!server.isAttended)
            try await first.attend(true)
            try await second.attend(true)
            try await first.attend(false)
            #expect(server.isAttended)
            second.close()
            #expect(await eventually { !server.isAttended })
        }
    }

    @Test func repliesToInvalidRequests() async throws {
        try await onStage { stage in
            let peer = try await stage.peer()
            for (line, code) in [
                ("garbage", -32700.0), ("{}", -32600), (#"{"jsonrpc":"2.0","id":1,"method":"x"}"#, -32601),
            ] {
                await peer.send(line + "\r\n\n")
                #expect(await peer.errorCode() == code)
            }
            await peer.send([0xff, 0xfe, 0x00, 0x0a])
            #expect(await peer.errorCode() == -32700)
            #expect(
                await peer.ask("perform", #"{"command":"pause","ids":[77]}"#)?["error"]?["data"]
                    == .object([
                        "code": .number(2), "name": .text("usage"), "message": .text("no transfer has the id 77"),
                        "variant": .text("unknownTransfer"), "transfer": .number(77),
                    ]))
            #expect(await peer.ask("history", #"{"limit":0}"#)?["error"]?["code"] == .number(-32000))
            #expect(
                await peer.ask("timetable.set", #"{"entries":[{"days":["mon"],"from":1440,"to":0}]}"#)?["error"] != nil)
            #expect(await peer.ask("snapshot")?["result"] != nil)
        }
    }

    /// Any bytes: the server answers with errors or closes, and serves the next client.
    @Test func survivesGarbage() async throws {
        try await onStage { stage in
            var random = SeededRandom(seed: 42)
            let pieces = [
                RawPeer.hello, #"{"jsonrpc":"2.0","id":1,"method":"subscribe"}"#,
                #"{"jsonrpc":"2.0","id":2,"method":"add","params":"#, "\n",
                "[[[[", "\\u0000", "\"", "}", "{\"id\":", "\r\n", "9999999999999999999999", "\u{202e}",
            ].map { Array($0.utf8) }
            for _ in 0..<60 {
                let peer = try RawPeer(stage.path)
                var bytes: [UInt8] = []
                for _ in 0..<40 {
                    if Bool.random(using: &random) {
                        bytes += pieces.randomElement(using: &random) ?? []
                    } else {
                        bytes.append(UInt8.random(in: .min ... .max, using: &random))
                    }
                }
                await peer.send(bytes + [0x0a])
                peer.endInput()
                var lines = 0
                while let line = await peer.line() {
                    #expect(JSONValue(line) != nil)
                    lines += 1
                }
                #expect(lines >= 1)
            }
            let peer = try await stage.peer()
            #expect(await peer.ask("list")?["result"] != nil)
        }
    }

    @Test func incompleteMessagesWait() async throws {
        try await onStage { stage in
            let peer = try await stage.peer()
            await peer.send(#"{"jsonrpc":"2.0","id":9,"#)
            let other = try await stage.peer()
            #expect(await other.ask("list")?["result"] != nil)
            await peer.send(#""method":"limits.get"}"# + "\n")
            #expect(await peer.line().flatMap { JSONValue($0) }?["id"] == .number(9))
        }
    }

    @Test func dropsAnIncompleteLastMessage() async throws {
        try await onStage { stage in
            let peer = try await stage.peer()
            await peer.send(#"{"jsonrpc":"2.0","id":9,"method":"clear"}"#)
            peer.endInput()
            #expect(await peer.line() == nil)
            #expect(try await stage.testQueue.snapshot().transfers.count == 2)
        }
    }

    @Test func tooLongMessagesEndTheConnection() async throws {
        try await onStage(change: { $0.maximumMessage = 1000 }) { stage in
            let peer = try await stage.peer()
            let fitting = #"{"jsonrpc":"2.0","id":1,"method":"list"}"#
            await peer.send(fitting + String(repeating: " ", count: 1000 - fitting.utf8.count) + "\n")
            #expect(await peer.line().flatMap { JSONValue($0) }?["result"] != nil)
            await peer.send(fitting + String(repeating: " ", count: 1001 - fitting.utf8.count) + "\n")
            #expect(await peer.errorCode() == -32003)
            #expect(await peer.line() == nil)
            #expect(await eventually { stage.server?.connectionCount == 0 })
        }
    }

    /// A stream without an end is cut off long before a gigabyte, and costs no more than the bound.
    @Test func doesNotBufferAGigabyte() async throws {
        try await onStage { stage in
            let peer = try await stage.peer()
            let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
            var taken = 0
            while taken < 1024, await peer.send(piece) { taken += 1 }
            #expect(taken < 16)
            #expect(await peer.errorCode() == -32003)
        }
    }

    @Test func repliesInOrder() async throws {
        try await onStage { stage in
            let peer = try await stage.peer()
            let requests = (0..<500).map {
                #"{"jsonrpc":"2.0","id":\#($0),"method":"\#($0 % 2 == 0 ? "snapshot" : "limits.get")"}"#
            }
            await peer.send(requests.joined(separator: "\n") + "\n")
            for id in 0..<500 { #expect(await peer.line().flatMap { JSONValue($0) }?["id"] == .number(Double(id))) }
        }
    }

    @Test func repliesAfterEndOfInput() async throws {
        try await onStage { stage in
            let peer = try RawPeer(stage.path)
            await peer.send(RawPeer.hello + "\n" + #"{"jsonrpc":"2.0","id":1,"method":"list"}"# + "\n")
            peer.endInput()
            _ = await peer.line()
            _ = await peer.line()
            #expect(await peer.line().flatMap { JSONValue($0) }?["result"] != nil)
            #expect(await peer.line() == nil)
        }
    }

    @Test func executesNotificationsWithoutReply() async throws {
        try await onStage { stage in
            let peer = try await stage.peer()
            await peer.send(#"{"jsonrpc":"2.0","method":"perform","params":{"command":"pause","ids":[1]}}"# + "\n")
            #expect(await peer.ask("limits.get", id: 3)?["id"] == .number(3))
            #expect(stage.testQueue.performed.map(\.command) == [.pause])
        }
    }

    @Test func refusesExcessConnections() async throws {
        try await onStage(change: { $0.maximumConnections = 2 }) { stage in
            let peers = [try await stage.peer(), try await stage.peer()]
            let third = try RawPeer(stage.path)
            _ = await third.line()
            await third.send(RawPeer.hello + "\n")
            #expect(await third.errorCode() == -32004)
            #expect(await third.line() == nil)
            #expect(await peers[0].ask("list")?["result"] != nil)
        }
    }

    @Test func reservesAConnection() async throws {
        try await onStage(change: { ($0.maximumConnections, $0.helloTimeout) = (2, 60) }) { stage in
            let idle = [try RawPeer(stage.path), try RawPeer(stage.path)]
            #expect(await eventually { stage.server?.connectionCount == 2 })
            let client = try await stage.client { $0.usesReservedConnection = true }
            #expect(try await client.status().clients == 3)
            let fourth = try RawPeer(stage.path)
            #expect(await fourth.errorCode() == -32004)
            try await client.shutDownService()
            #expect(await eventually { stage.shutDowns.count == 1 })
            client.close()
            #expect(await eventually { stage.server?.connectionCount == 2 })
            let next = try await stage.client { $0.usesReservedConnection = true }
            next.close()
            withExtendedLifetime(idle) {}
        }
    }

    @Test func disconnectsWithoutHello() async throws {
        try await onStage(change: { ($0.maximumConnections, $0.helloTimeout) = (2, 3) }) { stage in
            let greeted = try await stage.peer()
            for _ in 0..<3 {
                let idle = try RawPeer(stage.path)
                _ = await idle.line()
                #expect(await idle.errorCode() == -32002)
                #expect(await idle.line() == nil)
            }
            #expect(await greeted.ask("list")?["result"] != nil)
        }
    }

    @Test func reservedConnectionsTimeOut() async throws {
        try await onStage(change: { ($0.maximumConnections, $0.helloTimeout) = (0, 0.05) }) { stage in
            for _ in 0..<2 {
                let peer = try RawPeer(stage.path)
                _ = await peer.line()
                await peer.send(
                    #"{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1,"version":"1","reserved":true}}"#
                        + "\n")
                while await peer.line() != nil {}
                #expect(await eventually { stage.server?.connectionCount == 0 })
            }
        }
    }

    /// Bursts that pause the reading again and again: the end of the input is always seen.
    @Test func readingResumesAfterEveryBurst() async throws {
        // A busy machine may take long to read a hello.
        try await onStage(change: { $0.helloTimeout = 600 }) { stage in
            await withTaskGroup(of: Bool.self) { group in
                for worker in 0..<8 {
                    group.addTask {
                        for round in 0..<20 {
                            guard let peer = try? RawPeer(stage.path) else { return false }
                            let count = 31 + (worker * 7 + round) % 70
                            let burst = (0..<count).map {
                                #"{"jsonrpc":"2.0","id":\#($0),"method":"limits.get"}"# + "\n"
                            }.joined()
                            await peer.send(RawPeer.hello + "\n" + burst)
                            peer.endInput()
                            var lines = 0
                            while await peer.line() != nil { lines += 1 }
                            guard lines == count + 2 else { return false }
                        }
                        return true
                    }
                }
                for await isWhole in group { #expect(isWhole) }
            }
            #expect(await eventually { stage.server?.connectionCount == 0 })
        }
    }

    // MARK: A socket that went away

    private func restore(_ stage: Stage) async -> Result<String, TransferError>? {
        await withCheckedContinuation { done in stage.server?.restoreSocket { done.resume(returning: $0) } }
    }

    @Test func recreatesSocketAndFolder() async throws {
        try await onStage { stage in
            let first = try await stage.client()
            #expect(await restore(stage) == nil)
            for _ in 0..<3 {
                try FileManager.default.removeItem(atPath: stage.folder.file("run"))
                await #expect(throws: TransferError.self) { try await stage.client() }
                #expect(await restore(stage) == .success(stage.path))
                let second = try await stage.client()
                #expect(try await second.status().socket == stage.path)
                second.close()
            }
            #expect(try await first.limits() == QueueLimits())
            first.close()
        }
    }

    @Test func recreatesTheSocketLater() async throws {
        try await onStage { stage in
            try FileManager.default.removeItem(atPath: stage.folder.file("run"))
            _ = try stage.folder.write([], to: "run")
            guard case .failure = await restore(stage) else { return #expect(Bool(false)) }
            guard case .failure = await restore(stage) else { return #expect(Bool(false)) }
            #expect(unlink(stage.folder.file("run")) == 0)
            #expect(await restore(stage) == .success(stage.path))
            try await stage.client().close()
        }
    }

    @Test func shutsDownWithoutItsSocket() async throws {
        try await onStage { stage in
            try FileManager.default.removeItem(atPath: stage.folder.file("run"))
            _ = try stage.folder.write([], to: "run")
            guard case .failure = await restore(stage) else { return #expect(Bool(false)) }
        }
    }

    @Test(.enabled(if: geteuid() == 0)) func refusesAnotherUser() async throws {
        try await onStage { stage in
            // The kernel would keep that user out by the modes; they are opened so that the server has to.
            chmod(stage.folder.file("run"), 0o755)
            chmod(stage.path, 0o666)
            let script =
                "$SIG{PIPE}='IGNORE'; socket(S,PF_UNIX,SOCK_STREAM,0); connect(S,pack_sockaddr_un($ARGV[0])) or die; "
                + "syswrite(S,$ARGV[1]); while(sysread(S,$b,9999)){print $b}"
            let output = try await Command.output([
                "/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/perl", "-MSocket",
                "-e", script,
                stage.path, RawPeer.hello + "\n" + #"{"jsonrpc":"2.0","id":1,"method":"list"}"# + "\n",
            ])
            let lines = output.split(separator: "\n")
            #expect(lines.count == 1)
            #expect(lines.first.flatMap { JSONValue(String($0)) }?["error"]?["code"] == .number(-32004))
            #expect(stage.server?.connectionCount == 0)
        }
    }

    @Test func servesAHundredClients() async throws {
        try await onStage { stage in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        let client = try await stage.client()
                        for _ in 0..<10 { _ = try await client.snapshot() }
                        return try await client.transfers(matching: QueueFilter()).count
                    }
                }
                for try await count in group { #expect(count == 2) }
            }
            #expect(await eventually { stage.server?.connectionCount == 0 })
        }
    }

    @Test func shutdownRemovesThePath() async throws {
        let stage = try Stage()
        let client = try await stage.client()
        let path = stage.path
        await stage.end()
        #expect(!stage.folder.exists("run/fileq.socket"))
        #expect(await client.waitUntilClosed().code == .receiveFailed)
        // At once, without a socket or a lock in the way.
        let next = try ListeningSocket(path: path)
        next.end()
    }

    @Test func unstartedServersReleaseThePath() async throws {
        let folder = try TemporaryFolder()
        let stage = try Stage()
        do { _ = try ControlServer(path: folder.file("s"), handler: stage, options: .init(version: "1")) }
        #expect(await eventually { !folder.exists("s") })
        await stage.end()
    }

    @Test func servesAnInheritedSocket() async throws {
        let folder = try TemporaryFolder()
        let descriptor = try UnixSocket.make()
        #expect(try UnixSocket.withAddress(folder.file("s")) { bind(descriptor, $0, $1) } == 0)
        #expect(listen(descriptor, 8) == 0)
        let stage = try Stage()
        let server = try ControlServer(
            place: .inherited(descriptor: descriptor), handler: stage, options: .init(version: "1"))
        server.start()
        let client = try await ControlClient.connect(path: folder.file("s"), options: .init(version: "1"))
        #expect(try await client.status().socket == nil)
        await server.shutDown()
        #expect(folder.exists("s"))
        await stage.end()
    }

    @Test func repliesBeforeShuttingDown() async throws {
        try await onStage { stage in
            let client = try await stage.client()
            try await client.shutDownService()
            #expect(await eventually { stage.shutDowns.count == 1 })
        }
    }
}
