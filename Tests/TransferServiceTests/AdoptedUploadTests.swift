// SPDX-License-Identifier: MIT

import CurlTransport
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// Uploads that another program has created and begun, as services do whose users get the address of an upload.
@Suite(.timeLimit(.minutes(10))) struct AdoptedUploadTests {
    private static let bytes = patternedBytes(3_000_000)
    private static let start = 1_000_000

    /// - Parameter fields: of the last response.
    private func upload(_ status: String, _ fields: [String] = []) async throws -> Transfer {
        let stage = try QueueStage()
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                switch head.prefix(while: { $0 != " " }) {
                case "POST": connection.answer("405 Method Not Allowed")
                case "HEAD":
                    connection.answer("200 OK", ["Upload-Offset: \(Self.start)", "Upload-Length: \(Self.bytes.count)"])
                case "PATCH":
                    if head.lowercased().contains("expect:") { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
                    guard connection.readBody(Self.bytes.count - Self.start) == Array(Self.bytes[Self.start...]) else {
                        return connection.reset()
                    }
                    connection.answer(status, ["Upload-Offset: \(Self.bytes.count)"] + fields)
                default: return
                }
            }
        }
        let path = try stage.folder.write(Self.bytes, to: "file")
        let upload = Upload(source: .file(path: path), form: .put, resumption: .tus)
        let result = try await stage.end(of: Spec(url: try TransferURL(server.url("/u")), operation: .upload(upload)))
        #expect(server.requests.map { $0.prefix { $0 != " " } } == ["POST", "HEAD", "PATCH"])
        return result
    }

    @Test func saysWhatItDidNotSend() async throws {
        let result = try await upload("204 No Content")
        #expect(result.state == .completed && result.confirmed == 3_000_000, "\(String(describing: result.error))")
        #expect(result.note == .adopted(at: 1_000_000) && result.metrics?.resumedFrom == 1_000_000)
    }

    /// The upload of the other program is gone: this one sends everything.
    @Test func anUploadOfItsOwnIsNotAdopted() async throws {
        var configuration = LocalQueue.Configuration()
        configuration.jitter = { 0 }
        let stage = try QueueStage { [configuration] _ in configuration }
        let created = Atomic<Bool>(false)
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                switch (head.prefix(while: { $0 != " " }), created.load(ordering: .relaxed)) {
                case ("POST", false): connection.answer("405 Method Not Allowed")
                case ("POST", true): connection.answer("201 Created", ["Location: /own"])
                case ("HEAD", _):
                    connection.answer("200 OK", ["Upload-Offset: \(Self.start)", "Upload-Length: \(Self.bytes.count)"])
                case ("PATCH", false):
                    created.store(true, ordering: .relaxed)
                    return connection.answer("404 Not Found")
                case ("PATCH", true):
                    if head.lowercased().contains("expect:") { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
                    guard connection.readBody(Self.bytes.count) == Self.bytes else { return connection.reset() }
                    connection.answer("204 No Content", ["Upload-Offset: \(Self.bytes.count)"])
                default: return
                }
            }
        }
        let path = try stage.folder.write(Self.bytes, to: "file")
        let upload = Upload(source: .file(path: path), form: .put, resumption: .tus)
        let result = try await stage.end(of: Spec(url: try TransferURL(server.url("/u")), operation: .upload(upload)))
        #expect(result.state == .completed && result.confirmed == 3_000_000, "\(String(describing: result.error))")
        #expect(result.note != .adopted(at: 1_000_000))
    }

    @Test func comparesTheDigestOfTheWhole() async throws {
        let digest = ReprDigest(Checksum(algorithm: .sha256, bytes: FileDigest.compute(.sha256, of: Self.bytes)))
        #expect(try await upload("201 Created", ["Repr-Digest: \(digest)"]).state == .completed)
        let other = ReprDigest(Checksum(algorithm: .sha256, bytes: [UInt8](repeating: 0, count: 32)))
        let result = try await upload("201 Created", ["Repr-Digest: \(other)"])
        #expect(result.state == .failed && result.error?.code == .checksumMismatch)
    }
}
