// SPDX-License-Identifier: MIT

import CurlTransport
import HTTPTypes
import SessionCore
import Testing
import TransferModel
import TransferTesting

/// Bodies over TLS, at whose end the server closes with close_notify or without (RFC 9112, section 9.8).
@Suite(.timeLimit(.minutes(10)), .enabled(if: EchoServer.isAvailable)) struct TLSEndTests {
    /// - Parameter path: `/raw`: without; `/notify`: with close_notify; `/keep`: the connection stays open.
    private func exchange(_ path: String, _ response: String, at origin: String) throws -> Exchange {
        var exchange = Exchange(url: try TransferURL(origin + path), method: .post)
        exchange.body = .bytes(Array(response.utf8))
        return exchange
    }

    private func run(_ path: String, _ response: String, at server: EchoServer) async throws -> RecordedExchange {
        var exchange = try exchange(path, response, at: "https://127.0.0.1:\(server.port)")
        exchange.certificateAuthorities = server.certificate
        return await transport.run(exchange)
    }

    private let transport = try! CurlTransport()

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello", "HTTP/1.0 200 OK\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\n\r\nhello", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-7/8\r\n\r\nhello",
    ]) func aBodyWithoutLengthNeedsCloseNotify(_ response: String) async throws {
        let server = try await EchoServer.start(.http)
        let cut = try await run("/raw", response, at: server)
        #expect(cut.curlCode == 18)
        #expect(cut.failure?.problem?.kind == .withoutCloseNotify)
        #expect(cut.text == (response.hasSuffix("hello") ? "hello" : ""))
        let whole = try await run("/notify", response, at: server)
        #expect(whole.failure == nil)
        #expect(whole.text == cut.text)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-4/8\r\n\r\nhello",
    ]) func aLengthIsEnough(_ response: String) async throws {
        let server = try await EchoServer.start(.http)
        let whole = try await run("/raw", response, at: server)
        #expect(whole.failure == nil)
        #expect(whole.status != nil)
    }

    @Test func reusedConnectionsEndAlike() async throws {
        let server = try await EchoServer.start(.http)
        for path in ["/raw", "/notify"] {
            let first = try await run("/keep", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", at: server)
            #expect(first.text == "hi")
            let second = try await run(path, "HTTP/1.1 200 OK\r\n\r\nhello", at: server)
            #expect(second.outcome.metrics.isReusedConnection)
            #expect(second.failure?.problem?.kind == (path == "/raw" ? .withoutCloseNotify : nil))
        }
    }

    /// What it sends of an http URL ends with the proxy's TLS.
    @Test func aProxyOverTLSEndsAlike() async throws {
        let server = try await EchoServer.start(.http)
        var configuration = CurlTransport.Configuration()
        configuration.certificateFile = server.certificate
        let transport = try CurlTransport(configuration: configuration)
        for path in ["/raw", "/notify"] {
            var exchange = try exchange(path, "HTTP/1.0 200 OK\r\n\r\nhello", at: "http://files.invalid")
            exchange.proxy = ProxyServer(scheme: .https, host: "127.0.0.1", port: server.port)
            let answer = await transport.run(exchange)
            #expect(answer.text == "hello")
            #expect(answer.failure?.problem?.kind == (path == "/raw" ? .withoutCloseNotify : nil))
        }
    }

    /// An empty body ends before the exchange that continues the fetch.
    @Test(arguments: ["/raw", "/notify"]) func aFetchThatIsHandedOverEndsAlike(_ path: String) async throws {
        let server = try await EchoServer.start(.http)
        let folder = try TemporaryFolder()
        let response = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
        try folder.write(Array(response.utf8), to: "response")
        var exchange = Exchange(url: try TransferURL("https://127.0.0.1:\(server.port)\(path)"), method: .put)
        exchange.certificateAuthorities = server.certificate
        let tickets = Tickets()
        let upload = try #require(PlainUpload(path: folder.file("response")))
        transport.fetch(
            [PlainFetch(key: 1, url: exchange.url.string, upload: upload)], like: exchange, for: tickets)
        transport.setFetchSlots(1, handedOver: 0)
        let ticket = try #require(await tickets.stream.first { _ in true })
        exchange.ticket = ticket
        exchange.body = .bytes(Array(response.utf8))
        // Meanwhile the server ends the connection.
        _ = try await run("/keep", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", at: server)
        let ended = await transport.run(exchange)
        #expect(ended.status == 200)
        #expect(ended.failure?.problem?.kind == (path == "/raw" ? .withoutCloseNotify : nil))
    }
}

private final class Tickets: PlainFetchReceiver {
    let (stream, continuation) = AsyncStream.makeStream(of: FetchTicket.self)

    func received(_ reports: [FetchReport]) {
        for report in reports {
            switch report {
            case .started: break
            case .handedOver(_, let ticket): continuation.yield(ticket)
            case .finished, .sent, .returned: continuation.finish()
            }
        }
    }
}
