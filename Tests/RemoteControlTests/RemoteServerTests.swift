// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import RemoteControl

@Suite struct RemoteServerTests {
    private static let secret = RemoteFixture.secret

    private func serve(
        _ queue: FakeQueue = FakeQueue(), delay: Duration = .zero, change: (inout RemoteSettings) -> Void = { _ in },
        body: (RemoteServer) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        var settings = RemoteSettings(secret: Self.secret, folder: folder.path)
        settings.port = 0
        change(&settings)
        let server = try await RemoteServer.start(
            settings, queue: queue, readDocument: { _ in [] }, refusalDelay: delay)
        do { try await body(server) } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private static func post(
        _ body: String, path: String = "/jsonrpc", host: String = "127.0.0.1", fields: String = ""
    ) -> String {
        "POST \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func request(_ method: String, token: String = secret) -> String {
        #"{"jsonrpc":"2.0","id":"1","method":"aria2.\#(method)","params":["token:\#(token)"]}"#
    }

    @Test func connectionServesSeveralRequests() async throws {
        try await serve { server in
            let connection = try RawConnection(port: server.port, patience: 60)
            for type in ["application/json", "text/plain", "anything"] {
                await connection.send(
                    Self.post(Self.request("getVersion"), fields: "Content-Type: \(type)\r\n"))
                let response = await connection.receive(until: "}}")
                #expect(response.hasPrefix("HTTP/1.1 200"))
                #expect(response.contains("Content-Type: application/json-rpc\r\n"))
                #expect(response.contains(#""version":"1.37.0""#))
            }
        }
    }

    private static let body = request("saveSession")

    private static let requests: [(String, String)] = [
        (post(body, host: "evil.test"), "421"), (post(body, host: "127.0.0.1:1"), "200"),
        (post(body, host: "localhost"), "200"), (post(body, host: "nas.test:80"), "200"),
        (post(body, host: "a b"), "400"), ("POST /jsonrpc HTTP/1.1\r\nContent-Length: 0\r\n\r\n", "400"),
        (post(body, fields: "Host: other\r\n"), "400"),
        (post(body, fields: "Origin: https://evil.test\r\n"), "403"), (post(body, fields: "Origin: null\r\n"), "403"),
        (post(body, fields: "Origin: http://127.0.0.1\r\n"), "200"),
        (post(body, fields: "Origin: http://127.0.0.1:80\r\n"), "403"),
        (post(body, fields: "Origin: moz-extension://abc\r\n"), "200"),
        (post(body, fields: "Origin: chrome-extension://abc\r\n"), "200"),
        (post(body, fields: "Origin: https://ariang.test\r\n"), "200"),
        (post(body, fields: "Origin: https://ariang.test.evil.test\r\n"), "403"),
        (post(body, path: "/"), "404"), (post(body, path: "/jsonrpc/x"), "404"),
        (post(body, path: "/jsonrpc?x"), "200"),
        ("GET /jsonrpc?method=aria2.getVersion&id=1 HTTP/1.1\r\nHost: localhost\r\n\r\n", "405"),
        ("PUT /jsonrpc HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", "405"),
        ("POST /jsonrpc HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2097153\r\n\r\n", "413"),
        (post("{"), "500"), (post(request("saveSession", token: "wrong")), "400"), ("nonsense\r\n\r\n", "400"),
    ]

    @Test(arguments: requests)
    func statusOf(_ request: String, _ status: String) async throws {
        try await serve { settings in
            (settings.names, settings.origins) = (["nas.test"], ["https://ariang.test"])
        } body: { server in
            let connection = try RawConnection(port: server.port, patience: 60)
            await connection.send(request)
            let response = await connection.receive(until: "\r\n")
            #expect(response.hasPrefix("HTTP/1.1 \(status)"), "\(response)")
        }
    }

    @Test func chunkedBodyIsLimited() async throws {
        try await serve { server in
            let connection = try RawConnection(port: server.port, patience: 60)
            await connection.send("POST /jsonrpc HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "10000\r\n" + String(repeating: " ", count: 0x10000) + "\r\n"
            for _ in 0..<33 { await connection.send(chunk) }
            #expect(await connection.receive(until: "\n").hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test func preflightOfAnExtensionIsAllowed() async throws {
        try await serve { server in
            let connection = try RawConnection(port: server.port, patience: 60)
            await connection.send(
                "OPTIONS /jsonrpc HTTP/1.1\r\nHost: localhost\r\nOrigin: moz-extension://a\r\n"
                    + "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Private-Network: true\r\n\r\n")
            let response = await connection.receive(until: "\r\n\r\n")
            #expect(response.hasPrefix("HTTP/1.1 200"))
            #expect(response.contains("Access-Control-Allow-Origin: moz-extension://a\r\n"))
            #expect(response.contains("Access-Control-Allow-Private-Network: true\r\n"))
        }
    }

    /// The wrong one never gets its response here, and others do not wait for it.
    @Test func wrongSecretsBlockOnlyTheirConnection() async throws {
        try await serve(delay: .seconds(3600)) { server in
            let wrong = try (0..<10).map { _ in try RawConnection(port: server.port, patience: 60) }
            for connection in wrong { await connection.send(Self.post(Self.request("saveSession", token: "no"))) }
            let right = try RawConnection(port: server.port, patience: 60)
            await right.send(Self.post(Self.request("saveSession")))
            #expect(await right.receive(until: "OK").hasPrefix("HTTP/1.1 200"))
            #expect(wrong.allSatisfy { !$0.isReadable })
        }
    }

    @Test(arguments: ["0.0.0.0", "192.0.2.1", "::", "example.org"])
    func otherAddressesNeedACertificate(_ host: String) async throws {
        var settings = RemoteSettings(secret: Self.secret, folder: "/")
        settings.host = host
        await #expect(throws: RemoteServer.StartError.self) {
            _ = try await RemoteServer.start(settings, queue: FakeQueue(), readDocument: { _ in [] })
        }
    }

    @Test func takenPortIsReported() async throws {
        try await serve { server in
            await #expect(throws: RemoteServer.StartError.self) {
                try await serve {
                    $0.port = server.port
                } body: { _ in
                }
            }
        }
    }

    // MARK: WebSocket

    private static func handshake(_ fields: String = "", path: String = "/jsonrpc") -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\(fields)\r\n"
    }

