// SPDX-License-Identifier: MIT

import Foundation
import SessionCore
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// One file at several servers.
@Suite(.timeLimit(.minutes(10))) struct MirrorTests {
    private let stage: QueueStage
    private static let body = patternedBytes(20 << 20)
    private static let small = patternedBytes(300_000)
    private static let rate = 1 << 20
    private static let pieceLength: Int64 = 1 << 20
    private var body: [UInt8] { Self.body }

    init() throws { stage = try QueueStage() }

    private func checksum(of bytes: [UInt8]) throws -> Checksum {
        try stage.folder.write(bytes, to: "digest")
        defer { try? FileManager.default.removeItem(atPath: stage.folder.file("digest")) }
        return Checksum(
            algorithm: .sha256, bytes: try #require(FileDigest.compute(.sha256, path: stage.folder.file("digest"))))
    }

    private func pieces(of bytes: [UInt8]) throws -> PieceDigests {
        try stage.folder.write(bytes, to: "pieces")
        defer { try? FileManager.default.removeItem(atPath: stage.folder.file("pieces")) }
        let file = try PartialFile(path: stage.folder.file("pieces"))
        let starts = stride(from: Int64(0), to: Int64(bytes.count), by: Int64.Stride(Self.pieceLength))
        return try PieceDigests(
            algorithm: .sha256, length: Self.pieceLength,
            bytes: starts.flatMap { start in
                FileDigest.compute(
                    .sha256, of: file.descriptor,
                    range: start..<min(start + Self.pieceLength, Int64(bytes.count))) ?? []
            })
    }

    private func mirrors(_ servers: RangeServer...) throws -> [FileMirror] {
        try servers.map { FileMirror(url: try TransferURL($0.url())) }
    }

    private func download(
        _ server: RangeServer, _ others: RangeServer...,
        change: (inout Spec, inout Download) throws -> Void = { _, _ in }
    ) throws -> Spec {
        var failure: (any Error)?
        let spec = try stage.download(server.url()) { spec, download in
            do {
                download.mirrors = try others.map { FileMirror(url: try TransferURL($0.url())) }
                try change(&spec, &download)
            } catch { failure = error }
        }
        if let failure { throw failure }
        return spec
    }

    // MARK: Failover

    @Test(arguments: ["404 Not Found", "503 Service Unavailable", "403 Forbidden"])
    func theNextAddressFollowsAFailure(_ status: String) async throws {
        let first = try RangeServer(Self.small, rate: 100 << 20) { _, _ in .status(status) }
        let second = try RangeServer(Self.small, rate: 100 << 20)
        let updates = stage.queue.updates()
        let result = try await stage.end(of: download(first, second))
        #expect(result.state == .completed)
        #expect(try stage.folder.read("out.bin") == Self.small)
        #expect(first.requests.count == 1)
        #expect(second.requests.count == 1)
        var notes: [TransferNote] = []
        for await update in updates {
            guard case .events(let events) = update else { continue }
            notes += events.compactMap { $0.name == .retrying ? $0.transfer.note : nil }
            if events.contains(where: { $0.transfer.state.isEnded }) { break }
        }
        guard case .mirror(let failed, let next, let error)? = notes.first else {
            Issue.record("\(notes)")
            return
        }
        #expect(first.url().contains(failed))
        #expect(second.url().contains(next))
        #expect(error.fields.status == Int(status.prefix(3)))
    }

    @Test func anAddressWithoutAServerIsOneOfMany() async throws {
        let second = try RangeServer(Self.small, rate: 100 << 20)
        let spec = try stage.download("http://127.0.0.1:1/file") { _, download in
            download.mirrors = [FileMirror(url: try! TransferURL(second.url()))]
        }
        #expect(try await stage.end(of: spec).state == .completed)
        #expect(try stage.folder.read("out.bin") == Self.small)
    }

    @Test func allMayFail() async throws {
        let first = try RangeServer(Self.small, rate: 100 << 20) { _, _ in .status("404 Not Found") }
        let second = try RangeServer(Self.small, rate: 100 << 20) { _, _ in .status("410 Gone") }
        let result = try await stage.end(of: download(first, second))
        #expect(result.state == .failed)
        #expect(result.error?.code == .httpStatus)
        #expect(first.requests.count == 1)
        #expect(second.requests.count == 1)
    }

    /// What one address has sent is of no use with another one's, unless a digest proves the file.
    @Test(arguments: [false, true]) func bytesOfTheFirstStayIfADigestIsKnown(_ isKnown: Bool) async throws {
        let first = try RangeServer(body, rate: 8 << 20) { number, _ in
            number == 1 ? .reset(after: 4 << 20) : .status("404 Not Found")
        }
        let second = try RangeServer(body, rate: 100 << 20, tag: "\"2\"")
        let result = try await stage.end(
            of: download(first, second) { spec, download in
                spec.options.connections = 1
                if isKnown { download.checksum = try checksum(of: body) }
            })
        #expect(result.state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
        #expect(stage.folder.names == ["out.bin"])
        let start = try #require(second.firstBytes.first)
        #expect(isKnown ? start > 0 : start == 0)
        // Never with the validator of the other server.
        #expect(!second.requests.contains { $0.contains("If-Range: \"1\"") })
    }

    /// Credentials, cookies and headers are for the origin of the transfer.
    @Test func mirrorsGetNoSecrets() async throws {
        let first = try RangeServer(Self.small, rate: 100 << 20) { _, _ in .status("404 Not Found") }
        let second = try RangeServer(Self.small, rate: 100 << 20)
        let spec = try download(first, second) { spec, _ in
            try spec.options.addHeader(name: "X-Key", value: "planted-header")
            try spec.options.addHeader(name: "Accept-Language", value: "ja")
            spec.options.cookies = [try Cookie(name: "c", value: "planted-cookie")]
            spec.options.credential = Credential(user: "planted-user", password: "planted-password")
            spec.options.referer = Secret("planted-referer")
        }
        #expect(try await stage.end(of: spec).state == .completed)
        let sent = try #require(second.requests.first)
        #expect(!sent.contains("planted"))
        #expect(!sent.lowercased().contains("authorization"))
        #expect(sent.contains("Accept-Language: ja"))
        #expect(first.requests.first?.contains("planted-header") == true)
    }

    // MARK: Several at once

    @Test func connectionsAskAllAddressesIfADigestIsKnown() async throws {
        let servers = try (1...3).map { try RangeServer(body, rate: Self.rate, tag: "\"\($0)\"") }
        let spec = try download(servers[0], servers[1], servers[2]) { _, download in
            download.checksum = try checksum(of: body)
        }
        let result = try await stage.end(of: spec)
        #expect(result.state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
        #expect(stage.folder.names == ["out.bin"])
        #expect(servers.allSatisfy { !$0.requests.isEmpty })
    }

    @Test func withoutADigestOneAddressIsEnough() async throws {
        let (first, second) = (try RangeServer(body, rate: Self.rate), try RangeServer(body, rate: Self.rate))
        #expect(try await stage.end(of: download(first, second)).state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
        #expect(second.requests.isEmpty)
        #expect(first.most == 4)
    }

    /// A mixture is found by its digest, and the file requested from one address alone.
    @Test func anAddressWithOtherBytesIsFound() async throws {
        let first = try RangeServer(body, rate: 2 * Self.rate)
        let wrong = try RangeServer(body, rate: 2 * Self.rate) { _, _ in .otherBytes }
        let result = try await stage.end(
            of: download(first, wrong) { _, download in download.checksum = try checksum(of: body) })
        #expect(result.state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
        #expect(!wrong.requests.isEmpty)
    }

    /// The first address alone has another file: the next one is asked for all of it.
    @Test func aWrongFirstAddressIsFollowedByTheNext() async throws {
        let wrong = try RangeServer(Self.small.reversed(), rate: 100 << 20)
        let right = try RangeServer(Self.small, rate: 100 << 20)
        let result = try await stage.end(
            of: download(wrong, right) { _, download in download.checksum = try checksum(of: Self.small) })
        #expect(result.state == .completed)
        #expect(try stage.folder.read("out.bin") == Self.small)
        #expect(wrong.requests.count == 1)
    }

    @Test func allMayHaveAnotherFile() async throws {
        let servers = try (0..<2).map { _ in try RangeServer(Self.small, rate: 100 << 20) }
        let result = try await stage.end(
            of: download(servers[0], servers[1]) { _, download in download.checksum = try checksum(of: [1, 2, 3]) })
        #expect(result.error?.code == .checksumMismatch)
        #expect(stage.folder.names.isEmpty)
        #expect(servers.allSatisfy { $0.requests.count == 1 })
    }

    /// A file of another size is not even fetched.
    @Test func theSizeIsThatOfTheList() async throws {
        let longer = try RangeServer(Self.small + [0], rate: 100 << 20)
        let right = try RangeServer(Self.small, rate: 100 << 20)
        let result = try await stage.end(
            of: download(longer, right) { _, download in download.size = Int64(Self.small.count) })
        #expect(result.state == .completed)
        #expect(try stage.folder.read("out.bin") == Self.small)
    }

    // MARK: Parts

    /// Only the wrong parts are requested again, and their server not any more.
    @Test func wrongPartsAreRequestedAgain() async throws {
        let first = try RangeServer(body, rate: 2 * Self.rate)
        let wrong = try RangeServer(body, rate: 2 * Self.rate) { _, _ in .otherBytes }
        let result = try await stage.end(
            of: download(first, wrong) { _, download in download.pieces = try pieces(of: body) })
        #expect(result.state == .completed)
        #expect(result.attempt == 1)
        #expect(try stage.folder.read("out.bin") == body)
        #expect(!wrong.requests.isEmpty)
        #expect(stage.folder.names == ["out.bin"])
    }

    /// The only connection has ended before a part of what it has stored is found to be wrong.
    @Test func wrongPartsOfAFastServerAreNeverKept() async throws {
        let server = try RangeServer(body, rate: 1 << 26) { number, _ in number == 1 ? .otherBytes : .serve }
        let result = try await stage.end(
            of: download(server) { spec, download in
                download.pieces = try pieces(of: body)
                spec.options.retries = 0
            })
        // If there was no time to compare a part before its end, one address alone is not asked again.
        guard result.state == .completed else {
            #expect(result.error?.code == .checksumMismatch)
            #expect(stage.folder.names.isEmpty)
            return
        }
        #expect(result.attempt == 1)
        #expect(try stage.folder.read("out.bin") == body)
        #expect(stage.folder.names == ["out.bin"])
    }

    /// The leading address may be the wrong one.
    @Test func aWrongLeaderIsReplaced() async throws {
        let wrong = try RangeServer(body, rate: 2 * Self.rate) { _, _ in .otherBytes }
        let right = try RangeServer(body, rate: 4 * Self.rate)
        let result = try await stage.end(
            of: download(wrong, right) { _, download in download.pieces = try pieces(of: body) })
        #expect(result.state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
        #expect(stage.folder.names == ["out.bin"])
    }

    @Test(arguments: [16 * rate, 1 << 30]) func partsWithoutTheRightBytesEndTheDownload(_ rate: Int) async throws {
        let only = try RangeServer(body, rate: rate) { _, _ in .otherBytes }
        let result = try await stage.end(
            of: download(only) { spec, download in
                download.pieces = try pieces(of: body)
                spec.options.retries = 0
            })
        #expect(result.error?.code == .checksumMismatch)
        #expect(!stage.folder.names.contains("out.bin"))
    }

    @Test func partsOfASmallFileAreCompared() async throws {
        let wrong = try RangeServer(Self.small.reversed(), rate: 100 << 20)
        let right = try RangeServer(Self.small, rate: 100 << 20)
        let result = try await stage.end(
            of: download(wrong, right) { _, download in download.pieces = try pieces(of: Self.small) })
        #expect(result.state == .completed)
        #expect(try stage.folder.read("out.bin") == Self.small)
    }

    // MARK: RFC 6249

    @Test func aResponseNamesMirrorsAndDigest() async throws {
        let second = try RangeServer(body, rate: Self.rate, tag: "\"2\"")
        let digest = ReprDigest(try checksum(of: body)).description
        let first = try RangeServer(
            body, rate: Self.rate, fields: ["Link: <\(second.url())>; rel=duplicate; pri=1", "Repr-Digest: \(digest)"])
        #expect(try await stage.end(of: download(first)).state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
        #expect(!second.requests.isEmpty)
    }

    @Test func mirrorsWithoutADigestAreNotAsked() async throws {
        let second = try RangeServer(body, rate: Self.rate)
        let first = try RangeServer(body, rate: Self.rate, fields: ["Link: <\(second.url())>; rel=duplicate"])
        #expect(try await stage.end(of: download(first)).state == .completed)
        #expect(second.requests.isEmpty)
    }

    /// Whatever entity tags it has: without a digest, nothing proves that its bytes are those of the first address.
    @Test func preferredMirrorsAreNotJoinedWithoutADigest() async throws {
        let second = try RangeServer(body, rate: Self.rate)
        let first = try RangeServer(body, rate: Self.rate, fields: ["Link: <\(second.url())>; rel=duplicate; pref"])
        #expect(try await stage.end(of: download(first)).state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
        #expect(second.requests.isEmpty)
    }

    /// The file of the mirror changes: its ranges are refused, and the others bring the rest.
    @Test func aMirrorMayChange() async throws {
        let second = try RangeServer(body, rate: Self.rate, tag: "\"2\"")
        let first = try RangeServer(body, rate: Self.rate)
        let spec = try download(first, second) { _, download in download.checksum = try checksum(of: body) }
        let ids = try await stage.queue.add([spec], paused: false)
        try await stage.wait { _ in !second.requests.isEmpty }
        second.change(to: patternedBytes(19 << 20, seed: 3), tag: "\"3\"")
        try await stage.wait { $0[ids[0]]?.state.isEnded == true }
        #expect(try await stage.queue.snapshot().transfers.first?.state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
    }
}
