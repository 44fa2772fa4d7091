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
        let (stage, end) = (try queue(), try DraftServer(cuts: [1_000_000, 500_000, 0]))
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

    /// `OPTIONS` has one of its own.
    @Test func requestsShareAConnection() async throws {
        let (stage, end) = (try queue(), try DraftServer(limits: "max-append-size=300000"))
        let path = try stage.folder.write(bytes, to: "source")
        #expect(try await stage.end(of: spec(end.server.url(), path)).state == .completed)
        #expect(end.words.count { $0.hasPrefix("PATCH") } == 10)
        #expect(end.connectionCount == 2)
        #expect(end.holds(bytes))
    }

    /// One that the server closes instead of a response.
    @Test(arguments: [[300_000], [300_000, 300_000]])
    func aClosedConnectionIsNoFailedAttempt(_ cuts: [Int]) async throws {
        let (stage, end) = (try queue(), try DraftServer(cuts: cuts, limits: "max-append-size=300000"))
        let path = try stage.folder.write(bytes, to: "source")
        var limited = try spec(end.server.url(), path)
        limited.options.retries = 0
        let result = try await stage.end(of: limited)
        #expect(result.state == .completed && result.attempt == 1, "\(result.error as Any)")
        #expect(end.words.count { $0 == "HEAD" } == cuts.count)
        #expect(end.holds(bytes))
    }

    @Test func aLostFinalResponseIsNoSecondUpload() async throws {
        let (stage, end) = (try queue(), try DraftServer(cuts: [3_000_000]))
        let path = try stage.folder.write(bytes, to: "source")
        #expect(try await stage.end(of: spec(end.server.url(), path)).state == .completed)
        #expect(end.words == ["OPTIONS", "PUT", "PATCH 0", "HEAD", "PATCH 3000000"])
        #expect(end.holds(bytes))
    }

    @Test func anExpiredUploadStartsAgainOnce() async throws {
        // More than the buffers of a connection hold: otherwise every byte may have arrived.
        let bytes = patternedBytes(40_000_000)
        let (stage, end) = (try queue(), try DraftServer(cuts: [1_000_000], forgets: 1))
        let path = try stage.folder.write(bytes, to: "source")
        #expect(try await stage.end(of: spec(end.server.url(), path)).state == .completed)
        #expect(end.holds(bytes))
        #expect(end.words == ["OPTIONS", "PUT", "PATCH 0", "HEAD", "PUT", "PATCH 0"])
        let again = try DraftServer(cuts: [1_000_000, 1_000_000], forgets: 2)
        let result = try await stage.end(of: spec(again.server.url(), path))
        #expect(result.state == .failed && result.error?.code == .rangeRefused)
        #expect(result.error?.message.contains("the upload has expired on the server") == true)
        #expect(again.words.last == "HEAD")
    }

    @Test func aChangedFileIsNotJoined() async throws {
        let (stage, end) = (try queue(), try DraftServer(cuts: [1_000_000], stalls: true))
        let path = try stage.folder.write(bytes, to: "source")
        let id = try await stage.queue.add([spec(end.server.url(), path)], paused: false)[0]
        #expect(await eventually { end.words.contains("HEAD") })
        let changed = patternedBytes(3_000_001)
        _ = try stage.folder.write(changed, to: "source")
        end.proceed()
        try await stage.wait { $0[id]?.state == .failed }
        let failed = try #require(try await stage.queue.snapshot().transfers.first)
        #expect(failed.error?.code == .cannotReadSource)
        #expect(failed.error?.message.hasSuffix("source: changed during its upload") == true, "\(failed)")
        try await stage.queue.perform(.retry, on: [id])
        try await stage.wait { $0[id]?.state == .completed }
        #expect(end.holds(changed))
    }

    @Test func anotherRunContinues() async throws {
        let (stage, end) = (try queue(), try DraftServer(cuts: [1_000_000], stalls: true))
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
                await stage.queue.shutDown()
                #expect(try FileManager.default.contentsOfDirectory(atPath: records) == [])
            }
        }
        #expect(end.words.suffix(2) == ["HEAD", "PATCH 1000000"])
        #expect(end.words.filter { $0 == "PUT" }.count == 1)
        #expect(end.holds(bytes))
    }

    /// Also one with its old size and time of modification.
    @Test(arguments: [false, true]) func anotherRunSendsAChangedFileFromItsFirstByte(_ keepsTime: Bool) async throws {
        let (stage, end) = (try queue(), try DraftServer(cuts: [1_000_000], stalls: true))
        let records = stage.folder.file("records")
        let path = try stage.folder.write(bytes, to: "source")
        let first = try queue(records: records)
        _ = try await first.queue.add([spec(end.server.url(), path)], paused: false)
        #expect(await eventually { end.words.contains("HEAD") })
        await first.queue.shutDown()
        end.proceed()
        if keepsTime {
            Files.overwriteKeepingTime(path)
        } else {
            _ = try stage.folder.write(patternedBytes(2_000_001), to: "source")
        }
        let changed = try stage.folder.read("source")
        let second = try queue(records: records)
        #expect(try await second.end(of: spec(end.server.url(), path)).state == .completed)
        #expect(end.holds(changed))
    }

    @Test func theQueueContinuesAfterACrash() async throws {
        let (stage, end) = (try DurableStage(), try DraftServer(cuts: [1_000_000], stalls: true))
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
        let (stage, end) = (try queue(), try DraftServer(cuts: [1_000_000], stalls: true))
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
        let (stage, end) = (try queue(), try DraftServer(cuts: [1_000_000], stalls: true))
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
        let (stage, end) = (try queue(), try DraftServer())
        let path = try stage.folder.write(Array(bytes[..<count]), to: "source")
        let result = try await stage.end(of: spec(end.server.url(), path, resumption))
        #expect(result.state == .completed && result.uploadProtocol == nil)
        #expect(end.words == ["PUT"])
        #expect(end.holds(Array(bytes[..<count])))
    }

    @Test func aServerWithoutProtocolGetsThePlainUpload() async throws {
        let (stage, end) = (try queue(), try DraftServer(isPlain: true))
        let path = try stage.folder.write(bytes, to: "source")
        for resumption in [UploadResumption.auto, .ietf] {
            #expect(try await stage.end(of: spec(end.server.url(), path, resumption)).state == .completed)
            #expect(end.holds(bytes))
        }
        #expect(end.words == ["OPTIONS", "PUT", "PUT"])
        let failed = try await stage.end(of: spec(end.server.url(), path, .tus))
        #expect(failed.state == .failed && failed.error?.fields.status == 405)
    }

    @Test(arguments: [(UploadResumption.auto, ["OPTIONS", "PUT"]), (.ietf, ["OPTIONS"])])
    func aServerThatTakesAByteInEachRequestGetsNone(_ resumption: UploadResumption, _ words: [String]) async throws {
        let (stage, end) = (try queue(), try DraftServer(limits: "max-append-size=1"))
        let path = try stage.folder.write(bytes, to: "source")
        let result = try await stage.end(of: spec(end.server.url(), path, resumption))
        #expect(result.state == (resumption == .auto ? .completed : .failed))
        #expect(result.error?.fields.variant == (resumption == .auto ? nil : .appendLimit))
        #expect(end.words == words)
        #expect(end.holds(resumption == .auto ? bytes : []))
    }

    /// The server may take more by then.
    @Test func aRetryAfterALimitAsksTheServerAgain() async throws {
        let (stage, end) = (try queue(), try DraftServer(limits: "max-size=1000000"))
        let path = try stage.folder.write(bytes, to: "source")
        let id = try await stage.queue.add([spec(end.server.url(), path)], paused: false)[0]
        try await stage.wait { $0[id]?.state == .failed }
        #expect(end.words == ["OPTIONS"])
        end.announce("min-size=0")
        try await stage.queue.perform(.retry, on: [id])
        try await stage.wait { $0[id]?.state == .completed }
        #expect(end.words == ["OPTIONS", "OPTIONS", "PUT", "PATCH 0"])
        #expect(end.holds(bytes))
    }

    @Test func everyRetryAsksTheServerAgain() async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                connection.takeBody(of: head)
                connection.answer(head.hasPrefix("OPTIONS") ? "405 Method Not Allowed" : "403 Forbidden")
            }
        }
        let stage = try queue()
        let path = try stage.folder.write(bytes, to: "source")
        let id = try await stage.queue.add([spec(server.url(), path)], paused: false)[0]
        try await stage.wait { $0[id]?.state == .failed }
        try await stage.queue.perform(.retry, on: [id])
        #expect(await eventually { server.requests.count == 4 })
        #expect(server.requests.map { $0.prefix { $0 != " " } } == ["OPTIONS", "PUT", "OPTIONS", "PUT"])
    }

    @Test func aChecksumIsComparedBeforeAnythingIsSent() async throws {
        let (stage, end) = (try queue(), try DraftServer())
        let path = try stage.folder.write(bytes, to: "source")
        let wrong = Checksum(algorithm: .sha256, bytes: [UInt8](repeating: 1, count: 32))
        let failed = try await stage.end(of: spec(end.server.url(), path, checksum: wrong))
        #expect(failed.error?.code == .checksumMismatch && end.words == [])
        let right = Checksum(
            algorithm: .sha256, bytes: try #require(FileDigest.compute(.sha256, path: path)))
        #expect(try await stage.end(of: spec(end.server.url(), path, checksum: right)).state == .completed)
        #expect(end.server.requests.contains { $0.contains("PUT") && $0.contains("Repr-Digest: \(ReprDigest(right))") })
    }

    /// As `fileq serve` states it with tus: `--share` makes its link to there.
    @Test func contentLocationIsThePlaceOfTheFile() async throws {
        let (stage, end) = (
            try queue(), try DraftServer(final: ["Location: /u", "Content-Location: /files/1/source"])
        )
        let path = try stage.folder.write(bytes, to: "source")
        let result = try await stage.end(of: spec(end.server.url(), path))
        #expect(result.state == .completed && result.location == end.server.url("/files/1/source"))
    }

    /// The server's digest of what it stored, if the response is about the target.
    @Test(arguments: [
        ("Location: /file", true, true), ("Content-Location: /file", false, false), ("Location: /file", false, false),
        ("Location: /other", false, true),
    ]) func theDigestOfTheTargetIsCompared(_ place: String, _ isRight: Bool, _ completes: Bool) async throws {
        let stage = try queue()
        let path = try stage.folder.write(bytes, to: "source")
        let known = Checksum(algorithm: .sha256, bytes: try #require(FileDigest.compute(.sha256, path: path)))
        var stored = known.bytes
        if !isRight { stored[0] ^= 1 }
        let field = "Repr-Digest: \(ReprDigest(Checksum(algorithm: .sha256, bytes: stored)))"
        let end = try DraftServer(cuts: [1_000_000], final: [place, field])
        let result = try await stage.end(of: spec(end.server.url(), path, checksum: known))
        #expect(result.state == (completes ? .completed : .failed))
        #expect(result.error?.code == (completes ? nil : .checksumMismatch))
        #expect(end.words.last == "PATCH 1000000")
    }

    /// The server's digest of what it stored, after an interruption.
    @Test(arguments: [true, false]) func aFileQUploadComparesTheDigest(_ isRight: Bool) async throws {
        let stage = try queue()
        let path = try stage.folder.write(bytes, to: "source")
        var digest = try #require(FileDigest.compute(.sha256, path: path))
        if !isRight { digest[0] ^= 1 }
        let field = "Repr-Digest: \(ReprDigest(Checksum(algorithm: .sha256, bytes: digest)))"
        let end = try DraftServer(cuts: [1_000_000], final: ["Location: /files/1/x", field])
        let form = Upload.Form.fileQ(FileQUpload(sid: "planted", metadata: [.init(name: "a", value: "b")]))
        let result = try await stage.end(of: spec(end.server.url("/upload"), path, form: form))
        #expect(result.state == (isRight ? .completed : .failed))
        #expect(result.error?.code == (isRight ? nil : .checksumMismatch))
        let creation = try #require(end.server.requests.first { $0.hasPrefix("POST") })
        #expect(creation.contains("fileuploadSID=planted") && creation.contains("fileq-meta-a=b"))
        #expect(end.words.last == "PATCH 1000000")
    }
}
