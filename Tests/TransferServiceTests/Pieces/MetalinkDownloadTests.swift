// SPDX-License-Identifier: MIT

import Foundation
import SessionCore
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// Addresses that respond with a Metalink document in place of a file.
@Suite(.timeLimit(.minutes(10))) struct MetalinkDownloadTests {
    private let stage: QueueStage
    private static let body = patternedBytes(300_000)
    private static let rate = 100 << 20
    private static let type = "Content-Type: application/metalink4+xml; charset=utf-8"
    private var body: [UInt8] { Self.body }

    init() throws { stage = try QueueStage() }

    private func sum(of bytes: [UInt8]) throws -> String {
        try stage.folder.write(bytes, to: "digest")
        defer { try? FileManager.default.removeItem(atPath: stage.folder.file("digest")) }
        return Hex.encode(try #require(FileDigest.compute(.sha256, path: stage.folder.file("digest"))))
    }

    private func file(_ name: String, _ addresses: [String], sum: String? = nil) -> String {
        let urls = addresses.enumerated().map { "<url priority=\"\($0.offset + 1)\">\($0.element)</url>" }
        let hash = sum.map { "<hash type=\"sha-256\">\($0)</hash>" } ?? ""
        return "<file name=\"\(name)\">\(hash)\(urls.joined())</file>"
    }

    private func server(
        _ content: String, _ deed: @escaping @Sendable (Int, Int) -> RangeServer.Deed = { _, _ in .serve }
    ) throws -> RangeServer {
        let text = "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">\(content)</metalink>"
        return try RangeServer(Array(text.utf8), rate: Self.rate, fields: [Self.type], deed: deed)
    }

    private func end(
        of server: RangeServer, _ change: (inout Spec, inout Download) -> Void = { _, _ in }
    ) async throws -> Transfer {
        try await stage.end(
            of: stage.download(server.url()) { spec, download in
                download.destination = .folder(path: stage.folder.path, name: "latest")
                change(&spec, &download)
            })
    }

    /// The file gets the name that the document states, whatever servers propose.
    @Test(arguments: [100, 300_000]) func aDocumentLeadsToItsFile(_ size: Int) async throws {
        let bytes = Array(body.prefix(size))
        let mirror = try RangeServer(
            bytes, rate: Self.rate, fields: ["Content-Disposition: attachment; filename=\"other.bin\""])
        let documents = try server(file("名前.bin", [mirror.url()], sum: try sum(of: bytes)))
        // Without a sync, small files take no task.
        let result = try await end(of: documents) { _, download in download.syncs = size > 100 }
        #expect(result.state == .completed)
        #expect(result.attempt == 1)
        #expect(result.file == stage.folder.file("名前.bin"))
        #expect(stage.folder.names == ["名前.bin"])
        #expect(try stage.folder.read("名前.bin") == bytes)
        #expect(documents.requests.count == 2 && mirror.requests.count == 1)
    }

    @Test func aGivenNameStays() async throws {
        let mirror = try RangeServer(body, rate: Self.rate)
        let documents = try server(file("a.bin", [mirror.url()]))
        let result = try await stage.end(of: stage.download(documents.url()))
        #expect(result.state == .completed)
        #expect(stage.folder.names == ["out.bin"])
        #expect(try stage.folder.read("out.bin") == body)
    }

    @Test(arguments: [false, true]) func theDocumentItselfMayBeWanted(_ isNamed: Bool) async throws {
        let documents = try server(file("a.bin", ["http://127.0.0.1:1/"]))
        let path = stage.folder.file(isNamed ? "kept.META4" : "kept")
        let result = try await end(of: documents) { _, download in
            download.destination = .file(path: path)
            download.followsMetalink = isNamed
        }
        #expect(result.state == .completed)
        #expect(documents.requests.count == 1)
        let text = String(decoding: try stage.folder.read(isNamed ? "kept.META4" : "kept"), as: UTF8.self)
        #expect(text.contains("127.0.0.1:1"))
    }

    /// Addresses without the file, with another document in its place, and with other bytes.
    @Test func theNextAddressFollowsAFailure() async throws {
        let missing = try RangeServer(body, rate: Self.rate) { _, _ in .status("404 Not Found") }
        let other = try server(file("b.bin", ["http://127.0.0.1:1/"]))
        let wrong = try RangeServer(body.reversed(), rate: Self.rate)
        let right = try RangeServer(body, rate: Self.rate)
        let documents = try server(
            file("a.bin", [missing, other, wrong, right].map { $0.url() }, sum: try sum(of: body)))
        let result = try await end(of: documents)
        #expect(result.state == .completed)
        #expect(try stage.folder.read("a.bin") == body)
        #expect(stage.folder.names == ["a.bin"])
        #expect(!missing.requests.isEmpty && !other.requests.isEmpty)
        #expect(wrong.requests.count == 1 && right.requests.count == 1)
    }

    /// Credentials, cookies and headers are for the origin of the document.
    @Test func itsAddressesGetNoSecrets() async throws {
        let mirror = try RangeServer(body, rate: Self.rate)
        let documents = try server(file("a.bin", [mirror.url()]))
        let result = try await end(of: documents) { spec, _ in
            spec.options.referer = Secret("http://h/planted")
            spec.options.credential = Credential(user: "planted-user", password: "planted-password")
        }
        #expect(result.state == .completed)
        #expect(documents.requests.allSatisfy { $0.contains("planted") })
        let sent = try #require(mirror.requests.first)
        #expect(!sent.contains("planted") && !sent.lowercased().contains("authorization"))
    }

    /// What cannot be followed is no file either.
    @Test(arguments: ["several", "none", "text", "large"]) func otherDocumentsFail(_ kind: String) async throws {
        let content =
            switch kind {
            case "several": file("a", ["http://127.0.0.1:1/"]) + file("b", ["http://127.0.0.1:1/"])
            case "none": file("a", [])
            case "large": String(repeating: " ", count: Metalink.maximumBytes)
            default: "<"
            }
        let documents = try server(content)
        let result = try await end(of: documents)
        #expect(result.state == .failed)
        #expect(result.error?.fields.variant == .metalink)
        #expect(stage.folder.names.isEmpty)
        #expect(documents.requests.count == 2)
    }

    @Test func aRefusedDocumentIsRequestedAgain() async throws {
        let mirror = try RangeServer(body, rate: Self.rate)
        let documents = try server(file("a.bin", [mirror.url()])) { number, _ in
            number == 2 ? .status("503 Service Unavailable") : .serve
        }
        let result = try await end(of: documents)
        #expect(result.state == .completed)
        #expect(result.attempt == 2)
        #expect(documents.requests.count == 4)
    }

    /// Another process knows the partial file, but neither the document nor the addresses.
    @Test func aLaterDownloadResumes() async throws {
        let body = patternedBytes(4 << 20)
        let mirror = try RangeServer(body, rate: 8 << 20) { number, _ in
            number == 1 ? .reset(after: 2 << 20) : .serve
        }
        let documents = try server(file("a.bin", [mirror.url()], sum: try sum(of: body)))
        let first = try await end(of: documents) { spec, _ in spec.options.retries = 0 }
        #expect(first.state == .failed)
        #expect(stage.folder.names.contains("latest.fileq-part"))
        let second = try await end(of: documents)
        #expect(second.state == .completed)
        #expect(second.note == nil)
        #expect(try stage.folder.read("a.bin") == body)
        #expect(stage.folder.names == ["a.bin"])
        #expect(mirror.firstBytes.last ?? 0 > 0)
    }

    /// While the document is on its way, too.
    @Test func cancellingLeavesNothing() async throws {
        let documents = try server(file("a.bin", ["http://127.0.0.1:1/"])) { number, _ in
            number == 2 ? .silence : .serve
        }
        let spec = try stage.download(documents.url())
        let id = try await stage.queue.add([spec], paused: false)[0]
        #expect(await eventually { documents.requests.count == 2 })
        try await stage.queue.perform(.cancel(deletingPartial: true), on: [id])
        try await stage.wait { $0[id]?.state == .cancelled }
        #expect(await eventually { stage.folder.names.isEmpty })
    }

    // MARK: Addresses

    private func addresses(_ algorithm: Checksum.Algorithm?, isSecure: Bool, allowsDowngrade: Bool) throws -> [String] {
        var file = Metalink.File(name: "a")
        file.addresses = try ["http://a/", "https://b/", "http://c/"].map { FileMirror(url: try TransferURL($0)) }
        file.checksum = algorithm.map { Checksum(algorithm: $0, bytes: Array(repeating: 0, count: $0.byteCount)) }
        return file.addresses(isSecure: isSecure, allowsDowngrade: allowsDowngrade).map(\.url.host)
    }

    /// Of a document over https, addresses without need a strong checksum.
    @Test func addressesMustNotBeWeaker() throws {
        #expect(try addresses(nil, isSecure: false, allowsDowngrade: false) == ["a", "b", "c"])
        #expect(try addresses(nil, isSecure: true, allowsDowngrade: false) == ["b"])
        #expect(try addresses(.sha1, isSecure: true, allowsDowngrade: false) == ["b"])
        #expect(try addresses(.sha256, isSecure: true, allowsDowngrade: false) == ["a", "b", "c"])
        #expect(try addresses(.md5, isSecure: true, allowsDowngrade: true) == ["a", "b", "c"])
    }
}