    /// A frame of a client, masked with zeros.
    private static func frame(_ opcode: UInt8, _ text: String, isLast: Bool = true) -> Data {
        let count = text.utf8.count
        var bytes: [UInt8] = [opcode | (isLast ? 0x80 : 0)]
        bytes += count < 126 ? [0x80 | UInt8(count)] : [0x80 | 126, UInt8(count >> 8), UInt8(count & 255)]
        return Data(bytes + [0, 0, 0, 0] + Array(text.utf8))
    }

    @Test func webSocketAnswersAndNotifies() async throws {
        let queue = FakeQueue(RemoteFixture.five())
        try await serve(queue) { server in
            let (known, unknown) = (
                try RawConnection(port: server.port, patience: 60), try RawConnection(port: server.port, patience: 60)
            )
            for connection in [known, unknown] {
                await connection.send(Self.handshake())
                #expect(await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 101"))
            }
            await unknown.send(Self.frame(1, Self.request("saveSession", token: "no")))
            #expect(await unknown.receive(until: "}}").contains("Unauthorized"))
            // In two fragments.
            let request = Self.request("saveSession")
            await known.send(Self.frame(1, String(request.prefix(20)), isLast: false))
            await known.send(Self.frame(0, String(request.dropFirst(20))))
            #expect(await known.receive(until: "}").contains(#""result":"OK""#))
            queue.change(1, .completed)
            let notice = await known.receive(until: "}]}")
            #expect(
                notice.contains(
                    #"{"jsonrpc":"2.0","method":"aria2.onDownloadComplete","params":[{"gid":"9e3779b97f4a7c15"}]}"#))
            await known.send(Self.frame(9, "ping"))
            #expect(await known.receive(until: "ping").hasSuffix("ping"))
            await known.send(Self.frame(8, ""))
            _ = await known.receive()
            #expect(!unknown.isReadable)
        }
    }

    private static let upgrades: [(String, String)] = [
        (handshake("Origin: https://evil.test\r\n"), "403"), (handshake("Origin: moz-extension://a\r\n"), "101"),
        (handshake(path: "/other"), "404"),
    ]

    @Test(arguments: upgrades)
    func upgradesAreChecked(_ request: String, _ status: String) async throws {
        try await serve { server in
            let connection = try RawConnection(port: server.port, patience: 60)
            await connection.send(request)
            #expect(await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 \(status)"))
        }
    }

    @Test func stoppingClosesConnections() async throws {
        try await serve { server in
            let connection = try RawConnection(port: server.port, patience: 60)
            await connection.send(Self.handshake())
            _ = await connection.receive(until: "\r\n\r\n")
            await server.stop()
            _ = await connection.receive()
            #expect(connectLoopback(server.port) < 0)
        }
    }
}
