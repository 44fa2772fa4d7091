// SPDX-License-Identifier: MIT

import CurlTransport
import Foundation
import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

@testable import TransferService

/// Uploads whose address is at another origin than their target, and redirects of their requests.
@Suite(.timeLimit(.minutes(10))) struct ForeignUploadTests {
    private let stage: QueueStage
    private let bytes = patternedBytes(3_000_000)

    init() throws {
        stage = try QueueStage { _ in
            var configuration = LocalQueue.Configuration()
            configuration.jitter = { 0 }
            return configuration
        }
    }

    /// An upload with a secret in each place that can have one.
    private func spec(_ url: String, _ path: String) throws -> Spec {
        let upload = Upload(source: .file(path: path), form: .put, resumption: .tus)
        var options = TransferOptions()
        options.headers = [
            HTTPField(name: .authorization, value: "Bearer secret-token"),
            HTTPField(name: .init("X-Api-Key")!, value: "secret-key"),
        ]
        options.cookies = [try Cookie(name: "sid", value: "secret-cookie")]
        options.retries = 2
        return Spec(
            url: try TransferURL(url.replacing("//", with: "//u:secret-word@")), operation: .upload(upload),
            options: options)
    }

    /// Takes what is appended; of the first append only a part.
    private func store(_ stored: Received) throws -> ScriptedServer {
        try ScriptedServer { connection, number in
            while let head = connection.readHead() {
                if head.hasPrefix("HEAD") {
                    connection.answer("200 OK", ["Upload-Offset: \(stored.value.count)"])
                    continue
                }
                let length = Int(head.lowercased().firstMatch(of: /content-length: (\d+)/)?.1 ?? "0") ?? 0
                if head.lowercased().contains("expect:") { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
                if stored.value.isEmpty, length > 1_000_000 {
                    stored.value += connection.readBody(1_000_000)
                    return connection.reset()
                }
                stored.value += connection.readBody(length)
                connection.answer("204 No Content", ["Upload-Offset: \(stored.value.count)"])
            }
        }
    }

    @Test func anUploadAtAnotherServerGetsTheFileAndNoSecret() async throws {
        let stored = Received()
        let other = try store(stored)
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil {
                connection.answer("201 Created", ["Location: \(other.url("/u?key=1"))"])
            }
        }
        let path = try stage.folder.write(bytes, to: "file")
        let result = try await stage.end(of: spec(server.url("/files/"), path))
        #expect(result.state == .completed, "\(result.error?.message ?? "")")
        #expect(stored.value == bytes)
        #expect(result.finalURL.map { $0.hasPrefix("http://127.0.0.1:\(other.port)/") } == true)
        #expect(other.requests.map { $0.prefix { $0 != " " } } == ["PATCH", "HEAD", "PATCH"])
        for request in other.requests {
            #expect(!request.contains("secret") && !request.lowercased().contains("authorization"), "\(request)")
        }
        #expect(server.requests.allSatisfy { $0.contains("secret-key") })
    }

    @Test func requestsAboutAnUploadAreNotRedirectedToOtherServers() async throws {
        let other = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("204 No Content", ["Upload-Offset: 3000000"]) }
        }
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                if head.hasPrefix("POST") {
                    connection.answer("201 Created", ["Location: /u"])
                } else {
                    connection.answer(
                        "307 Temporary Redirect", ["Location: \(other.url("/u"))", "Connection: close"])
                    return
                }
            }
        }
        let path = try stage.folder.write(bytes, to: "file")
        let result = try await stage.end(of: spec(server.url("/files/"), path))
        #expect(result.state == .failed && other.requests.isEmpty)
        #expect(
            result.error?.message
                == "127.0.0.1:\(server.port): leads the upload to another server (127.0.0.1:\(other.port))")
    }
}

/// For the threads of a server.
private final class Received: Sendable {
    private let held = Mutex<[UInt8]>([])
    var value: [UInt8] {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
