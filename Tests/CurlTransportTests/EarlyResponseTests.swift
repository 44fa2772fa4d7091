// SPDX-License-Identifier: MIT

import CurlTransport
import Glibc
import HTTPTypes
import SessionCore
import Testing
import TransferModel
import TransferTesting

/// Responses that come before the server has the whole body.
@Suite(.timeLimit(.minutes(10))) struct EarlyResponseTests {
    let transport = try! CurlTransport()

    private func put(_ server: ScriptedServer, _ body: Exchange.Body, ends: Bool = true) throws -> Exchange {
        var exchange = Exchange(url: try TransferURL(server.url()), method: .put)
        exchange.body = body
        exchange.endsWhenAnsweredEarly = ends
        return exchange
    }

    @Test(arguments: [3_000_000, 500_000]) func successBeforeTheBodyEndsTheExchange(_ count: Int) async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.answer("200 OK", body: Array("please log in".utf8))
            connection.waitWithoutReading()
        }
        defer { server.stop() }
        server.setReceiveBuffer(4096)
        let result = await transport.run(try put(server, .bytes(patternedBytes(count))))
        #expect(result.status == 200)
        #expect(result.failure?.cause == .answeredEarly(status: 200))
        #expect(result.outcome.hasEarlyResponse)
        #expect(result.outcome.progress.sent < Int64(count))
    }

    /// libcurl has given everything to the kernel; the server's kernel has not taken it.
    @Test func bytesInSocketBuffersAreNotDelivered() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.answer("201 Created")
            connection.waitWithoutReading()
        }
        defer { server.stop() }
        server.setReceiveBuffer(2048)
        let result = await transport.run(try put(server, .bytes(patternedBytes(200_000))))
        #expect(result.failure?.cause == .answeredEarly(status: 201))
    }

    @Test func successAmidTheBodyIsEarly() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 100 Continue\r\n\r\n")
            _ = connection.readBody(1_000_000)
            connection.answer("201 Created")
            connection.waitWithoutReading()
        }
        defer { server.stop() }
        server.setReceiveBuffer(65_536)
        let result = await transport.run(try put(server, .bytes(patternedBytes(30_000_000))))
        #expect(result.failure?.cause == .answeredEarly(status: 201))
    }

    @Test(arguments: [0, 1, 1000, 70_000, 400_000, 3_000_000]) func successAfterTheBodyIsNotEarly(
        _ count: Int
    ) async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                if head.contains("100-continue") { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
                _ = connection.readBody(count)
                connection.answer("201 Created")
            }
        }
        // The second goes out on a connection that is used again.
        for _ in 0..<2 {
            let result = await transport.run(try put(server, .bytes(patternedBytes(count))))
            #expect(result.failure == nil)
            #expect(!result.outcome.hasEarlyResponse)
            #expect(result.outcome.progress.sent == Int64(count))
        }
    }

    @Test func streamsAreDeliveredAtTheirEnd() async throws {
        let server = try ScriptedServer { connection, _ in
            guard let head = connection.readHead() else { return }
            if head.contains("100-continue") { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
            _ = connection.readChunked()
            connection.answer("201 Created")
        }
        let folder = try TemporaryFolder()
        let descriptor = open(try folder.write(patternedBytes(300_000), to: "source"), O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let result = await transport.run(try put(server, .stream(descriptor: descriptor)))
        #expect(result.failure == nil)
        #expect(!result.outcome.hasEarlyResponse)
    }

    /// What a session makes of the status is its own affair: the fact is reported, the response is whole.
    @Test func reportsAnEarlyResponseWithoutEnding() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.answer("200 OK", body: Array("hello".utf8))
            _ = connection.readBody(3_000_000)
        }
        let result = await transport.run(try put(server, .bytes(patternedBytes(3_000_000)), ends: false))
        #expect(result.failure == nil)
        #expect(result.text == "hello")
        #expect(result.outcome.hasEarlyResponse)
    }

    @Test func earlyRefusalsKeepTheirStatus() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.answer("413 Content Too Large", body: Array("at most 1 MiB".utf8))
            connection.waitForClose()
        }
        let result = await transport.run(try put(server, .bytes(patternedBytes(3_000_000))))
        #expect(result.status == 413)
        #expect(result.text == "at most 1 MiB")
        #expect(result.failure == nil)
    }
}
