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

/// Extensions of tus that the server announces, over the real transport.
@Suite(.timeLimit(.minutes(10))) struct TusUploadTests {
    private let stage: QueueStage

    init() throws {
        stage = try QueueStage { _ in
            var configuration = LocalQueue.Configuration()
            configuration.jitter = { 0 }
            return configuration
        }
    }

    private func spec(_ server: TusServer, _ path: String, checksum: Checksum? = nil) throws -> Spec {
        let upload = Upload(source: .file(path: path), form: .put, checksum: checksum, resumption: .tus)
        return Spec(url: try TransferURL(server.url), operation: .upload(upload))
    }

    @Test func smallFilesTakeOneRequestEach() async throws {
        let server = try TusServer()
        for number in 0..<3 {
            let bytes = patternedBytes(60_000, seed: UInt64(number + 1))
            let result = try await stage.end(of: spec(server, stage.folder.write(bytes, to: "file")))
            #expect(result.state == .completed && result.uploadProtocol == "tus-1.0.0")
            #expect(result.confirmed == 60_000)
            #expect(server.holds(bytes))
        }
        #expect(server.words == ["OPTIONS", "POST 60000", "POST 60000", "POST 60000"])
    }

    /// Of a file that was sent whole, with an unknown outcome, no second one is made.
    @Test func aLostResponseIsNoSecondFile() async throws {
        let server = try TusServer(losesResponses: true)
        let path = try stage.folder.write(patternedBytes(60_000), to: "file")
        let result = try await stage.end(of: spec(server, path))
        #expect(result.state == .failed && result.error?.fields.variant == .outcomeUnknown)
        #expect(server.words == ["OPTIONS", "POST 60000"])
    }

    @Test(arguments: [0, 2]) func requestsStateTheChecksumOfTheirContent(_ damages: Int) async throws {
        let server = try TusServer(damages: damages)
        let bytes = patternedBytes(20_000_000)
        let path = try stage.folder.write(bytes, to: "file")
        let digest = try #require(FileDigest.compute(.sha256, path: path))
        let result = try await stage.end(
            of: spec(server, path, checksum: Checksum(algorithm: .sha256, bytes: digest)))
        #expect(result.state == .completed)
        #expect(server.holds(bytes))
        var expected = ["OPTIONS", "POST 0"]
        for _ in 0..<damages { expected += ["PATCH 8388608", "HEAD"] }
        expected += ["PATCH 8388608", "PATCH 8388608", "PATCH 3222784"]
        #expect(server.words == expected)
    }

    @Test func damageWithoutEndFails() async throws {
        let server = try TusServer(damages: .max)
        let path = try stage.folder.write(patternedBytes(3_000_000), to: "file")
        let digest = try #require(FileDigest.compute(.sha256, path: path))
        let result = try await stage.end(
            of: spec(server, path, checksum: Checksum(algorithm: .sha256, bytes: digest)))
        #expect(result.state == .failed && result.error?.code == .checksumMismatch)
        #expect(result.error?.message.contains("received other bytes than were sent") == true)
        #expect(server.words.count { $0.hasPrefix("PATCH") } == 5)
    }
}

/// A tus server with one upload at a time, which verifies checksums.
private final class TusServer: Sendable {
    private struct State {
        var words: [String] = []
        var stored: [UInt8] = []
        /// Requests whose first byte it gets wrong.
        var damages: Int
    }

    private let state: Mutex<State>
    private let held = Mutex<ScriptedServer?>(nil)

    var url: String { held.withLock { $0!.url("/files/") } }
    var words: [String] { state.withLock { $0.words } }
    func holds(_ bytes: [UInt8]) -> Bool { state.withLock { $0.stored == bytes } }

    init(damages: Int = 0, losesResponses: Bool = false) throws {
        state = Mutex(State(damages: damages))
        let server = try ScriptedServer { [weak self] connection, _ in
            while let head = connection.readHead() {
                guard let (status, fields) = self?.respond(to: head, connection) else { return }
                if losesResponses, head.hasPrefix("POST") { return connection.reset() }
                connection.send("HTTP/1.1 \(status)\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
            }
        }
        held.withLock { $0 = server }
    }

    private func respond(to head: String, _ connection: ScriptedConnection) -> (String, [String]) {
        func field(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ": ") }.map {
                String($0.dropFirst(name.count + 2))
            }
        }
        let (method, count) = (head.prefix { $0 != " " }, Int(field("content-length") ?? "0") ?? 0)
        if field("expect") != nil { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
        var body = connection.readBody(count)
        return state.withLock { state in
            state.words.append(method == "POST" || method == "PATCH" ? "\(method) \(count)" : "\(method)")
            if method == "OPTIONS" {
                return (
                    "204 No Content",
                    [
                        "Tus-Version: 1.0.0", "Tus-Extension: creation,creation-with-upload,checksum",
                        "Tus-Checksum-Algorithm: sha1,sha256",
                    ]
                )
            }
            if method == "POST" { state.stored = [] }
            if !body.isEmpty, state.damages > 0 {
                state.damages -= 1
                body[0] ^= 1
            }
            if !isRight(body, field("upload-checksum")) { return ("460 Checksum Mismatch", ["Content-Length: 0"]) }
            state.stored += body
            let fields = ["Upload-Offset: \(state.stored.count)", "Location: /files/1"]
            return method == "POST" ? ("201 Created", fields + ["Content-Length: 0"]) : ("204 No Content", fields)
        }
    }

    private func isRight(_ body: [UInt8], _ stated: String?) -> Bool {
        guard let stated else { return true }
        guard case .checksum(let checksum) = Tus.ChecksumField(parsing: stated),
            let folder = try? TemporaryFolder(), let path = try? folder.write(body, to: "body")
        else { return false }
        return FileDigest.compute(checksum.algorithm, path: path) == checksum.bytes
    }
}
