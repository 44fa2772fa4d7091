// SPDX-License-Identifier: MIT

import FileServer
import Foundation
import Testing
import TransferTesting

/// A request for another protocol gets its response by HTTP/1.1, and is the last of its connection.
struct UpgradeTests {
    @Test(arguments: [
        ("GET /x", "Connection: Upgrade\r\nUpgrade: websocket\r\n", "", "200"),
        ("GET /x", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n", "", "200"),
        ("GET /x", "connection: keep-alive, upgrade\r\nupgrade: a, b/1\r\n", "", "200"),
        ("GET /x", "Upgrade: x\r\n", "", "200"), ("GET /x", "Connection: close\r\n", "", "200"),
        ("PUT /new", "Connection: Upgrade\r\nUpgrade: x\r\nContent-Length: 3\r\n", "one", "201"),
        ("CONNECT localhost:22", "", "", "4"),
    ])
    func theConnectionIsClosed(request: String, fields: String, body: String, status: String) async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("x", "inside")
            let raw = try RawConnection(port: folder.server.port)
            await raw.send(
                "\(request) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\(body)"
                    + "GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await raw.expectLastResponse(status)
            #expect(try folder.tree() == (body.isEmpty ? ["x"] : ["new", "x"]))
        }
    }

    @Test func aLargeResponseIsWhole() async throws {
        try await ServedFolder.with { (folder) async throws in
            let bytes = sampleBytes(5_000_000)
            try folder.write("big", bytes)
            let answer = try await folder.curl("/big", "-H", "Connection: Upgrade", "-H", "Upgrade: h2c")
            #expect(answer.exit == 0 && answer.body == bytes)
            #expect(answer.headers["connection"] == "close")
        }
    }

    /// What follows such a request, and white space without end, which the decoder would collect.
    @Test(arguments: [
        "GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
        "CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET /x HTTP/1.1\r\nHost: localhost\r\nX:",
        "PUT /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX:",
    ])
    func bytesAreNotCollected(head: String) async throws {
        try await ServedFolder.with({ configuration, _ in configuration.token = "secret" }) { (folder) async throws in
            let raw = try RawConnection(port: folder.server.port)
            await raw.send(head)
            #expect(await raw.send(Data(repeating: UInt8(ascii: " "), count: 60_000_000)) < 60_000_000)
        }
    }
}
