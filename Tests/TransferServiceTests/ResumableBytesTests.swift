// SPDX-License-Identifier: MIT

import CurlTransport
import Glibc
import SessionCore
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// Bytes of two versions never mix in one file, and no bytes on disk are lost.
@Suite(.timeLimit(.minutes(10))) struct ResumableBytesTests {
    let stage: QueueStage

    init() throws { stage = try QueueStage() }

    private let old = patternedBytes(300_000, seed: 1)
    private let new = patternedBytes(100_000, seed: 2)

    /// Leaves a partial file with a record, as an earlier run would.
    private func leave(
        _ bytes: [UInt8], of url: String, tag: String, total: Int, at place: String? = nil
    ) throws {
        let path = place ?? stage.folder.file("out.bin.fileq-part")
        try stage.folder.write(bytes, to: String(path.afterLastSlash))
        PartialRecord.save(
            ResumeData(
                url: url, validator: Validator(entityTag: tag), ranges: ByteRangeSet(0..<Int64(bytes.count)),
                total: Int64(total), partialPath: path, bootID: BootID.current))
    }

    @Test func shorterVersionsHaveNoOldTail() async throws {
        let server = try ScriptedServer { [old, new] connection, number in
            guard connection.readHead() != nil else { return }
            if number == 1 {
                connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 300000\r\n\r\n")
                return connection.send(Array(old[..<250_000]))
            }
            connection.answer("200 OK", ["ETag: \"2\""], body: new)
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed)
        #expect(try stage.folder.read("out.bin") == new)
    }

    @Test(arguments: [232, 244, 255]) func longNamesResume(_ count: Int) async throws {
        let server = try ScriptedServer { [old] connection, _ in
            guard let head = connection.readHead() else { return }
            guard head.contains("bytes=200000-") else { return connection.answer("404 Not Found") }
            connection.answer(
                "206 Partial Content", ["ETag: \"1\"", "Content-Range: bytes 200000-299999/300000"],
                body: Array(old[200_000...]))
        }
        let name = String(repeating: "n", count: count)
        let path = PartialName.path(for: stage.folder.file(name))
        try leave(Array(old[..<200_000]), of: server.url(), tag: "\"1\"", total: 300_000, at: path)
        let result = try await stage.end(of: stage.download(server.url(), name: name))
        #expect(result.state == .completed)
        #expect(try stage.folder.read(name) == old)
        #expect(stage.folder.names == [name])
    }

    @Test func recordsDescribeOneVersionOnly() async throws {
        let server = try ScriptedServer { [new] connection, _ in
            guard connection.readHead() != nil else { return }
            // No validator: nothing new will be recorded.
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            connection.send(Array(new[..<50_000]))
            connection.waitForClose()
        }
        try leave(Array(old[..<200_000]), of: "http://elsewhere.test/", tag: "\"1\"", total: 300_000)
        let ids = try await stage.queue.add([stage.download(server.url())], paused: false)
        try await stage.wait { $0[ids[0]]?.bytes == 50_000 }
        #expect(try stage.folder.read("out.bin.fileq-part") == Array(old[..<200_000]))
        #expect(stage.folder.exists("out.bin.fileq-part.json"))
        #expect(!stage.folder.exists("out.bin.fileq-part-new.json"))
        try await stage.queue.perform(.cancel(deletingPartial: true), on: ids)
    }

    @Test(arguments: ["404 Not Found", "503 Busy"]) func errorResponsesLeaveOtherDownloads(
        _ status: String
    ) async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer(status) }
        }
        try leave(Array(old[..<200_000]), of: "http://elsewhere.test/", tag: "\"1\"", total: 300_000)
        let result = try await stage.end(
            of: stage.download(server.url()) { description, _ in description.options.retries = 0 })
        #expect(result.state == .failed)
        #expect(try stage.folder.read("out.bin.fileq-part") == Array(old[..<200_000]))
        #expect(stage.folder.exists("out.bin.fileq-part.json"))
    }

    @Test func refusedConnectionsLeaveOtherDownloads() async throws {
        try leave(Array(old[..<200_000]), of: "http://elsewhere.test/", tag: "\"1\"", total: 300_000)
        let result = try await stage.end(
            of: stage.download("http://127.0.0.1:1/") { description, _ in description.options.retries = 0 })
        #expect(result.error?.code == .cannotConnect)
        #expect(stage.folder.names == ["out.bin.fileq-part", "out.bin.fileq-part.json"])
    }

    @Test func refusesATakenNameBeforeALargeBody() async throws {
        let server = try ScriptedServer { [old] connection, _ in
            guard connection.readHead() != nil else { return }
            connection.answer(
                "206 Partial Content", ["ETag: \"1\"", "Content-Range: bytes 299000-299999/300000"],
                body: Array(old[299_000...]))
        }
        try leave(Array(old[..<299_000]), of: server.url(), tag: "\"1\"", total: 300_000)
        try stage.folder.write([1], to: "out.bin")
        var description = try stage.download(server.url())
        description.operation = .download(.init(destination: .folder(path: stage.folder.path, name: "out.bin")))
        let result = try await stage.end(of: description)
        #expect(result.error?.code == .destinationExists)
        #expect(try stage.folder.read("out.bin") == [1])
        #expect(try stage.folder.read("out.bin.fileq-part").count >= 299_000)
    }

    @Test func givesUpIfTheServerIgnoresRanges() async throws {
        let server = try ScriptedServer { [old] connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 300000\r\n\r\n")
            connection.send(Array(old[..<50_000]))
        }
        let result = try await stage.end(
            of: stage.download(server.url()) { description, _ in description.options.retries = 1 })
        #expect(result.state == .failed)
        // The first attempt, one that bytes that were kept allow, and the one of --retry; all but the first request the
        // range with and without its condition.
        #expect(server.requests.count <= 5)
    }

    @Test func responsesWithOneNameDoNotCollide() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil {
                connection.answer("200 OK", ["Content-Disposition: attachment; filename=same.txt"], body: [7])
            }
        }
        let descriptions = try ["a", "b"].map { name in
            Spec(
                url: try TransferURL(server.url("/\(name)")),
                operation: .download(
                    .init(
                        destination: .folder(path: stage.folder.path, name: name), overwrites: true)))
        }
        let ids = try await stage.queue.add(descriptions, paused: false)
        try await stage.wait { known in ids.allSatisfy { known[$0]?.state.isEnded == true } }
        let states = try await stage.queue.snapshot().transfers.map(\.state)
        #expect(states.sorted { $0.rawValue < $1.rawValue } == [.completed, .failed])
    }

    @Test func ignoresAPipeAsRecord() async throws {
        try stage.folder.write([1, 2], to: "out.bin.fileq-part")
        #expect(mkfifo(stage.folder.file("out.bin.fileq-part.json"), 0o600) == 0)
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", body: [7]) }
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed)
        #expect(try stage.folder.read("out.bin") == [7])
    }

    @Test func sharesLimitsFairly() async throws {
        // Made once: under a sanitizer, this takes longer than a server may need to respond.
        let body = patternedBytes(4_000_000)
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", ["ETag: \"1\""], body: body) }
        }
        try await stage.queue.setLimits(QueueLimits(concurrent: 4, download: 400_000))
        let ids = try await stage.queue.add(
            (0..<4).map { try stage.download(server.url(), name: "f\($0)") }, paused: false)
        func bytes(when condition: ([Int64]) -> Bool) async throws -> [Int64] {
            let ofAll = { (known: [TransferID: Transfer]) in ids.map { known[$0]?.bytes ?? 0 } }
            return ofAll(try await stage.queue.transfers { condition(ofAll($0)) })
        }
        // The first one has the whole limit until the others begin.
        let before = try await bytes { counts in counts.allSatisfy { $0 > 0 } }
        let after = try await bytes { counts in counts.reduce(0, +) > before.reduce(0, +) + 600_000 }
        let gained = zip(after, before).map { $0 - $1 }
        #expect(gained.allSatisfy { $0 > 60_000 }, "\(gained)")
        await stage.queue.shutDown()
    }
}
