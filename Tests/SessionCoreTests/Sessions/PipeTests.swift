// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// An answer that is read through a stream, on an exchange that a test drives by hand.
@Suite struct PipeTests {
    private final class HandTransport: Transport, Sendable {
        let hands = InlineExecutor()
        var executor: any TransportExecutor { hands }
        let supportedLogins: Set<ProtectionSpace.Method> = []
        let handler = Mutex<(any ExchangeHandler)?>(nil)
        private let paused = Atomic(false)
        var isPaused: Bool { paused.load(ordering: .relaxed) }
        let decided = Mutex<BodyDisposition?>(nil)

        func start(_ exchange: Exchange, handler: any ExchangeHandler) -> ExchangeID {
            self.handler.withLock { $0 = handler }
            return ExchangeID(rawValue: 1)
        }
        func pause(_ id: ExchangeID) { paused.store(true, ordering: .relaxed) }
        func resume(_ id: ExchangeID) { paused.store(false, ordering: .relaxed) }
        func cancel(_ id: ExchangeID) {
            handler.withLock { $0 }?.exchange(id, didComplete: ExchangeOutcome(failure: .init(.cancelled)))
        }
        func decide(_ id: ExchangeID, _ disposition: BodyDisposition) { decided.withLock { $0 = disposition } }
        func setRateLimit(_ bytesPerSecond: Int?, of id: ExchangeID) {}
        func setRateLimits(download: Int?, upload: Int?) {}
        func shutDown() {}
    }

    private final class Streamer: Recorder, TransferResponseDelegate, @unchecked Sendable {
        // Sendable: as its superclass.
        func session(
            _ session: TransferSession, task: TransferTask, decideOn response: HTTPResponse,
            answer: @escaping @Sendable (ResponseDisposition) -> Void
        ) { answer(.becomeStream) }
    }

    @Test func holdsAFullPipeAndASuspensionIndependently() async throws {
        let streamer = Streamer()
        let transport = HandTransport()
        var configuration = TransferConfiguration()
        configuration.proxy = .none
        let session = TransferSession(
            configuration: configuration, transport: transport, delegate: streamer,
            scheduler: ManualScheduler())
        let task = session.dataTask(with: try request())
        task.resume()
        let handler = try #require(transport.handler.withLock { $0 })
        let id = ExchangeID(rawValue: 1)
        #expect(transport.hands.run { handler.exchange(id, didReceive: HTTPResponse(status: .ok)) } == .hold)
        #expect(await eventually { transport.decided.withLock { $0 } == .deliver })
        #expect(await eventually { !transport.isPaused })
        let piece = [UInt8](repeating: 1, count: 3 << 19)
        transport.hands.run { piece.withUnsafeBytes { handler.exchange(id, didReceive: $0) } }
        #expect(await eventually { transport.isPaused })
        task.suspend()
        task.resume()
        #expect(await eventually { transport.isPaused })
        task.suspend()
        let stream = try #require(session.guarded.withLock { $0.streams.values.first })
        stream.resume()
        let (bytes, _) = try await stream.readData(minLength: piece.count, maxLength: piece.count)
        #expect(bytes.count == piece.count)
        #expect(await eventually { transport.isPaused })
        task.resume()
        #expect(await eventually { !transport.isPaused })
        task.cancel()
        #expect(await eventually { streamer.endCount(task) == 1 })
    }
}
