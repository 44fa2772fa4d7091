// SPDX-License-Identifier: MIT

import CurlTransport
import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// An answer that is read through a stream task, and byte pipes of a session.
@Suite struct StreamDispositionTests {
    private final class Piper: TransferResponseDelegate, TransferStreamDelegate {
        let stream = Mutex<StreamTask?>(nil)
        let ends = Mutex<[String]>([])

        func session(
            _ session: TransferSession, task: TransferTask, decideOn response: HTTPResponse,
            answer: @escaping @Sendable (ResponseDisposition) -> Void
        ) { answer(.becomeStream) }
        func session(_ session: TransferSession, task: TransferTask, didBecome stream: StreamTask) {
            self.stream.withLock { $0 = stream }
            stream.resume()
        }
        func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?) {
            ends.withLock { $0.append("task \(error?.message ?? "ok")") }
        }
        func session(_ session: TransferSession, streamTask: StreamTask, didComplete error: TransferError?) {
            ends.withLock { $0.append("stream \(error?.message ?? "ok")") }
        }
    }

    private func request(_ url: String) throws -> TransferRequest { TransferRequest(url: try TransferURL(url)) }

    @Test func becomeStreamGivesTheBodyToAStreamTask() async throws {
        let body = patternedBytes(5_000_000)
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", body: body) }
        }
        let piper = Piper()
        let session = TransferSession(transport: try CurlTransport(), delegate: piper)
        let task = session.dataTask(with: try request(server.url()))
        task.resume()
        #expect(await eventually { piper.stream.withLock { $0 } != nil })
        let stream = try #require(piper.stream.withLock { $0 })
        var received: [UInt8] = []
        while true {
            let (bytes, atEnd) = try await stream.readData(minLength: 1, maxLength: 100_000)
            received += bytes
            if atEnd { break }
        }
        #expect(received == body)
        stream.closeRead()
        stream.closeWrite()
        #expect(await eventually { piper.ends.withLock { $0.count } == 2 })
        #expect(Set(piper.ends.withLock { $0 }) == ["task ok", "stream ok"])
        session.invalidateAndCancel()
    }

    @Test func releasedStreamsEndTheirTask() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
            connection.send([UInt8](repeating: 1, count: 50_000_000))
            connection.waitForClose()
        }
        let piper = Piper()
        let session = TransferSession(transport: try CurlTransport(), delegate: piper)
        session.dataTask(with: try request(server.url())).resume()
        #expect(await eventually { piper.stream.withLock { $0 } != nil })
        let stream = try #require(piper.stream.withLock { $0 })
        _ = try await stream.readData(minLength: 1000, maxLength: 1000)
        stream.cancel()
        #expect(await eventually { piper.ends.withLock { $0.count } == 2 })
        #expect(Set(piper.ends.withLock { $0 }) == ["task cancelled", "stream cancelled"])
        session.invalidateAndCancel()
    }

    @Test func sessionsCreateStreamTasks() async throws {
        let server = try ScriptedServer { connection, _ in
            while let line = connection.readHead() { connection.send("you said \(line)") }
        }
        let session = TransferSession(transport: try CurlTransport())
        let stream = try session.streamTask(host: "127.0.0.1", port: server.port)
        stream.resume()
        try await stream.write(Array("hello\r\n\r\n".utf8))
        let (bytes, _) = try await stream.readData(minLength: 14, maxLength: 100)
        #expect(String(decoding: bytes, as: UTF8.self) == "you said hello")
        session.invalidateAndCancel()
        #expect(await eventually { stream.state == .completed })
        #expect(throws: TransferError.self) { try session.streamTask(host: "127.0.0.1", port: server.port) }
    }
}
