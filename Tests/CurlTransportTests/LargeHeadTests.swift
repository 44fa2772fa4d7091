// SPDX-License-Identifier: MIT

import CurlTransport
import HTTPTypes
import SessionCore
import Testing
import TransferModel
import TransferTesting

/// More fields than `HTTPFields` holds end the exchange, never the process.
@Suite(.timeLimit(.minutes(10))) struct LargeHeadTests {
    let transport = try! CurlTransport()
    private static let lines = String(repeating: "a:\r\n", count: 70_000)

    private func cause(_ exchange: Exchange) async -> ExchangeFailure.Cause? {
        await transport.run(exchange).failure?.cause
    }

    @Test(arguments: ["200 OK", "404 Not Found", "302 Found"]) func failsOnTooManyFields(
        _ status: String
    ) async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 \(status)\r\n\(Self.lines)Content-Length: 2\r\n\r\nok")
        }
        #expect(await cause(Exchange(url: try TransferURL(server.url()), method: .get)) == .headTooLarge)
    }

    @Test func failsOnATooLongField() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\na: \(String(repeating: "x", count: 150_000))\r\n\r\nok")
        }
        #expect(await cause(Exchange(url: try TransferURL(server.url()), method: .get)) == .headTooLarge)
    }

    @Test func failsOnTooManyTrailers() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\(Self.lines)\r\n")
        }
        #expect(await cause(Exchange(url: try TransferURL(server.url()), method: .get)) == .headTooLarge)
    }

    @Test func limitsAProxysHead() async throws {
        let proxy = try TunnelProxy { _, _ in "HTTP/1.1 407 Log In\r\n\(Self.lines)Content-Length: 2\r\n\r\nno" }
        var exchange = Exchange(url: try TransferURL("https://files.invalid/"), method: .get)
        exchange.proxy = ProxyServer(host: "127.0.0.1", port: proxy.port)
        #expect(await cause(exchange) == .headTooLarge)
    }

    @Test func failsWithAReadableMessage() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\n\(Self.lines)Content-Length: 2\r\n\r\nok")
        }
        let session = TransferSession(transport: transport)
        let request = try TransferRequest(url: TransferURL(server.url()))
        let result = try await session.run { $0.dataTask(with: request, events: $1) }
        #expect(result.error?.code == .notHTTP)
        #expect(result.error?.message.contains("the response's head is too large") == true)
    }
}
