// SPDX-License-Identifier: MIT

import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// What the queue makes of a suspend of the machine. The clocks are as the test says.
@Suite(.timeLimit(.minutes(10))) struct SuspendTests {
    @Test func suspendsExplainFailuresAroundThem() {
        var suspends = Suspends(total: 500)
        suspends.look(500.9, at: 10)
        #expect(suspends.total == 500 && !suspends.explainFailure(since: 500, at: 10))
        suspends.look(800, at: 400)
        #expect(suspends.total == 800)
        // Attempts before it, and for a while all others.
        #expect(suspends.explainFailure(since: 500, at: 9000))
        #expect(suspends.explainFailure(since: 800, at: 419) && !suspends.explainFailure(since: 800, at: 420))
    }

    private static let broken = ExchangeFailure(
        .transport(.receiveFailed, errno: 104), detail: "Connection reset by peer")
    private static let refused = ExchangeFailure(.transport(.cannotConnect, errno: 111), detail: "Couldn't connect")

    /// A download without retries, whose first two attempts fail. The machine is suspended during the first one.
    private func end(_ failure: ExchangeFailure, suspendedFor seconds: Double) async throws -> Transfer {
        let folder = try TemporaryFolder()
        let scheduler = ManualScheduler()
        let isOver = Atomic<Bool>(false)
        let transport = FakeTransport { _, number in
            isOver.store(true, ordering: .relaxed)
            return number <= 2 ? .init(failure: failure) : .init(200, body: [1, 2, 3])
        }
        var session = TransferConfiguration()
        session.proxy = .none
        var configuration = LocalQueue.Configuration()
        configuration.jitter = { 0 }
        configuration.timeSuspended = { 100 + (isOver.load(ordering: .relaxed) ? seconds : 0) }
        let queue = LocalQueue(
            transport: transport, configuration: configuration, session: session, scheduler: scheduler)
        var spec = Spec(
            url: try TransferURL("http://a.test/a"),
            operation: .download(Download(destination: .file(path: folder.file("a")))))
        spec.options.retries = 0
        _ = try await queue.add([spec], paused: false)
        for _ in 0..<20_000 {
            let transfer = try await queue.snapshot().transfers[0]
            if transfer.state.isEnded {
                await queue.shutDown()
                return transfer
            }
            if transfer.state == .retrying, let time = transfer.retryAt {
                scheduler.advance(by: max(0, time - scheduler.wallNow) + 0.001)
            }
            try await Task.sleep(for: .milliseconds(1))
        }
        throw CancellationError()
    }

    @Test func connectionsThatASuspendBreaksAreNoFailedAttempts() async throws {
        let end = try await end(Self.broken, suspendedFor: 3600)
        #expect(end.state == .completed && end.attempt == 3)
    }

    @Test func otherwiseTheyAre() async throws {
        #expect(try await end(Self.broken, suspendedFor: 0).state == .failed)
        // A server responded.
        #expect(try await end(Self.refused, suspendedFor: 3600).state == .failed)
    }
}
