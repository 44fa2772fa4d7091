// SPDX-License-Identifier: MIT

import CurlTransport
import Foundation
import Glibc
import Platform
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// Appends by the draft that state a digest of their content, over the real transport.
@Suite(.timeLimit(.minutes(10))) struct ContentDigestUploadTests {
    private let stage: QueueStage
    private let bytes = patternedBytes(20_000_000)
    private let rest = ["PATCH 8388608 8388608", "PATCH 16777216 3222784"]

    init() throws {
        stage = try QueueStage { _ in
            var configuration = LocalQueue.Configuration()
            configuration.jitter = { 0 }
            return configuration
        }
    }

    private func upload(to server: DigestServer, hasChecksum: Bool = true) async throws -> Transfer {
        let path = try stage.folder.write(bytes, to: "file")
        let digest = try #require(FileDigest.compute(.sha256, path: path))
        let checksum = hasChecksum ? Checksum(algorithm: .sha256, bytes: digest) : nil
        let upload = Upload(source: .file(path: path), form: .put, checksum: checksum, resumption: .auto)
        return try await stage.end(of: Spec(url: try TransferURL(server.url), operation: .upload(upload)))
    }

    @Test(arguments: [0, 2]) func damagedContentIsSentAgain(_ damages: Int) async throws {
        let server = try DigestServer(damages: damages)
        let result = try await upload(to: server)
        #expect(result.state == .completed, "\(result.error as Any)")
        #expect(result.confirmed == 20_000_000 && server.holds(bytes))
        var expected = ["OPTIONS", "PUT"]
        for _ in 0..<damages { expected += ["PATCH 0 8388608", "HEAD"] }
        #expect(server.words == expected + ["PATCH 0 8388608"] + rest)
        #expect(server.withoutDigest == 0)
    }

    @Test func damageWithoutEndFails() async throws {
        let server = try DigestServer(damages: .max)
        let result = try await upload(to: server)
        #expect(result.state == .failed && result.error?.fields.status == 400, "\(result.error as Any)")
        #expect(result.error?.message.contains("mismatched digest values") == true, "\(result.error as Any)")
        #expect(server.words.count { $0.hasPrefix("PATCH") } == 5 && server.holds([]))
    }

    /// Nothing of what breaks off remains there: the next request is half as large.
    @Test func aBrokenRequestIsSentAgainInParts() async throws {
        let server = try DigestServer(cuts: 1)
        let result = try await upload(to: server)
        #expect(result.state == .completed && server.holds(bytes), "\(result.error as Any)")
        #expect(
            server.words == [
                "OPTIONS", "PUT", "PATCH 0 8388608", "HEAD", "PATCH 0 4194304", "PATCH 4194304 8388608",
                "PATCH 12582912 7417088",
            ])
    }

    @Test(arguments: [true, false]) func aServerGetsThemIfItWants(_ wants: Bool) async throws {
        let server = try DigestServer(wants: wants)
        let result = try await upload(to: server, hasChecksum: false)
        #expect(result.state == .completed && server.holds(bytes), "\(result.error as Any)")
        #expect(server.words == ["OPTIONS", "PUT"] + (wants ? ["PATCH 0 8388608"] + rest : ["PATCH 0 20000000"]))
        #expect(server.withoutDigest == (wants ? 0 : 1))
    }

    /// From the bytes that are held in memory.
    @Test func streamsStateThemToo() async throws {
        let server = try DigestServer(damages: 1, wants: true)
        let content = Array(bytes[..<30_000])
        let reading = try pipe(content)
        let upload = Upload(source: .stream(descriptor: reading.number, name: "stdin"), resumption: .auto)
        let result = try await stage.end(of: Spec(url: try TransferURL(server.url), operation: .upload(upload)))
        withExtendedLifetime(reading) {}
        #expect(result.state == .completed && result.confirmed == 30_000, "\(result.error as Any)")
        #expect(server.holds(content) && server.withoutDigest == 0)
        #expect(server.words.contains("HEAD"))
    }

    /// With fewer bytes than a pipe holds.
    private func pipe(_ content: [UInt8]) throws -> Descriptor {
        let (reading, writing) = try Descriptor.pipe()
        let count = content.withUnsafeBytes { write(writing.number, $0.baseAddress, $0.count) }
        try #require(count == content.count)
        return reading
    }
}

