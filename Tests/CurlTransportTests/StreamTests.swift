// SPDX-License-Identifier: MIT

import CurlTransport
import Dispatch
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// Stream tasks over the real transport.
@Suite(.timeLimit(.minutes(10))) struct StreamTests {
    let transport = try! CurlTransport()

    final class Log: Sendable {
        let events = Mutex<[StreamEvent]>([])
        var all: [StreamEvent] { events.withLock { $0 } }
    }

    private func task(
        _ port: Int, isSecure: Bool = false, authority: String? = nil, log: Log = Log()
    ) throws -> StreamTask {
        var route = try StreamTask.route(host: "127.0.0.1", port: port, isSecure: isSecure)
        route.certificateAuthorities = authority
        return StreamTask(identifier: 1, route: route, transport: transport, queue: DispatchQueue(label: "stream.test"))
        { event in
            log.events.withLock { $0.append(event) }
        }
    }

    @Test func transfersBothDirectionsToTheEnd() async throws {
        let server = try ScriptedServer { connection, _ in
            connection.send(connection.readBody(5))
            connection.send("and \(connection.readBody(.max).count) more")
        }
        let log = Log()
        let task = try task(server.port, log: log)
        #expect(task.state == .suspended)
        task.resume()
        try await task.write(Array("hello".utf8), timeout: 30)
        #expect(try await task.readData(minLength: 5, maxLength: 5, timeout: 30).bytes == Array("hello".utf8))
        #expect(task.state == .running)
        task.write(Array("abc".utf8)) { _ in }
        task.closeWrite()
        let rest = try await task.readData(minLength: 100, maxLength: 100, timeout: 30)
        #expect(String(decoding: rest.bytes, as: UTF8.self) == "and 3 more" && rest.atEnd)
        #expect(await eventually { task.state == .completed && log.all.count == 3 })
        #expect(log.all.last == .completed(nil))
        #expect(Set(log.all) == [.writeClosed, .readClosed, .completed(nil)])
        let error = await #expect(throws: TransferError.self) { try await task.write([1]) }
        #expect(error?.code == .usage)
    }

    @Test func manyReadsAndWritesKeepTheirOrder() async throws {
        let whole = patternedBytes(4_000_000)
        let server = try ScriptedServer { connection, _ in
            while true {
                let piece = connection.readBody(50_000)
                if piece.isEmpty { return }
                connection.send(piece)
            }
        }
        let task = try task(server.port)
        let got = Mutex<[UInt8]>([])
        let written = Mutex<[Int]>([])
        for number in 0..<80 {
            task.readData(minLength: 50_000, maxLength: 50_000) { bytes, _, _ in got.withLock { $0 += bytes } }
            task.write(Array(whole[(number * 50_000)..<((number + 1) * 50_000)])) { error in
                if error == nil { written.withLock { $0.append(number) } }
            }
        }
        task.resume()
        #expect(await eventually(within: 60) { got.withLock { $0.count } == whole.count })
        #expect(got.withLock { $0 == whole })
        #expect(await eventually { written.withLock { $0 } == Array(0..<80) })
        task.cancel()
        #expect(await eventually { task.state == .completed })
    }

    @Test func idleConnectionsReadNothing() async throws {
        let sent = Counter()
        let server = try ScriptedServer { connection, _ in
            for _ in 0..<2000 {
                connection.send([UInt8](repeating: 1, count: 65_536))
                sent.add()
            }
        }
        let task = try task(server.port)
        task.resume()
        #expect(try await task.readData(minLength: 1, maxLength: 1, timeout: 30).bytes == [1])
        // The kernel's buffers hold a few megabytes at most; 128 would fit nowhere but in memory.
        #expect(!(await eventually(within: 0.5) { sent.count == 2000 }))
        task.cancel()
    }

    @Test func refusedConnectionsFailPendingCalls() async throws {
        let port = try RefusingPort()
        let log = Log()
        let task = try task(port.number, log: log)
        task.resume()
        let error = await #expect(throws: TransferError.self) { try await task.readData(minLength: 1, maxLength: 1) }
        #expect(error?.code == .cannotConnect && error?.message.hasPrefix("127.0.0.1:\(port.number): ") == true)
        #expect(await eventually { log.all == [.completed(error)] })
    }

    @Test func readTimeoutsAffectOnlyTheirRead() async throws {
        let proceed = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { connection, _ in
            proceed.wait()
            connection.send("late")
            connection.waitForClose()
        }
        let task = try task(server.port)
        task.resume()
        let error = await #expect(throws: TransferError.self) {
            try await task.readData(minLength: 1, maxLength: 9, timeout: 0.1)
        }
        #expect(error?.code == .timedOut && error?.message.contains("not read within 0.1 s") == true)
        proceed.signal()
        #expect(try await task.readData(minLength: 4, maxLength: 9, timeout: 30).bytes == Array("late".utf8))
        task.cancel()
    }

    @Test func cancellingEndsPendingCalls() async throws {
        let server = try ScriptedServer { connection, _ in connection.waitForClose() }
        let log = Log()
        let task = try task(server.port, log: log)
        task.resume()
        try await task.write([1])
        let answer = Mutex<TransferError?>(nil)
        task.readData(minLength: 1, maxLength: 1) { _, _, error in answer.withLock { $0 = error } }
        task.cancel()
        #expect(await eventually { log.all == [.completed(.cancelled)] && answer.withLock { $0 } == .cancelled })
    }

    @Test func cancellingOneReadEndsNothingElse() async throws {
        let server = try ScriptedServer { connection, _ in
            connection.send(connection.readBody(1))
            connection.waitForClose()
        }
        let stream = try task(server.port)
        stream.resume()
        let reader = Task { try await stream.readData(minLength: 1, maxLength: 1) }
        reader.cancel()
        await #expect(throws: TransferError.self) { _ = try await reader.value }
        try await stream.write([7])
        #expect(try await stream.readData(minLength: 1, maxLength: 1, timeout: 30).bytes == [7])
        stream.cancel()
    }

    @Test func theEngineEndsItsStreams() async throws {
        let server = try ScriptedServer { connection, _ in connection.waitForClose() }
        let own = try CurlTransport()
        let stream = StreamTask(
            identifier: 1, route: try StreamTask.route(host: "127.0.0.1", port: server.port), transport: own,
            queue: DispatchQueue(label: "stream.test"))
        stream.resume()
        try await stream.write([1])
        own.shutDown()
        #expect(await eventually { stream.state == .completed })
        let late = StreamTask(
            identifier: 2, route: try StreamTask.route(host: "127.0.0.1", port: server.port), transport: own,
            queue: DispatchQueue(label: "stream.test"))
        late.resume()
        await #expect(throws: TransferError.self) { _ = try await late.readData(minLength: 1, maxLength: 1) }
    }
}

