// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// Several connections for one file, against a server that limits each of them.
@Suite(.timeLimit(.minutes(10))) struct SplitDownloadTests {
    private let stage: QueueStage
    private static let body = patternedBytes(20 << 20)
    private static let newer = patternedBytes(20 << 20, seed: 9)
    private var body: [UInt8] { Self.body }
    private var newer: [UInt8] { Self.newer }
    private static let rate = 1 << 20

    init() throws { stage = try QueueStage() }

    private func indices(_ range: Range<Int64>) -> Range<Int> { Int(range.lowerBound)..<Int(range.upperBound) }

    private func part(_ name: String = "out.bin") -> String { name + ".fileq-part" }

    @Test(arguments: [2, 4]) func usesAsManyConnectionsAsRaiseTheRate(_ most: Int) async throws {
        let server = try RangeServer(body, rate: Self.rate)
        let result = try await stage.end(
            of: stage.download(server.url()) { spec, _ in spec.options.connections = most })
        #expect(result.state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
        #expect(stage.folder.names == ["out.bin"])
        #expect(server.most == most)
        // Every piece names its version, and the end of its range.
        let pieces = server.requests.dropFirst()
        #expect(pieces.count >= most - 1)
        #expect(pieces.allSatisfy { $0.contains("If-Range: \"1\"") })
        #expect(pieces.allSatisfy { $0.firstMatch(of: /Range: bytes=\d+-\d+\r\n/) != nil })
        // The bytes that the connections received together, hardly more than the file.
        let metrics = try #require(result.metrics)
        #expect(metrics.exchanges >= most)
        #expect(metrics.resumedFrom == 0)
        #expect(metrics.bodyReceived < Int64(body.count) * 5 / 4)
    }

    @Test func staysAtOneIfTheUserWantsOne() async throws {
        let server = try RangeServer(body, rate: 2 * Self.rate)
        let result = try await stage.end(of: stage.download(server.url()) { spec, _ in spec.options.connections = 1 })
        #expect(result.state == .completed)
        #expect(server.requests.count == 1)
    }

    /// They would lie where the next range begins.
    @Test(arguments: [1, 100_000]) func bytesBehindARangeAreNotStored(_ count: Int) async throws {
        let server = try RangeServer(body, rate: 4 * Self.rate) { number, _ in number > 1 ? .excess(count) : .serve }
        let result = try await stage.end(
            of: stage.download(server.url()) { spec, _ in spec.options.connections = 4 })
        #expect(result.state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
    }

    /// Bytes in front of the range would have moved all of it: the whole is requested, once.
    @Test func aResponseLongerThanItsRangeLeavesNothing() async throws {
        let server = try RangeServer(body, rate: 40 * Self.rate) { number, _ in
            [1: .reset(after: 3_000_000), 2: .excess(7)][number] ?? .serve
        }
        let result = try await stage.end(
            of: stage.download(server.url()) { spec, _ in spec.options.connections = 1 })
        #expect(result.state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
        #expect(stage.folder.names == ["out.bin"])
        #expect(server.firstBytes.map { $0 > 0 } == [false, true, false])
    }

    /// What it has too much would show at its end alone, which others would take from it.
    @Test func aResponseWithoutALengthStaysAlone() async throws {
        let server = try RangeServer(body, rate: 4 * Self.rate) { number, _ in
            [1: .reset(after: 100_000), 2: .excess(0)][number] ?? .serve
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
        #expect(server.requests.count == 2 && server.most == 1)
    }

    @Test func showsTheNumberOfConnections() async throws {
        let server = try RangeServer(body, rate: Self.rate)
        let ids = try await stage.queue.add([stage.download(server.url())], paused: false)
        try await stage.wait { $0[ids[0]]?.connections == 4 }
        try await stage.wait { $0[ids[0]]?.state == .completed }
        #expect(try stage.folder.read("out.bin") == body)
    }

    @Test func reportsWhichBytesAreStored() async throws {
        let server = try RangeServer(body, rate: Self.rate)
        let id = try await stage.queue.add([stage.download(server.url())], paused: false)[0]
        try await stage.wait { ($0[id]?.connections ?? 1) > 1 || $0[id]?.state == .completed }
        let running = try #require(try await stage.queue.info(id).ranges)
        #expect(running.requested.count > 1 && running.requested.allSatisfy { $0.upperBound <= Int64(body.count) })
        let stored = ByteRangeSet(running.stored)
        #expect(stored.ranges == running.stored && stored.count < Int64(body.count))
        for range in running.requested { #expect(!running.stored.contains { $0.overlaps(range) }) }
        // What is stored stays known while it is paused.
        try await stage.queue.perform(.pause, on: [id])
        try await stage.wait { $0[id]?.state == .paused }
        let paused = try #require(try await stage.queue.info(id).ranges)
        #expect(paused.requested.isEmpty && ByteRangeSet(paused.stored).count >= stored.count)
        try await stage.queue.perform(.resume, on: [id])
        try await stage.wait { $0[id]?.state == .completed }
        #expect(try await stage.queue.info(id).ranges == nil)
        #expect(try stage.folder.read("out.bin") == body)
    }

    @Test func theChecksumIsThatOfTheWholeFile() async throws {
        let server = try RangeServer(body, rate: Self.rate)
        try stage.folder.write(body, to: "copy")
        let sum = try #require(FileDigest.compute(.sha256, path: stage.folder.file("copy")))
        let right = try await stage.end(
            of: stage.download(server.url(), name: "right") { _, download in
                download.checksum = Checksum(algorithm: .sha256, bytes: sum)
            })
        #expect(right.state == .completed)
        let wrong = try await stage.end(
            of: stage.download(server.url(), name: "wrong") { _, download in
                download.checksum = Checksum(algorithm: .sha256, bytes: Array(sum.reversed()))
            })
        #expect(wrong.error?.code == .checksumMismatch)
        #expect(stage.folder.names == ["copy", "right"])
        #expect(server.most == 4)
    }

    // MARK: Servers that do not take part

    /// One vain request; the next file of that server is not even tried.
    @Test func serversWithoutRangesGetOneConnection() async throws {
        let server = try RangeServer(body, rate: 2 * Self.rate) { number, _ in number == 1 ? .serve : .whole }
        #expect(try await stage.end(of: stage.download(server.url())).state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
        #expect(server.requests.count == 2)
        #expect(try await stage.end(of: stage.download(server.url(), name: "next")).state == .completed)
        #expect(server.requests.count == 3)
    }

    @Test(arguments: ["429 Too Many Requests", "503 Service Unavailable", "403 Forbidden"])
    func refusalsLowerTheNumberForTheServer(_ status: String) async throws {
        let server = try RangeServer(body, rate: 2 * Self.rate) { _, open in open > 1 ? .status(status) : .serve }
        #expect(try await stage.end(of: stage.download(server.url())).state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
        #expect(server.requests.count == 2)
        #expect(try await stage.end(of: stage.download(server.url(), name: "next")).state == .completed)
        #expect(server.requests.count == 3)
        #expect(server.most == 1)
    }

    /// A second connection that gets nothing costs no more than its request.
    @Test func silentConnectionsAreGivenUp() async throws {
        let server = try RangeServer(body, rate: Self.rate) { _, open in open > 1 ? .silence : .serve }
        #expect(try await stage.end(of: stage.download(server.url())).state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
        #expect(server.requests.count <= 3)
    }

    @Test func aResetPieceIsRequestedAgain() async throws {
        let server = try RangeServer(body, rate: Self.rate) { number, _ in
            number == 2 ? .reset(after: 600_000) : .serve
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed)
        #expect(result.attempt == 1)
        #expect(try stage.folder.read("out.bin") == body)
        #expect(server.requests.count >= 3)
    }

    /// Another connection carries on in place of the first.
    @Test func theFirstConnectionMayBreak() async throws {
        let server = try RangeServer(body, rate: Self.rate)
        let ids = try await stage.queue.add([stage.download(server.url())], paused: false)
        try await stage.wait { $0[ids[0]]?.connections == 4 }
        server.breakConnection(1)
        try await stage.wait { $0[ids[0]]?.state == .completed }
        #expect(try await stage.queue.snapshot().transfers.first?.attempt == 1)
        #expect(try stage.folder.read("out.bin") == body)
    }

    @Test func limitsPerHostHold() async throws {
        var limits = QueueLimits()
        limits.perHost = 2
        try await stage.queue.setLimits(limits)
        let server = try RangeServer(body, rate: 2 * Self.rate)
        #expect(try await stage.end(of: stage.download(server.url())).state == .completed)
        #expect(server.most == 2)
    }

    // MARK: Versions

    /// The file changes before the second connection begins: the old version is downloaded by the first alone.
    @Test func piecesOfAnotherVersionAreDropped() async throws {
        let server = try RangeServer(body, rate: 2 * Self.rate, next: .init(body: newer, tag: "\"2\""))
        #expect(try await stage.end(of: stage.download(server.url())).state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
        #expect(server.requests.count == 2)
    }

    /// A server that ignores If-Range, and says so by its ETag only.
    @Test func rangesOfAnotherVersionAreDropped() async throws {
        let server = try RangeServer(body, rate: 2 * Self.rate) { number, _ in number == 1 ? .serve : .otherVersion }
        #expect(try await stage.end(of: stage.download(server.url())).state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
        #expect(server.requests.count == 2)
    }

    /// The file changes while several connections fetch it, and the first one breaks: never a mixture.
    @Test func aChangeAmongPiecesStartsTheNewVersion() async throws {
        let server = try RangeServer(body, rate: Self.rate)
        let ids = try await stage.queue.add([stage.download(server.url())], paused: false)
        try await stage.wait { $0[ids[0]]?.connections == 4 }
        server.change(to: newer, tag: "\"2\"")
        try await stage.queue.perform(.pause, on: ids)
        #expect(await eventually { server.open <= 1 })
        try await stage.queue.perform(.resume, on: ids)
        try await stage.wait { $0[ids[0]]?.state.isEnded == true }
        let found = try stage.folder.read("out.bin")
        #expect(found == body || found == newer)
    }

    // MARK: Interruptions

    @Test func aPausedDownloadHasOneConnection() async throws {
        let server = try RangeServer(body, rate: Self.rate)
        let ids = try await stage.queue.add([stage.download(server.url())], paused: false)
        try await stage.wait { $0[ids[0]]?.connections == 4 }
        try await stage.queue.perform(.pause, on: ids)
        #expect(await eventually { server.open <= 1 })
        let record = try #require(PartialRecord.load(stage.folder.file(part() + ".json")))
        #expect(record.bootID == nil)
        try await stage.queue.perform(.resume, on: ids)
        try await stage.wait { $0[ids[0]]?.state == .completed }
        #expect(try stage.folder.read("out.bin") == body)
        #expect(stage.folder.names == ["out.bin"])
    }

    /// What a killed process leaves: only the gaps of the record are requested, whatever else is in the file.
    @Test(arguments: [1, 4]) func requestsTheGapsThatACrashLeaves(_ most: Int) async throws {
        let server = try RangeServer(body, rate: 8 * Self.rate)
        let ranges = ByteRangeSet([0..<1_000_000, 4_000_000..<7_000_000, 9_000_000..<11_000_000])
        var left = [UInt8](repeating: 0xAA, count: 11_500_000)
        for range in ranges.ranges { left.replaceSubrange(indices(range), with: body[indices(range)]) }
        let path = try stage.folder.write(left, to: part())
        PartialRecord.save(
            ResumeData(
                url: server.url(), validator: Validator(entityTag: "\"1\""), ranges: ranges, total: Int64(body.count),
                partialPath: path, bootID: nil))
        let result = try await stage.end(
            of: stage.download(server.url()) { spec, _ in spec.options.connections = most })
        #expect(result.state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
        #expect(server.firstBytes.sorted() == [1_000_000, 7_000_000, 11_000_000])
        #expect(try #require(result.metrics).bodyReceived <= Int64(body.count) - ranges.count + 2_000_000)
    }

    /// The record is written before the first byte out of order, and a download that is cancelled resumes from all of
    /// its pieces.
    @Test func resumesFromThePiecesOfACancelledDownload() async throws {
        let server = try RangeServer(body, rate: Self.rate)
        let spec = try stage.download(server.url())
        let ids = try await stage.queue.add([spec], paused: false)
        try await stage.wait { $0[ids[0]]?.connections == 4 && $0[ids[0]]?.bytes ?? 0 > 5 << 20 }
        try await stage.queue.perform(.cancel(deletingPartial: false), on: ids)
        try await stage.wait { $0[ids[0]]?.state == .cancelled }
        let record = try #require(PartialRecord.load(stage.folder.file(part() + ".json")))
        #expect(record.ranges.ranges.count > 1)
        #expect(record.ranges.count >= 5 << 20)
        let found = try stage.folder.read(part())
        for range in record.ranges.ranges {
            #expect(
                found[indices(range)].elementsEqual(
                    body[indices(range)]))
        }
        let result = try await stage.end(of: spec)
        #expect(result.state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
        let metrics = try #require(result.metrics)
        #expect(metrics.bodyReceived < Int64(body.count) - record.ranges.count + 3 << 20)
    }

    /// The writers of later pieces do not restore the length.
    @Test func truncationByAnotherProgramIsDetected() async throws {
        let server = try RangeServer(body, rate: Self.rate)
        let ids = try await stage.queue.add(
            [stage.download(server.url()) { spec, _ in spec.options.retries = 0 }], paused: false)
        try await stage.wait { $0[ids[0]]?.connections == 4 && $0[ids[0]]?.bytes ?? 0 > 5 << 20 }
        #expect(truncate(stage.folder.file(part()), 1000) == 0)
        try await stage.wait { $0[ids[0]]?.state.isEnded == true }
        #expect(!stage.folder.exists("out.bin"))
        let result = try #require(try await stage.queue.snapshot().transfers.first)
        #expect(result.error?.code == .partialFile)
    }
}
