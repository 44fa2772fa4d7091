// SPDX-License-Identifier: MIT

import CurlTransport
import Glibc
import Platform
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// Streams at servers that want to know the length of a body.
@Suite(.timeLimit(.minutes(10))) struct StreamLengthTests {
    let stage: QueueStage

    init() throws {
        var configuration = LocalQueue.Configuration()
        configuration.jitter = { 0 }
        stage = try QueueStage { _ in configuration }
    }

    /// The end of an upload from a pipe.
    private func end(of content: [UInt8], at server: ScriptedServer) async throws -> Transfer {
        let reading = try pipe(content)
        let upload = Upload(source: .stream(descriptor: reading.number, name: "stdin"))
        let result = try await stage.end(of: Spec(url: try TransferURL(server.url()), operation: .upload(upload)))
        withExtendedLifetime(reading) {}
        return result
    }

    private func pipe(_ content: [UInt8]) throws -> Descriptor {
        let (reading, writing) = try Descriptor.pipe()
        let count = content.withUnsafeBytes { write(writing.number, $0.baseAddress, $0.count) }
        try #require(count == content.count)
        return reading
    }

    /// Takes any upload, and responds to HEAD with `response`.
    private func server(_ response: String, status: String = "201 Created") throws -> ScriptedServer {
        try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                guard !head.hasPrefix("HEAD") else {
                    connection.send("HTTP/1.1 \(response)\r\n\r\n")
                    continue
                }
                if head.contains("100-continue") { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
                _ = connection.readChunked()
                connection.answer(status)
            }
        }
    }

    private func methods(_ server: ScriptedServer) -> [Substring] { server.requests.map { $0.prefix { $0 != " " } } }

    @Test func anEmptyFileIsNoSuccess() async throws {
        let server = try server("200 OK\r\nContent-Length: 0")
        let result = try await end(of: [1, 2, 3], at: server)
        #expect(result.state == .failed)
        #expect(result.error?.code == .sendFailed)
        #expect(result.error?.fields.problem?.kind == .storedEmpty)
        #expect(methods(server) == ["PUT", "HEAD"])
    }

    /// What says nothing of an empty file.
    @Test(arguments: [
        "200 OK\r\nContent-Length: 3", "404 Not Found\r\nContent-Length: 0", "405 Not Allowed\r\nContent-Length: 0",
        "204 No Content",
    ]) func otherResponsesLeaveItASuccess(_ response: String) async throws {
        let server = try server(response)
        let result = try await end(of: [1, 2, 3], at: server)
        #expect(result.state == .completed, "\(result.error as Any)")
        #expect(result.httpStatus == 201 && result.bytes == 3)
    }

    @Test func anEmptyStreamIsNotAskedFor() async throws {
        let server = try server("200 OK\r\nContent-Length: 0")
        let result = try await end(of: [], at: server)
        #expect(result.state == .completed, "\(result.error as Any)")
        #expect(methods(server) == ["PUT"])
    }

    @Test(arguments: ["411 Length Required", "501 Not Implemented"]) func namesTheDemandForALength(
        _ status: String
    ) async throws {
        let server = try server("200 OK", status: status)
        let result = try await end(of: [1, 2, 3], at: server)
        #expect(result.state == .failed)
        #expect(result.error?.fields.variant == .lengthRequired)
        #expect(methods(server) == ["PUT"])
    }
}
