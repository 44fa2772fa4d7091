// SPDX-License-Identifier: MIT

import CurlTransport
import Foundation
import HTTPTypes
import SessionCore
import Testing
import TransferModel
import TransferTesting

/// Bodies that come compressed.
@Suite struct DecodingTests {
    private static let text = Array(String(repeating: "The quick brown fox. ", count: 40).utf8)
    private static let coded = [
        "gzip": "H4sIAAAAAAACAwvJSFUoLM1MzlZIKsovz1NIy6/QUwgZFRwVHBUkRRAAtrCEBUgDAAA=",
        "zstd": "KLUv/QRo5QAAqFRoZSBxdWljayBicm93biBmb3guIAEAYWI1mex8nl0=",
    ]

    private func bytes(_ coding: String) throws -> [UInt8] {
        [UInt8](try #require(Data(base64Encoded: Self.coded[coding] ?? "")))
    }

    /// Sends the body in this coding, whatever was asked for.
    private func server(_ coding: String) throws -> ScriptedServer {
        let body = try bytes(coding)
        return try ScriptedServer { connection, _ in
            while connection.readHead() != nil {
                connection.answer("200 OK", ["Content-Encoding: \(coding)", "ETag: \"v\""], body: body)
            }
        }
    }

    private func session(_ decodes: Bool) throws -> TransferSession {
        var configuration = TransferConfiguration()
        configuration.proxy = .none
        configuration.decodesBodies = decodes
        return TransferSession(configuration: configuration, transport: try CurlTransport())
    }

    private func request(_ server: ScriptedServer, _ decodes: Bool? = nil) throws -> TransferRequest {
        var request = TransferRequest(url: try TransferURL(server.url()))
        request.decodesBody = decodes
        return request
    }

    /// What the libcurl of this machine decodes of ``coded``.
    private static var codings: [String] { (try? CurlTransport())?.supportedCodings.filter { coded[$0] != nil } ?? [] }

    @Test func decodesGzip() { #expect(Self.codings.contains("gzip")) }

    @Test(arguments: codings) func decodesDataTasksOnRequest(_ coding: String) async throws {
        let transport = try CurlTransport()
        let server = try server(coding)
        let answer = try await session(true).data(for: try request(server))
        #expect(answer.body == Self.text)
        #expect(
            answer.response.headerFields[.contentEncoding] == nil && answer.response.headerFields[.contentLength] == nil
        )
        #expect(answer.response.headerFields[.eTag] == "\"v\"")
        #expect(server.requests[0].contains("Accept-Encoding: \(transport.supportedCodings.joined(separator: ", "))"))
    }

    @Test func requestOptionsTakePrecedence() async throws {
        let server = try server("gzip")
        #expect(try await session(false).data(for: try request(server, true)).body == Self.text)
        let plain = try await session(true).data(for: try request(server, false))
        #expect(try plain.body == bytes("gzip"))
        #expect(plain.response.headerFields[.contentEncoding] == "gzip")
        #expect(server.requests[1].contains("Accept-Encoding: identity"))
    }

    @Test func filesAreNeverDecoded() async throws {
        let (server, folder) = (try server("gzip"), try TemporaryFolder())
        let file = try PartialFile(path: folder.file("got"))
        _ = try await session(true).download(for: try request(server, true), into: file)
        #expect(try folder.read("got") == bytes("gzip"))
        #expect(server.requests[0].contains("Accept-Encoding: identity"))
    }

    @Test func truncatedBodiesAreAnError() async throws {
        let body = try bytes("gzip")
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n")
            connection.send(Array(body.dropLast(8)))
        }
        await #expect(throws: TransferError.self) { try await session(true).data(for: try request(server)) }
    }
}
