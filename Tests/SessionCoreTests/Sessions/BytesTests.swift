// SPDX-License-Identifier: MIT

import Dispatch
import HTTPTypes
@testable import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// Bodies that are read while they come.
@Suite struct BytesTests {
    @Test func deliversEveryByte() async throws {
        let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let stage = Stage { _, _ in .init(404, body: content) }
        let (bytes, response) = try await stage.session.bytes(for: try request())
        #expect(response.status.code == 404)
        var read: [UInt8] = []
        for try await byte in bytes { read.append(byte) }
        #expect(read == content)
        #expect(await eventually { stage.session.tasks.isEmpty })
    }

    @Test func emptyBodiesEndImmediately() async throws {
        let stage = Stage { _, _ in .init(204) }
        var iterator = try await stage.session.bytes(for: try request()).bytes.makeAsyncIterator()
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test func returnsTheHeadBeforeTheEnd() async throws {
        let stage = Stage { _, _ in stalling() }
        let (bytes, response) = try await stage.session.bytes(for: try request())
        #expect(response.status.code == 200)
        var iterator = bytes.makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        #expect(stage.transport.countUnderWay == 1)
        stage.session.invalidateAndCancel()
        await #expect(throws: TransferError.cancelled) { try await iterator.next() }
    }

    @Test func throwsFailuresBeforeTheHead() async throws {
        let stage = Stage { _, _ in .init(failure: ExchangeFailure(.transport(.cannotConnect, errno: 111))) }
        let error = await #expect(throws: TransferError.self) { try await stage.session.bytes(for: try request()) }
        #expect(error?.code == .cannotConnect)
    }

    @Test func throwsLaterFailuresAfterTheBytes() async throws {
        let stage = Stage { _, _ in
            var answer = FakeTransport.Answer(200, body: [1, 2])
            answer.failure = ExchangeFailure(.transport(.receiveFailed, errno: 104))
            return answer
        }
        var iterator = try await stage.session.bytes(for: try request()).bytes.pieces.makeAsyncIterator()
        #expect(try await iterator.next() == [1, 2])
        let error = await #expect(throws: TransferError.self) { try await iterator.next() }
        #expect(error?.code == .receiveFailed)
    }

    @Test func cancellingTheReaderCancelsTheTask() async throws {
        let stage = Stage { _, _ in stalling() }
        let reader = Task {
            var count = 0
            for try await _ in try await stage.session.bytes(for: try request()).bytes { count += 1 }
            return count
        }
        #expect(await eventually(within: 60) { stage.transport.countUnderWay == 1 })
        reader.cancel()
        await #expect(throws: TransferError.cancelled) { try await reader.value }
        #expect(await eventually { stage.transport.countUnderWay == 0 && stage.session.tasks.isEmpty })
    }

    @Test func leavingEarlyCancelsTheTask() async throws {
        let stage = Stage { _, _ in stalling() }
        for try await _ in try await stage.session.bytes(for: try request()).bytes { break }
        #expect(await eventually { stage.transport.countUnderWay == 0 && stage.session.tasks.isEmpty })
    }

    @Test func aSecondReaderEndsTheFirst() async throws {
        let stage = Stage { _, _ in stalling() }
        let (bytes, _) = try await stage.session.bytes(for: try request())
        var iterator = bytes.pieces.makeAsyncIterator()
        #expect(try await iterator.next() == [1])
        let readers = (0..<2).map { _ in
            Task {
                var iterator = bytes.pieces.makeAsyncIterator()
                return try await iterator.next()
            }
        }
        let ended = Counter()
        let waits = readers.map { reader in
            Task {
                let result = await reader.result
                ended.add()
                return result
            }
        }
        #expect(await eventually { ended.count == 1 })
        stage.session.invalidateAndCancel()
        var codes: Set<Int> = []
        for wait in waits {
            let error = await #expect(throws: TransferError.self) { try await wait.value.get() }
            if let error { codes.insert(error.code.rawValue) }
        }
        #expect(codes == [TransferError.Code.usage.rawValue, TransferError.Code.other.rawValue])
    }

    // MARK: What waits is bounded

    @Test func slowReadersSuspendTheTask() async throws {
        let stage = Stage { _, _ in stalling() }
        let queue = stage.session.delegateQueue
        let flow = BodyFlow(queue: queue)
        let held = stage.session.dataTask(with: try request())
        held.resume()
        #expect(await eventually { held.progress.received == 1 })
        flow.setTask(held)
        func receive(_ count: Int) async {
            await withCheckedContinuation { done in
                queue.async {
                    flow.take(.data([UInt8](repeating: 1, count: count)))
                    done.resume()
                }
            }
        }
        await receive(BodyFlow.capacity)
        #expect(held.state == .running)
        await receive(1)
        #expect(held.state == .suspended)
        await receive(1000)
        #expect(held.state == .suspended)
        #expect(try await flow.next().get()?.count == BodyFlow.capacity + 1001)
        #expect(await eventually { held.state == .running })
        held.cancel()
    }

    // MARK: Lines

    @Test(arguments: [
        ("a\nb\n", ["a", "b"]), ("a\r\nb", ["a", "b"]), ("a\rb\r", ["a", "b"]), ("", []), ("\n", [""]),
        ("a\n\nb", ["a", "", "b"]),
        ("é\u{2028}x\n", ["é\u{2028}x"]), ("a\r\r\nb", ["a", "", "b"]),
    ]) func linesAreCut(_ text: String, _ expected: [String]) {
        for size in 1...4 {
            var (splitter, lines, rest) = (LineSplitter(), [String](), Array(text.utf8)[...])
            while !rest.isEmpty {
                splitter.append(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
                while let line = splitter.next() { lines.append(line) }
            }
            if let last = splitter.finish() { lines.append(last) }
            #expect(lines == expected, "in pieces of \(size)")
        }
    }

    @Test func linesOfAResponse() async throws {
        let stage = Stage { _, _ in .init(200, body: Array("one\r\ntwo\n\nfour".utf8) + [0xff]) }
        var lines: [String] = []
        for try await line in try await stage.session.bytes(for: try request()).bytes.lines { lines.append(line) }
        #expect(lines == ["one", "two", "", "four\u{fffd}"])
    }

    @Test func throwsOnAnEndlessLine() async throws {
        let stage = Stage { _, _ in
            var answer = FakeTransport.Answer(200, body: [UInt8](repeating: 65, count: LineSplitter.longestLine + 1))
            answer.stalls = true
            return answer
        }
        var iterator = try await stage.session.bytes(for: try request()).bytes.lines.makeAsyncIterator()
        let error = await #expect(throws: TransferError.self) { try await iterator.next() }
        #expect(error?.code == .other)
        #expect(await eventually { stage.session.tasks.isEmpty })
    }
}

@Suite struct ResponsePipeTests {
    /// Holding and letting go come in the order in which they were decided, also when a read comes between.
    @Test func suspensionOrderIsKept() async throws {
        final class Handler: StreamHandler {
            let reads = Counter()
            func streamDidOpen(_ id: StreamID) {}
            func stream(_ id: StreamID, didRead bytes: [UInt8]) { reads.add() }
            func streamDidWrite(_ id: StreamID) {}
            func streamDidCloseWriting(_ id: StreamID) {}
            func stream(_ id: StreamID, didFail failure: ExchangeFailure) {}
        }
        let handler = Handler()
        let order = Mutex<[Bool]>([])
        let weakly = Mutex<ResponsePipe?>(nil)
        let pipe = ResponsePipe(
            setPaused: { isPaused in
                if isPaused, let pipe = weakly.withLock({ $0 }) {
                    pipe.readStream(StreamID(rawValue: 0), maximum: 4 << 20)
                    _ = eventually(within: 0.2) { handler.reads.count > 0 }
                }
                order.withLock { $0.append(isPaused) }
            }, cancel: {})
        weakly.withLock { $0 = pipe }
        _ = pipe.openStream(Exchange(url: try request().url, method: .get), handler: handler)
        let received = Task.detached { pipe.received([UInt8](repeating: 1, count: 2 << 20)) }
        await received.value
        #expect(await eventually { order.withLock { $0.count == 2 } })
        #expect(order.withLock { $0 } == [true, false])
        weakly.withLock { $0 = nil }
    }
}
