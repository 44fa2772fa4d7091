// SPDX-License-Identifier: MIT

import CurlTransport
import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

@Suite(.timeLimit(.minutes(10))) struct ExchangeMetricsTests {
    @Test func measuresEachExchangeOfAChain() async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                if head.hasPrefix("GET /hop") {
                    connection.answer("302 Found", ["Location: /end"])
                } else {
                    connection.answer("200 OK", body: [1, 2, 3])
                }
            }
        }
        let session = TransferSession(transport: try CurlTransport())
        let metrics = try await session.data(for: TransferRequest(url: TransferURL(server.url("/hop")))).metrics
        #expect(metrics.redirectCount == 1 && metrics.exchanges == 2 && metrics.transactions.count == 2)
        let (hop, end) = (metrics.transactions[0], metrics.transactions[1])
        #expect((hop.status, end.status) == (302, 200))
        #expect((hop.url, end.url) == (server.url("/hop"), server.url("/end")))
        #expect(
            !hop.isReusedConnection && end.isReusedConnection && end.connectStart == nil && end.domainLookupStart == nil
        )
        #expect(hop.secureConnectionStart == nil && hop.tlsVersion == nil && !hop.isProxyConnection && !hop.isMultipath)
        #expect((hop.remoteAddress, hop.remotePort, hop.localAddress) == ("127.0.0.1", server.port, "127.0.0.1"))
        #expect(hop.localPort == end.localPort && hop.localPort != nil)
        #expect(end.responseBodyBytes == 3 && end.responseBodyBytesReceived == 3 && end.requestBodyBytes == 0)
        #expect(Int(end.requestHeaderBytes) == server.requests[1].utf8.count + 4)
        #expect(end.responseHeaderBytes == Int64("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n".utf8.count))
        let times = [
            hop.fetchStart, hop.domainLookupStart, hop.domainLookupEnd, hop.connectStart, hop.connectEnd,
            hop.requestStart,
            hop.requestEnd, hop.responseStart, hop.responseEnd,
        ].map { $0 ?? -1 }
        #expect(times == times.sorted() && times[0] > 1.7e9)
        #expect(hop.requestStart == hop.requestEnd)
        let (start, finish) = (try #require(metrics.taskStart), try #require(metrics.taskEnd))
        #expect(start <= times[0] && finish >= (hop.responseEnd ?? .infinity) - 0.1)
    }

    @Test func measuresTheBody() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            _ = connection.readBody(300_000)
            connection.answer("201 Created")
        }
        let session = TransferSession(transport: try CurlTransport())
        var request = try TransferRequest(url: TransferURL(server.url()), method: .put)
        request.options.rateLimit = 1_500_000
        let metrics = try await session.upload(for: request, body: .bytes(patternedBytes(300_000))).metrics
        let one = try #require(metrics.transactions.first)
        #expect(one.method == "PUT" && one.requestBodyBytes == 300_000 && one.requestBodyBytesSent == 300_000)
        let (start, end) = (try #require(one.requestStart), try #require(one.requestEnd))
        #expect(end - start > 0.05)
        #expect(end <= (one.responseEnd ?? 0))
    }

    @Test func refusedConnectionsAreNotReused() async throws {
        let server = try ScriptedServer { _, _ in }
        server.stop()
        let session = TransferSession(transport: try CurlTransport())
        let request = try TransferRequest(url: TransferURL(server.url()))
        let result = try await session.run { $0.dataTask(with: request, events: $1) }
        #expect(result.error?.code == .cannotConnect)
        let one = try #require(result.metrics?.transactions.first)
        #expect(!one.isReusedConnection && one.status == nil && one.requestStart == nil && one.fetchStart != nil)
    }

    /// Keeps how one exchange ended.
    private final class Ending: ExchangeHandler {
        let outcome = Mutex<ExchangeOutcome?>(nil)

        func exchange(_ id: ExchangeID, didReceiveInformational head: HTTPResponse) {}
        func exchange(_ id: ExchangeID, didReceive head: HTTPResponse) -> BodyDisposition { .discard }
        func exchange(_ id: ExchangeID, didReceive bytes: UnsafeRawBufferPointer) {}
        func exchange(_ id: ExchangeID, didProgress progress: ExchangeProgress) {}
        func exchange(_ id: ExchangeID, didComplete outcome: ExchangeOutcome) { self.outcome.withLock { $0 = outcome } }
    }

    /// What echoes is no HTTP server; that the request came back says that it was sent there, and over TLS.
    @Test(.enabled(if: EchoServer.isAvailable)) func connectsToAnAlternative() async throws {
        let server = try await EchoServer.start(.tls)
        let transport = try CurlTransport()
        var exchange = Exchange(url: try TransferURL("https://127.0.0.1:1/"), method: .get)
        exchange.certificateAuthorities = server.certificate
        exchange.alternative = .init(host: "127.0.0.1", port: server.port)
        let ending = Ending()
        _ = transport.start(exchange, handler: ending)
        #expect(await eventually(within: 30) { ending.outcome.withLock { $0 } != nil })
        let metrics = try #require(ending.outcome.withLock { $0 }).metrics
        #expect(
            metrics.remotePort == server.port && metrics.tls != nil && metrics.requestSent != nil
                && !metrics.isProxyConnection)
    }
}
