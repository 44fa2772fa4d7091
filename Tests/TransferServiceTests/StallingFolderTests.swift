// SPDX-License-Identifier: MIT

import CurlTransport
import Dispatch
import Glibc
import Synchronization
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// A folder that stops responding in the middle of a transfer holds it until it responds again, and no others.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: StallingFileSystem.isPossible, "only root may mount a file system that stalls"))
struct StallingFolderTests {
    private let bytes = patternedBytes(6_000_000)
    private let received = Received()

    private final class Received: Sendable {
        private let bodies = Mutex<[String: [UInt8]]>([:])
        func note(_ body: [UInt8], at path: String) { bodies.withLock { $0[path] = body } }
        subscript(path: String) -> [UInt8]? { bodies.withLock { $0[path] } }
    }

    /// - Parameter gate: passed before a response to `/gated`.
    private func server(_ gate: DispatchSemaphore = .init(value: 1)) throws -> ScriptedServer {
        try ScriptedServer { [bytes, received] connection, _ in
            while let head = connection.readHead() {
                let path = String(head.split(separator: " ")[1])
                func passGate() {
                    guard path == "/gated" else { return }
                    gate.wait()
                    gate.signal()
                }
                guard head.hasPrefix("PUT") else {
                    passGate()
                    connection.answer(bytes, to: head, tag: "\"1\"")
                    continue
                }
                if head.contains("100-continue") { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
                let body = connection.readBody(bytes.count)
                received.note(body, at: path)
                passGate()
                if body.count == bytes.count { connection.answer("201 Created") } else { return }
            }
        }
    }

    private func put(_ path: String, to url: String) throws -> Spec {
        Spec(url: try TransferURL(url), operation: .upload(Upload(source: .file(path: path), form: .put)))
    }

    private func download(_ url: String, to path: String) throws -> Spec {
        var spec = Spec(url: try TransferURL(url), operation: .download(Download(destination: .file(path: path))))
        // On a busy machine, a slow one gets another connection, and the server a request that no test here means.
        spec.options.connections = 1
        return spec
    }

    /// While the first transfer is held: others complete, commands reply, and it is retried with the folder's error.
    private func holds(
        _ id: TransferID, _ stage: QueueStage, _ server: ScriptedServer, _ stalling: StallingFileSystem
    ) async throws {
        #expect(await eventually { stalling.isStalled })
        let source = try stage.folder.write(bytes, to: "source")
        let healthy = try await stage.queue.add(
            [download(server.url(), to: stage.folder.file("healthy")), put(source, to: server.url("/healthy"))],
            paused: false)
        #expect(try await stage.queue.info(id).transfer.id == id)
        #expect(try await stage.queue.snapshot().transfers.count == 3)
        try await stage.wait { known in healthy.allSatisfy { known[$0]?.state == .completed } }
        #expect(try stage.folder.read("healthy") == bytes)
        #expect(received["/healthy"] == bytes)
        try await stage.wait { $0[id]?.state == .retrying && $0[id]?.error?.code == .folderNotResponding }
        try await stage.queue.perform(.pause, on: [id])
        #expect(try await stage.queue.info(id).transfer.state == .paused)
        try await stage.queue.perform(.resume, on: [id])
        #expect(stalling.isStalled)
        stalling.respond()
        try await stage.wait { $0[id]?.state.isEnded == true }
        let end = try await stage.queue.info(id).transfer
        #expect(end.state == .completed, "\(end.error?.message ?? "")")
    }

    /// Some file systems report a full quota only by close(2).
    @Test(arguments: [true, false]) func aFileThatClosingRefusesGetsNoName(_ syncs: Bool) async throws {
        let (full, stage, server) = (try StallingFileSystem(closingError: EDQUOT), try QueueStage(), try server())
        var spec = try download(server.url(), to: full.file("a"))
        if case .download(var download) = spec.operation {
            download.syncs = syncs
            spec.operation = .download(download)
        }
        let id = try await stage.queue.add([spec], paused: false)[0]
        try await stage.wait { $0[id]?.error?.systemErrno == EDQUOT }
        #expect(try await stage.queue.info(id).transfer.state != .completed)
        #expect(!full.names.contains("a"))
        await stage.queue.shutDown()
    }

    @Test func aDownloadIsHeldWithinItsBody() async throws {
        let (stalling, stage, server) = (try StallingFileSystem(), try QueueStage(), try server())
        stalling.stall(at: .write, from: 2_000_000)
        let ids = try await stage.queue.add([download(server.url(), to: stalling.file("a"))], paused: false)
        try await holds(ids[0], stage, server, stalling)
        #expect(stalling.bytes(of: "a") == bytes)
        #expect(stalling.names == ["a"])
        #expect(server.requests.contains { $0.contains("Range: bytes=") }, "what had been written was kept")
        await stage.queue.shutDown()
    }

    @Test func aDownloadIsHeldAtItsHead() async throws {
        let gate = DispatchSemaphore(value: 0)
        let (stalling, stage, server) = (try StallingFileSystem(), try QueueStage(), try server(gate))
        let ids = try await stage.queue.add([download(server.url("/gated"), to: stalling.file("a"))], paused: false)
        #expect(await eventually { !server.requests.isEmpty })
        stalling.stall()
        gate.signal()
        try await holds(ids[0], stage, server, stalling)
        #expect(stalling.bytes(of: "a") == bytes)
        await stage.queue.shutDown()
    }

    /// What fails is the folder then, of one of several addresses; the server must be left alone nevertheless.
    @Test func aServersRetryAfterIsKeptWhileTheFolderStalls() async throws {
        let gates = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
        let (stalling, stage) = (try StallingFileSystem(), try QueueStage())
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                let isOther = head.contains("/other")
                gates[isOther ? 1 : 0].wait()
                gates[isOther ? 1 : 0].signal()
                connection.answer(isOther ? "200 OK" : "503 Service Unavailable", ["Retry-After: 3600"])
            }
        }
        var download = Download(destination: .file(path: stalling.file("a")))
        download.mirrors = [FileMirror(url: try TransferURL(server.url("/mirror")))]
        let spec = Spec(url: try TransferURL(server.url("/a")), operation: .download(download))
        let other = try self.download(server.url("/other"), to: stalling.file("b"))
        let ids = try await stage.queue.add([spec, other], paused: false)
        let id = ids[0]
        #expect(await eventually { server.requests.count == 2 })
        stalling.stall()
        gates[1].signal()
        try await stage.wait { $0[ids[1]]?.error?.code == .folderNotResponding }
        gates[0].signal()
        try await stage.wait { $0[id]?.state == .retrying }
        let status = try await stage.queue.info(id).transfer.status
        if case .retrying(let time, _) = status {
            #expect(time > Double(Glibc.time(nil)) + 3000)
        } else {
            Issue.record("\(status)")
        }
        #expect(!server.requests.contains { $0.contains("/mirror") })
        stalling.respond()
        await stage.queue.shutDown()
    }

    @Test(arguments: [0, 2_000_000] as [Int64]) func anUploadIsHeldWithinItsSource(_ offset: Int64) async throws {
        let (stalling, stage, server) = (try StallingFileSystem(), try QueueStage(), try server())
        stalling.put(bytes, at: "source")
        stalling.stall(at: .read, from: offset)
        let ids = try await stage.queue.add([put(stalling.file("source"), to: server.url("/up"))], paused: false)
        try await holds(ids[0], stage, server, stalling)
        #expect(received["/up"] == bytes)
        await stage.queue.shutDown()
    }

    /// The server has it: that its folder does not respond afterwards is no reason to send it again.
    @Test(arguments: [false, true]) func anAcceptedUploadCompletesWhateverItsFolderDoes(_ pauses: Bool) async throws {
        let gate = DispatchSemaphore(value: 0)
        let (stalling, stage, server) = (try StallingFileSystem(), try QueueStage(), try server(gate))
        stalling.put(bytes, at: "source")
        let id = try await stage.queue.add([put(stalling.file("source"), to: server.url("/gated"))], paused: false)[0]
        #expect(await eventually { received["/gated"] == bytes })
        stalling.stall()
        gate.signal()
        if pauses {
            #expect(await eventually { stalling.isStalled })
            try await stage.queue.perform(.pause, on: [id])
            try await stage.queue.perform(.resume, on: [id])
        }
        try await stage.wait { $0[id]?.state.isEnded == true }
        let end = try await stage.queue.info(id).transfer
        #expect(end.state == .completed && end.attempt == 1, "\(end.status)")
        #expect(stalling.isStalled)
        #expect(server.requests.count == 1)
        stalling.respond()
        await stage.queue.shutDown()
    }

    @Test func aSourceThatChangesWhileItIsSentFailsTheUpload() async throws {
        let (stalling, stage, server) = (try StallingFileSystem(), try QueueStage(), try server())
        stalling.put(bytes, at: "source")
        stalling.stall(at: .read, from: 1_000_000)
        let ids = try await stage.queue.add([put(stalling.file("source"), to: server.url("/up"))], paused: false)
        #expect(await eventually { stalling.isStalled })
        stalling.put(bytes, at: "source")
        stalling.respond()
        try await stage.wait { $0[ids[0]]?.state.isEnded == true }
        let end = try await stage.queue.info(ids[0]).transfer
        #expect(
            end.error?.code == .cannotReadSource && end.error?.message.contains("changed") == true,
            "\(end.status), attempt \(end.attempt)")
        await stage.queue.shutDown()
    }

    @Test func theQueueEndsWhileABodyIsHeld() async throws {
        let (stalling, stage, server) = (try StallingFileSystem(), try QueueStage(), try server())
        stalling.stall(at: .write, from: 1_000_000)
        _ = try await stage.queue.add([download(server.url(), to: stalling.file("a"))], paused: false)
        #expect(await eventually { stalling.isStalled })
        await stage.queue.shutDown()
        #expect(stalling.isStalled)
    }

    /// The process ends while the rename waits for the folder, and the next one begins before that responds.
    @Test func aRenameThatWasNotRecordedIsFoundWhenTheFolderResponds() async throws {
        let (stalling, stage, server) = (try StallingFileSystem(), try DurableStage(), try server())
        stalling.stall(at: .rename)
        let id = try await stage.queue.add([download(server.url(), to: stalling.file("a"))], paused: false)[0]
        #expect(await eventually { stalling.isStalled })
        #expect(try await stage.states() == [.verifying])
        try await stage.crash()
        try await stage.wait(for: id) { $0.state == .retrying }
        // Once more: what the first process intended is still to be found.
        let second = stage.queue
        try await stage.crash {
            #expect(stalling.isStalled)
            stalling.respond()
            // A dead process would make no more calls; this one lives, and checks the name while the third does.
            await returns(stalling.file("a"), second)
        }
        let end = try await stage.end(of: id)
        #expect(end.state == .completed, "\(end.error?.message ?? "")")
        #expect(end.bytes == Int64(bytes.count))
        #expect(stalling.bytes(of: "a") == bytes)
        #expect(stalling.names == ["a"])
        #expect(server.requests.count == 1)
        await stage.queue.shutDown()
    }

    /// Waits until the calls of a queue on the folder of `path` have returned, also those that got stuck.
    private func returns(_ path: String, _ queue: DurableQueue) async {
        let (lanes, mount) = await queue.core.run { ($0.lanes, $0.mounts.mount(of: path)) }
        await withCheckedContinuation { done in
            lanes.perform(path, on: mount, .unlimited {}) {
            } reply: { _ in
                done.resume()
            }
        }
    }
}
