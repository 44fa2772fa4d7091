// SPDX-License-Identifier: MIT

import CurlTransport
import Foundation
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// Uploads that continue after an interruption, over the real transport.
@Suite(.timeLimit(.minutes(10))) struct ResumedUploadTests {
    let bytes = patternedBytes(3_000_000)

    private func queue(records: String? = nil) throws -> QueueStage {
        try QueueStage { _ in
            var configuration = LocalQueue.Configuration()
            configuration.jitter = { 0 }
            configuration.uploadRecords = records
            return configuration
        }
    }

    private func spec(
        _ url: String, _ path: String, _ resumption: UploadResumption = .auto, form: Upload.Form = .put,
        checksum: Checksum? = nil
    ) throws -> Spec {
        let upload = Upload(source: .file(path: path), form: form, checksum: checksum, resumption: resumption)
        return Spec(url: try TransferURL(url), operation: .upload(upload))
    }

    @Test func continuesFromTheConfirmedByte() async throws {
        let (stage, end) = (try queue(), try DraftEnd(cuts: [1_000_000, 500_000, 0]))
        let path = try stage.folder.write(bytes, to: "source")
        let result = try await stage.end(of: spec(end.server.url(), path))
        #expect(result.state == .completed && result.error == nil)
        #expect(result.bytes == 3_000_000 && result.total == 3_000_000 && result.confirmed == 3_000_000)
        #expect(result.uploadProtocol == "ietf-8")
        #expect(end.holds(bytes))
        #expect(
            end.words == [
                "OPTIONS", "PUT", "PATCH 0", "HEAD", "PATCH 1000000", "HEAD", "PATCH 1500000", "HEAD", "PATCH 1500000",
            ])
        // The server is known.
        let second = try stage.folder.write(bytes, to: "second")
        #expect(try await stage.end(of: spec(end.server.url(), second)).state == .completed)
        #expect(end.words.suffix(2) == ["PUT", "PATCH 0"])
    }

    @Test func aLostFinalResponseIsNoSecondUpload() async throws {
        let (stage, end) = (try queue(), try DraftEnd(cuts: [3_000_000]))
        let path = try stage.folder.write(bytes, to: "source")
        #expect(try await stage.end(of: spec(end.server.url(), path)).state == .completed)
        #expect(end.words == ["OPTIONS", "PUT", "PATCH 0", "HEAD", "PATCH 3000000"])
        #expect(end.holds(bytes))
    }

    @Test func anExpiredUploadStartsAgainOnce() async throws {
        // More than the buffers of a connection hold: otherwise every byte may have arrived.
        let bytes = patternedBytes(40_000_000)
        let (stage, end) = (try queue(), try DraftEnd(cuts: [1_000_000], forgets: 1))
        let path = try stage.folder.write(bytes, to: "source")
        #expect(try await stage.end(of: spec(end.server.url(), path)).state == .completed)
        #expect(end.holds(bytes))
        #expect(end.words == ["OPTIONS", "PUT", "PATCH 0", "HEAD", "PUT", "PATCH 0"])
        let again = try DraftEnd(cuts: [1_000_000, 1_000_000], forgets: 2)
        let result = try await stage.end(of: spec(again.server.url(), path))
        #expect(result.state == .failed && result.error?.code == .rangeRefused)
        #expect(result.error?.message.contains("the upload has expired on the server") == true)
        #expect(again.words.last == "HEAD")
    }

    @Test func aChangedFileIsNotJoined() async throws {
        let (stage, end) = (try queue(), try DraftEnd(cuts: [1_000_000], stalls: true))
        let path = try stage.folder.write(bytes, to: "source")
        let id = try await stage.queue.add([spec(end.server.url(), path)], paused: false)[0]
        #expect(await eventually { end.words.contains("HEAD") })
        let changed = patternedBytes(3_000_001)
        _ = try stage.folder.write(changed, to: "source")
        end.proceed()
        try await stage.wait { $0[id]?.state == .failed }
        let failed = try #require(try await stage.queue.snapshot().transfers.first)
        #expect(failed.error?.code == .cannotReadSource)
        #expect(failed.error?.message.contains("changed after 1000000 bytes of it were uploaded") == true, "\(failed)")
        try await stage.queue.perform(.retry, on: [id])
        try await stage.wait { $0[id]?.state == .completed }
        #expect(end.holds(changed))
    }

    @Test func anotherRunContinues() async throws {
        let (stage, end) = (try queue(), try DraftEnd(cuts: [1_000_000], stalls: true))
        let records = stage.folder.file("records")
        let path = try stage.folder.write(bytes, to: "source")
        for run in 0..<2 {
            let stage = try queue(records: records)
            if run == 0 {
                _ = try await stage.queue.add([spec(end.server.url(), path)], paused: false)
                #expect(await eventually { end.words.contains("HEAD") })
                await stage.queue.shutDown()
                #expect(try FileManager.default.contentsOfDirectory(atPath: records).count == 1)
                end.proceed()
            } else {
                #expect(try await stage.end(of: spec(end.server.url(), path)).state == .completed)
                #expect(try FileManager.default.contentsOfDirectory(atPath: records) == [])
            }
        }
        #expect(end.words.suffix(2) == ["HEAD", "PATCH 1000000"])
        #expect(end.words.filter { $0 == "PUT" }.count == 1)
        #expect(end.holds(bytes))
    }

    @Test func anotherRunSendsAChangedFileFromItsFirstByte() async throws {
        let (stage, end) = (try queue(), try DraftEnd(cuts: [1_000_000], stalls: true))
        let records = stage.folder.file("records")
        let path = try stage.folder.write(bytes, to: "source")
        let first = try queue(records: records)
        _ = try await first.queue.add([spec(end.server.url(), path)], paused: false)
        #expect(await eventually { end.words.contains("HEAD") })
        await first.queue.shutDown()
        end.proceed()
        let changed = patternedBytes(2_000_001)
        _ = try stage.folder.write(changed, to: "source")
        let second = try queue(records: records)
        #expect(try await second.end(of: spec(end.server.url(), path)).state == .completed)
        #expect(end.holds(changed))
    }

    @Test func theQueueContinuesAfterACrash() async throws {
        let (stage, end) = (try DurableStage(), try DraftEnd(cuts: [1_000_000], stalls: true))
        let path = try stage.folder.write(bytes, to: "source")
        let id = try await stage.queue.add([spec(end.server.url(), path)], paused: false)[0]
        #expect(await eventually { end.words.contains("HEAD") })
        // Another boot: what is stored is all that counts.
        try await stage.crash(bootID: "another") { end.proceed() }
        let result = try await stage.end(of: id)
        #expect(result.state == .completed && result.uploadProtocol == "ietf-8")
        #expect(end.words.filter { $0 == "PUT" }.count == 1)
        #expect(end.words.last == "PATCH 1000000")
        #expect(end.holds(bytes))
        await stage.queue.shutDown()
    }

    @Test(arguments: [false, true]) func cancellingWithDeletionRemovesTheUpload(_ isDeleting: Bool) async throws {
        let (stage, end) = (try queue(), try DraftEnd(cuts: [1_000_000], stalls: true))
        let path = try stage.folder.write(bytes, to: "source")
        let id = try await stage.queue.add([spec(end.server.url(), path)], paused: false)[0]
        #expect(await eventually { end.words.contains("HEAD") })
        try await stage.queue.perform(.cancel(deletingPartial: isDeleting), on: [id])
        try await stage.wait { $0[id]?.state == .cancelled }
        end.proceed()
        if isDeleting { #expect(await eventually { end.words.contains("DELETE") }) }
        // What is left continues.
        try await stage.queue.perform(.retry, on: [id])
        try await stage.wait { $0[id]?.state == .completed }
        #expect(end.words.contains("DELETE") == isDeleting)
        #expect(end.words.last == (isDeleting ? "PATCH 0" : "PATCH 1000000"))
        #expect(end.holds(bytes))
    }

    @Test func aPausedUploadContinues() async throws {
        let (stage, end) = (try queue(), try DraftEnd(cuts: [1_000_000], stalls: true))
        let path = try stage.folder.write(bytes, to: "source")
        let id = try await stage.queue.add([spec(end.server.url(), path)], paused: false)[0]
        #expect(await eventually { end.words.contains("HEAD") })
        try await stage.queue.perform(.pause, on: [id])
        end.proceed()
        try await stage.wait { $0[id]?.state == .paused }
        try await stage.queue.perform(.resume, on: [id])
        try await stage.wait { $0[id]?.state == .completed }
        #expect(end.words.last == "PATCH 1000000")
        #expect(end.holds(bytes))
    }

    @Test(arguments: [(UploadResumption.never, 3_000_000), (.auto, 1_000_000)])
    func smallFilesAndNeverAreSentPlainly(_ resumption: UploadResumption, _ count: Int) async throws {
        let (stage, end) = (try queue(), try DraftEnd())
        let path = try stage.folder.write(Array(bytes[..<count]), to: "source")
        let result = try await stage.end(of: spec(end.server.url(), path, resumption))
        #expect(result.state == .completed && result.uploadProtocol == nil)
        #expect(end.words == ["PUT"])
        #expect(end.holds(Array(bytes[..<count])))
    }

    @Test func aServerWithoutProtocolGetsThePlainUpload() async throws {
        let (stage, end) = (try queue(), try DraftEnd(isPlain: true))
        let path = try stage.folder.write(bytes, to: "source")
        for resumption in [UploadResumption.auto, .ietf] {
            #expect(try await stage.end(of: spec(end.server.url(), path, resumption)).state == .completed)
            #expect(end.holds(bytes))
        }
        #expect(end.words == ["OPTIONS", "PUT", "PUT"])
        let failed = try await stage.end(of: spec(end.server.url(), path, .tus))
        #expect(failed.state == .failed && failed.httpStatus == 405)
    }

    @Test func aChecksumIsComparedBeforeAnythingIsSent() async throws {
        let (stage, end) = (try queue(), try DraftEnd())
        let path = try stage.folder.write(bytes, to: "source")
        let wrong = Checksum(algorithm: .sha256, bytes: [UInt8](repeating: 1, count: 32))
        let failed = try await stage.end(of: spec(end.server.url(), path, checksum: wrong))
        #expect(failed.error?.code == .checksumMismatch && end.words == [])
        let right = Checksum(
            algorithm: .sha256, bytes: try #require(FileDigest.compute(.sha256, path: path)))
        #expect(try await stage.end(of: spec(end.server.url(), path, checksum: right)).state == .completed)
        #expect(end.server.requests.contains { $0.contains("PUT") && $0.contains("Repr-Digest: \(ReprDigest(right))") })
    }

    /// The server's digest of what it stored, after an interruption.
    @Test(arguments: [true, false]) func aFileQUploadComparesTheDigest(_ isRight: Bool) async throws {
        let stage = try queue()
        let path = try stage.folder.write(bytes, to: "source")
        var digest = try #require(FileDigest.compute(.sha256, path: path))
        if !isRight { digest[0] ^= 1 }
        let field = "Repr-Digest: \(ReprDigest(Checksum(algorithm: .sha256, bytes: digest)))"
        let end = try DraftEnd(cuts: [1_000_000], final: ["Location: /files/1/x", field])
        let form = Upload.Form.fileQ(FileQUpload(sid: "planted", metadata: [.init(name: "a", value: "b")]))
        let result = try await stage.end(of: spec(end.server.url("/upload"), path, form: form))
        #expect(result.state == (isRight ? .completed : .failed))
        #expect(result.error?.code == (isRight ? nil : .checksumMismatch))
        let creation = try #require(end.server.requests.first { $0.hasPrefix("POST") })
        #expect(creation.contains("fileuploadSID=planted") && creation.contains("fileq-meta-a=b"))
        #expect(end.words.last == "PATCH 1000000")
    }
}

/// A server of the draft's version 8 with one upload. It breaks connections where the test says.
private final class DraftEnd: Sendable {
    private struct State {
        var stored: [UInt8] = []
        var exists = false
        var isComplete = false
        /// Bytes of the next appends after which the connection breaks.
        var cuts: [Int]
        /// Queries to which it does not know the upload.
        var forgets: Int
        /// Queries get no response.
        var stalls: Bool
        var words: [String] = []
    }

    private let state: Mutex<State>
    private let held = Mutex<ScriptedServer?>(nil)

    var server: ScriptedServer { held.withLock { $0! } }
    var stored: [UInt8] { state.withLock { $0.stored } }
    /// Compared here: a description of two long lists takes minutes.
    func holds(_ bytes: [UInt8]) -> Bool { stored == bytes }
    /// The requests.
    var words: [String] { state.withLock { $0.words } }

    func proceed() { state.withLock { $0.stalls = false } }

    init(
        cuts: [Int] = [], forgets: Int = 0, stalls: Bool = false, isPlain: Bool = false, final: [String] = []
    ) throws {
        state = Mutex(State(cuts: cuts, forgets: forgets, stalls: stalls))
        let server = try ScriptedServer { [weak self] connection, _ in
            while let head = connection.readHead() {
                guard self?.respond(to: head, connection, isPlain, final) == true else { return }
            }
        }
        // Otherwise the kernel takes the whole file before the connection breaks.
        server.setReceiveBuffer(65_536)
        held.withLock { $0 = server }
    }

    private static func field(_ name: String, of head: String) -> String? {
        head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ":") }
            .map { $0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces) }
    }

    /// - Returns: false if the connection ends.
    private func respond(to head: String, _ connection: ScriptedConnection, _ isPlain: Bool, _ final: [String]) -> Bool
    {
        let method = String(head.prefix { $0 != " " })
        let offset = Self.field("upload-offset", of: head)
        state.withLock { $0.words.append([method, offset].compactMap(\.self).joined(separator: " ")) }
        let count = Int(Self.field("content-length", of: head) ?? "0") ?? 0
        if Self.field("expect", of: head) != nil { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
        switch method {
        case "OPTIONS":
            connection.answer("204 No Content", isPlain ? [] : ["Upload-Limit: min-size=0, max-age=100"])
        case "PUT", "POST":
            if isPlain, method == "POST" {
                _ = connection.readBody(count)
                connection.answer("405 Method Not Allowed")
                return true
            }
            let isCareful = !isPlain && Self.field("upload-complete", of: head) == "?0"
            let body = connection.readBody(count)
            state.withLock { ($0.stored, $0.exists, $0.isComplete) = (body, isCareful, false) }
            connection.answer("201 Created", isCareful ? ["Location: /u"] : [])
        case "HEAD": return query(connection)
        case "PATCH": return append(count, at: Int(offset ?? "") ?? -1, connection, final)
        case "DELETE":
            state.withLock { $0.exists = false }
            connection.answer("204 No Content")
        default: return false
        }
        return true
    }

    private func query(_ connection: ScriptedConnection) -> Bool {
        if state.withLock({ $0.stalls }) {
            // Until the test or the client ends it.
            while state.withLock({ $0.stalls }) { usleep(10_000) }
            connection.reset()
            return false
        }
        let (isKnown, offset, isComplete) = state.withLock { state in
            if state.forgets > 0 { (state.forgets, state.exists) = (state.forgets - 1, false) }
            return (state.exists, state.stored.count, state.isComplete)
        }
        guard isKnown else {
            connection.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            return true
        }
        let complete = isComplete ? "?1" : "?0"
        connection.send("HTTP/1.1 204 No Content\r\nUpload-Offset: \(offset)\r\nUpload-Complete: \(complete)\r\n\r\n")
        return true
    }

    private func append(_ count: Int, at offset: Int, _ connection: ScriptedConnection, _ final: [String]) -> Bool {
        let (isRight, cut) = state.withLock { state in
            (state.exists && offset == state.stored.count, state.cuts.isEmpty ? nil : state.cuts.removeFirst())
        }
        guard isRight else {
            connection.answer("409 Conflict", ["Upload-Offset: \(stored.count)"])
            return false
        }
        let body = connection.readBody(min(count, cut ?? count))
        state.withLock { state in
            state.stored += body
            if body.count == count { state.isComplete = true }
        }
        guard cut == nil else {
            connection.reset()
            return false
        }
        connection.answer("201 Created", ["Upload-Complete: ?1"] + final)
        return true
    }
}
