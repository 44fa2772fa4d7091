// SPDX-License-Identifier: MIT

import CurlTransport
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// A folder that does not respond holds its own transfers and no others.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: HungFileSystem.isPossible, "only root may mount a file system that hangs"))
struct HungFolderTests {
    private let bytes = patternedBytes(100_000)

    private func server() throws -> ScriptedServer {
        try ScriptedServer { [bytes] connection, _ in
            while let head = connection.readHead() {
                guard head.hasPrefix("PUT") else {
                    connection.answer("200 OK", ["ETag: \"1\""], body: bytes)
                    continue
                }
                connection.takeBody(of: head)
                connection.answer("201 Created")
            }
        }
    }

    private func put(_ path: String, to url: String) throws -> Spec {
        Spec(url: try TransferURL(url), operation: .upload(Upload(source: .file(path: path), form: .put)))
    }

    @Test func othersCompleteWhileAFolderHangs() async throws {
        let (hung, stage, server) = (try HungFileSystem(), try QueueStage(), try server())
        let queue = stage.queue
        // As many slots as hung transfers: they must not keep them.
        try await queue.setLimits(QueueLimits(concurrent: 2, perHost: 2))
        let source = try stage.folder.write(bytes, to: "source")
        let specs = [
            try stage.download(server.url()) {
                $0.options.retries = nil
                $1.destination = .file(path: hung.file("a"))
            },
            try put(hung.file("b"), to: server.url("/b")),
            try stage.download(server.url()),
            try put(source, to: server.url("/source")),
        ]
        let ids = try await queue.add(specs, paused: false)
        #expect(try await queue.info(ids[0]).transfer.id == ids[0])
        #expect(try await queue.snapshot().transfers.count == 4)
        try await stage.wait { known in ids[2...].allSatisfy { known[$0]?.state == .completed } }
        #expect(try stage.folder.read("out.bin") == bytes)
        try await stage.wait { known in ids[..<2].allSatisfy { known[$0]?.state == .retrying } }
        let waiting = try await queue.info(ids[0]).transfer
        #expect(waiting.error?.message == "\(hung.path): the folder does not respond", "\(waiting)")
        try await queue.perform(.pause, on: [ids[0]])
        try await queue.perform(.cancel(deletingPartial: true), on: [ids[1]])
        let states = try await queue.snapshot().transfers.map(\.state)
        #expect(states == [.paused, .cancelled, .completed, .completed])
        try await queue.perform(.resume, on: [ids[0]])
        await queue.shutDown()
    }

    @Test func commandsAndShutdownDoNotWaitForAHangingFolder() async throws {
        let (hung, stage, server) = (try HungFileSystem(), try QueueStage(), try server())
        let specs = try ["a", "b", "c"].map { name in
            try stage.download(server.url()) { $1.destination = .file(path: hung.file(name)) }
        }
        let ids = try await stage.queue.add(specs, paused: false)
        try await stage.queue.perform(.pause, on: [ids[0]])
        try await stage.queue.perform(.cancel(deletingPartial: true), on: [ids[1]])
        try await stage.queue.perform(.resume, on: [ids[0]])
        #expect(try await stage.queue.snapshot().transfers[1].state == .cancelled)
        await stage.queue.shutDown()
        #expect(server.requests.isEmpty)
    }

    @Test func durableQueueOpensAndEndsWhileAFolderHangs() async throws {
        let (hung, stage, server) = (try HungFileSystem(), try DurableStage(), try server())
        var spec = try stage.download(server.url())
        spec.operation = .download(Download(destination: .file(path: hung.file("a"))))
        let ids = try await stage.queue.add([spec, stage.download(server.url())], paused: false)
        #expect(try await stage.end(of: ids[1]).state == .completed)
        try await stage.reopen()
        try await stage.wait(for: ids[0]) { $0.state == .retrying }
        await stage.queue.shutDown()
    }
}
