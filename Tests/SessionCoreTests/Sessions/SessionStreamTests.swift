// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// Answers that are read through a stream task.
@Suite struct SessionStreamTests {
    private final class Piper: TransferResponseDelegate, TransferStreamDelegate {
        let stream = Mutex<StreamTask?>(nil)
        let calls = Mutex<[String]>([])
        func note(_ call: String) { calls.withLock { $0.append(call) } }

        func session(
            _ session: TransferSession, task: TransferTask, decideOn response: HTTPResponse,
            answer: @escaping @Sendable (ResponseDisposition) -> Void
        ) { answer(.becomeStream) }
        func session(_ session: TransferSession, task: TransferTask, didBecome stream: StreamTask) {
            note("became stream")
            self.stream.withLock { $0 = stream }
        }
        func session(_ session: TransferSession, task: TransferTask, didReceive response: HTTPResponse) {
            note("response \(response.status.code)")
        }
        func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?) {
            note(error == nil ? "completed" : "failed")
        }
        func session(_ session: TransferSession, readClosedFor task: StreamTask) { note("read closed") }
        func session(_ session: TransferSession, writeClosedFor task: StreamTask) { note("write closed") }
        func session(_ session: TransferSession, streamTask: StreamTask, didComplete error: TransferError?) {
            note(error == nil ? "stream completed" : "stream failed")
        }
    }

    @Test func becomeStreamProvidesTheBody() async throws {
        let piper = Piper()
        let stage = Stage(delegate: piper) { _, _ in .init(200, [.contentLength: "10"], body: Array("0123456789".utf8))
        }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { piper.stream.withLock { $0 } != nil })
        let stream = try #require(piper.stream.withLock { $0 })
        #expect(stage.session.streamTasks.map(\.identifier) == [stream.identifier])
        #expect(await eventually { piper.calls.withLock { $0.contains("write closed") } })
        stream.resume()
        #expect(try await stream.readData(minLength: 4, maxLength: 4).bytes == Array("0123".utf8))
        let rest = try await stream.readData(minLength: 100, maxLength: 100)
        #expect(rest.bytes == Array("456789".utf8) && rest.atEnd)
        #expect(await eventually { task.state == .completed })
        #expect(await eventually { piper.calls.withLock { $0.contains("read closed") && $0.contains("completed") } })
        #expect(piper.calls.withLock { Array($0.prefix(2)) } == ["response 200", "became stream"])
        stream.cancel()
        #expect(await eventually { piper.calls.withLock { $0.contains { $0.hasPrefix("stream ") } } })
    }

    @Test func closingTheStreamCancelsTheTask() async throws {
        let piper = Piper()
        let stage = Stage(delegate: piper) { _, _ in stalling() }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { piper.stream.withLock { $0 } != nil })
        let stream = try #require(piper.stream.withLock { $0 })
        stream.resume()
        #expect(try await stream.readData(minLength: 1, maxLength: 1).bytes == [1])
        stream.cancel()
        #expect(await eventually { task.state == .completed })
        #expect(task.error == .cancelled)
    }

    @Test func failsWithoutStreamSupport() throws {
        let stage = Stage { _, _ in .init(200) }
        let error = #expect(throws: TransferError.self) { try stage.session.streamTask(host: "a.test", port: 7) }
        #expect(error?.code == .usage)
    }
}