/// A server of the draft with one upload, which verifies digests, and appends a request as a whole or not at all.
private final class DigestServer: Sendable {
    private struct State {
        var words: [String] = []
        var stored: [UInt8] = []
        var isComplete = false
        /// Requests whose first byte it gets wrong, and then such as break off.
        var damages: Int
        var cuts: Int
        var withoutDigest = 0
    }

    private let state: Mutex<State>
    private let wants: Bool
    private let held = Mutex<ScriptedServer?>(nil)

    var url: String { held.withLock { $0!.url() } }
    /// `PATCH 0 8388608`: offset and length.
    var words: [String] { state.withLock { $0.words } }
    /// Requests with content that stated no digest.
    var withoutDigest: Int { state.withLock { $0.withoutDigest } }
    func holds(_ bytes: [UInt8]) -> Bool { state.withLock { $0.stored == bytes } }

    init(damages: Int = 0, cuts: Int = 0, wants: Bool = false) throws {
        state = Mutex(State(damages: damages, cuts: cuts))
        self.wants = wants
        let server = try ScriptedServer { [weak self] connection, _ in
            while let head = connection.readHead() {
                guard self?.respond(to: head, connection) == true else { return }
            }
        }
        server.setReceiveBuffer(65_536)
        held.withLock { $0 = server }
    }

    private static func field(_ name: String, of head: String) -> String? {
        head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ": ") }
            .map { String($0.dropFirst(name.count + 2)) }
    }

    /// - Returns: false if the connection ends.
    private func respond(to head: String, _ connection: ScriptedConnection) -> Bool {
        let method = String(head.prefix { $0 != " " })
        guard method != "PATCH" else { return append(head, connection) }
        state.withLock { $0.words.append(method) }
        switch method {
        case "OPTIONS": connection.answer("204 No Content", ["Upload-Limit: min-size=0"])
        case "PUT":
            let field = wants ? ["Want-Content-Digest: sha-512=0, sha-256=5"] : []
            connection.answer("201 Created", ["Location: /u"] + field)
        default:
            let (count, isComplete) = state.withLock { ($0.stored.count, $0.isComplete) }
            let fields = ["Upload-Offset: \(count)", "Upload-Complete: \(isComplete ? "?1" : "?0")"]
            connection.send("HTTP/1.1 204 No Content\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
        }
        return true
    }

    private func append(_ head: String, _ connection: ScriptedConnection) -> Bool {
        let (offset, count) = (Self.field("upload-offset", of: head), Self.field("content-length", of: head))
        if Self.field("expect", of: head) != nil { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
        let length = count.flatMap { Int($0) } ?? 0
        let breaks = state.withLock { state in
            state.words.append("PATCH \(offset ?? "-") \(length)")
            defer { state.cuts -= state.cuts > 0 ? 1 : 0 }
            return state.cuts > 0
        }
        var body = connection.readBody(breaks ? length / 2 : length)
        guard !breaks, body.count == length else {
            connection.reset()
            return false
        }
        let stated = Self.field("content-digest", of: head)
        let isLast = Self.field("upload-complete", of: head) == "?1"
        let (isRight, isPlaced) = state.withLock { state in
            if !body.isEmpty, stated == nil { state.withoutDigest += 1 }
            if !body.isEmpty, state.damages > 0 {
                state.damages -= 1
                body[0] ^= 1
            }
            guard state.stored.count == offset.flatMap({ Int($0) }) else { return (true, false) }
            let digest = Checksum(algorithm: .sha256, bytes: FileDigest.compute(.sha256, of: body))
            guard stated ?? ReprDigest(digest).description == ReprDigest(digest).description else {
                return (false, false)
            }
            state.stored += body
            if isLast { state.isComplete = true }
            return (true, true)
        }
        let total = state.withLock { $0.stored.count }
        let problem = #"{"type":"about:blank","title":"mismatched digest values"}"#
        switch (isRight, isPlaced) {
        case (false, _):
            connection.answer(
                "400 Bad Request",
                ["Upload-Complete: ?0", "Upload-Offset: \(total)", "Content-Type: application/problem+json"],
                body: Array(problem.utf8))
        case (true, false): connection.answer("409 Conflict", ["Upload-Offset: \(total)"])
        case (true, true) where isLast: connection.answer("201 Created", ["Upload-Complete: ?1"])
        case (true, true):
            connection.send(
                "HTTP/1.1 204 No Content\r\nUpload-Complete: ?0\r\nUpload-Offset: \(total)\r\n\r\n")
        }
        return true
    }
}