/// The same with TLS, as another program speaks it.
@Suite(.timeLimit(.minutes(10)), .enabled(if: EchoServer.isAvailable)) struct SecureStreamTests {
    let transport = try! CurlTransport()

    private func task(_ server: EchoServer, isSecure: Bool, isTrusted: Bool = true) throws -> StreamTask {
        var route = try StreamTask.route(host: "127.0.0.1", port: server.port, isSecure: isSecure)
        if isTrusted { route.certificateAuthorities = server.certificate }
        return StreamTask(identifier: 1, route: route, transport: transport, queue: DispatchQueue(label: "stream.test"))
    }

    @Test func tlsFromTheFirstByte() async throws {
        let server = try await EchoServer.start(.tls)
        let whole = patternedBytes(3_000_000)
        let stream = try task(server, isSecure: true)
        stream.resume()
        async let read = stream.readData(minLength: whole.count, maxLength: whole.count, timeout: 60)
        try await stream.write(whole, timeout: 60)
        #expect(try await read.bytes == whole)
        stream.cancel()
    }

    @Test(arguments: [false, true]) func startsTLSBeforeTheFirstByte(_ isStanding: Bool) async throws {
        let server = try await EchoServer.start(.tls)
        let stream = try task(server, isSecure: false)
        if isStanding { stream.resume() }
        try stream.startSecureConnection()
        if !isStanding { stream.resume() }
        try await stream.write(Array("hello".utf8), timeout: 60)
        #expect(try await stream.readData(minLength: 5, maxLength: 5, timeout: 60).bytes == Array("hello".utf8))
        #expect(throws: Never.self) { try stream.startSecureConnection() }
        stream.cancel()
    }

    @Test func plainConnectionsCannotStartTLS() async throws {
        let server = try await EchoServer.start(.plain)
        let stream = try task(server, isSecure: false)
        stream.resume()
        try await stream.write([1], timeout: 60)
        let error = #expect(throws: TransferError.self) { try stream.startSecureConnection() }
        #expect(error?.code == .usage)
        stream.closeWrite()
        let rest = try await stream.readData(minLength: 10, maxLength: 10, timeout: 60)
        #expect(rest.bytes == [1] + Array("bye".utf8) && rest.atEnd)
        #expect(await eventually { stream.state == .completed })
    }

    @Test func rejectsAnUnknownCertificate() async throws {
        let server = try await EchoServer.start(.tls)
        let stream = try task(server, isSecure: true, isTrusted: false)
        stream.resume()
        let error = await #expect(throws: TransferError.self) { try await stream.write([1], timeout: 60) }
        #expect(error?.code == .certificateUntrusted)
    }
}
