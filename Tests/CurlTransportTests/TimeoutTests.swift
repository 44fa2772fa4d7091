// SPDX-License-Identifier: MIT

import CurlTransport
import Foundation
import Glibc
import HTTPTypes
import SessionCore
import Testing
import TransferModel
import TransferTesting

/// What the timers do beyond the table of `fileq-lab table`.
@Suite(.timeLimit(.minutes(10))) struct TimeoutTests {
    let transport = try! CurlTransport()

    private func request(_ port: Int, connect: Double) throws -> TransferRequest {
        var options = TransferOptions()
        options.connectTimeout = connect
        return TransferRequest(url: try TransferURL("http://127.0.0.1:\(port)/"), options: options)
    }

    private var session: TransferSession {
        var configuration = TransferConfiguration()
        configuration.proxy = .none
        return TransferSession(configuration: configuration, transport: transport)
    }

    @Test func theConnectTimerIsOffWhileSuspended() async throws {
        let hole = try FullListener()
        let session = session
        let suspended = session.dataTask(with: try request(hole.port, connect: 2)) { _ in }
        suspended.resume()
        suspended.suspend()
        // Another one that began later has a longer timer, and is over.
        let other = await #expect(throws: TransferError.self) {
            try await session.data(for: request(hole.port, connect: 2.5))
        }
        #expect(
            other?.message == "127.0.0.1:\(hole.port): connect timeout: no connection within 2.5 s (nothing was sent)")
        #expect(suspended.state == .suspended)
        suspended.resume()
        #expect(await eventually { suspended.state == .completed })
        #expect(suspended.error?.message.contains("connect timeout: no connection within 2 s") == true)
    }

    @Test func resumesAfterASuspensionWhileConnecting() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", body: [1]) }
        }
        let task = session.dataTask(with: try request(server.port, connect: 60)) { _ in }
        for _ in 0..<20 {
            task.resume()
            task.suspend()
        }
        task.resume()
        #expect(await eventually { task.state == .completed })
        #expect(task.error == nil)
        #expect(task.response?.status.code == 200)
    }

    /// Longer or shorter than the request timeout, once the server has the whole body.
    @Test(arguments: [2000, 250_000, 1_000_000]) func theResponseHasItsOwnTimer(_ size: Int) async throws {
        let (hasBody, mayAnswer) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let server = try ScriptedServer { connection, _ in
            guard let head = connection.readHead() else { return }
            if head.contains("100-continue") { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
            _ = connection.readBody(size)
            if head.contains("/silent") { return connection.waitForClose() }
            hasBody.signal()
            mayAnswer.wait()
            connection.answer("201 Created")
        }
        defer { mayAnswer.signal() }
        func exchange(_ path: String, _ requestTimeout: Double, _ responseTimeout: Double) throws -> Exchange {
            let url = try TransferURL(server.url(path))
            var exchange = Exchange(url: url, method: .put, requestTimeout: requestTimeout)
            (exchange.body, exchange.responseTimeout) = (.bytes(patternedBytes(size)), responseTimeout)
            return exchange
        }
        let (slow, silent) = (try exchange("/slow", 0.7, 60), try exchange("/silent", 60, 0.7))
        async let late = transport.run(slow)
        #expect(await eventually { hasBody.wait(timeout: .now()) == .success })
        // The timer of this one begins later, and ends it.
        #expect(await transport.run(silent).failure?.cause == .responseTimeout(seconds: 0.7))
        mayAnswer.signal()
        #expect(await late.status == 201)
    }

    /// The last bytes are still here.
    @Test func aBodyThatIsNotTakenHasTheRequestTimer() async throws {
        let server = try ScriptedServer { connection, _ in
            guard let head = connection.readHead() else { return }
            if head.contains("100-continue") { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
            connection.waitWithoutReading()
        }
        server.setReceiveBuffer(32_768)
        var exchange = Exchange(url: try TransferURL(server.url()), method: .put, requestTimeout: 0.7)
        (exchange.body, exchange.responseTimeout) = (.bytes(patternedBytes(1_000_000)), 60)
        #expect(await transport.run(exchange).failure?.cause == .requestTimeout(seconds: 0.7))
    }

    /// They bring nothing of the response.
    @Test func interimResponsesDoNotExtendTheRequestTimer() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            while connection.sendIfOpen(Array("HTTP/1.1 102 Processing\r\nX: y\r\n\r\n".utf8)),
                !connection.closes(within: 20)
            {}
        }
        let exchange = Exchange(url: try TransferURL(server.url()), method: .get, requestTimeout: 0.5)
        let answer = await transport.run(exchange)
        #expect(answer.failure?.cause == .requestTimeout(seconds: 0.5))
    }

    /// A body that libcurl takes at once and the network slowly.
    @Test func smallMovingUploadsDoNotTimeOut() async throws {
        let size = 250_000
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            for _ in 0..<25 {
                _ = connection.readBody(size / 25)
                guard !connection.closes(within: 100) else { return }
            }
            connection.answer("201 Created")
        }
        server.setReceiveBuffer(32_768)
        var exchange = Exchange(url: try TransferURL(server.url()), method: .put, requestTimeout: 1.2)
        exchange.body = .bytes(patternedBytes(size))
        let answer = await transport.run(exchange)
        #expect(answer.status == 201, "\(String(describing: answer.failure))")
    }
}

/// A port of loopback that listens without accepting: no connection is completed.
private final class FullListener {
    let port: Int
    private var descriptors: [Int32] = []

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        descriptors.append(listener)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 0) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        try #require(isListening)
        port = Int(UInt16(bigEndian: address.sin_port))
        // Takes the only place in the queue.
        let first = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        descriptors.append(first)
        let isFull = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(first, $0, size) == 0 }
        }
        try #require(isFull)
    }

    deinit { descriptors.forEach { close($0) } }
}
