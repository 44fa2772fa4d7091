// SPDX-License-Identifier: MIT

import Synchronization
import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

@Suite struct ReconnectingQueueClientTests {
    /// What the client asks for, and which service it gets.
    private final class Fortune: Sendable {
        private let state: Mutex<(stages: [Stage], asked: [Bool])>
        /// Of a connection without a service.
        private let failure: TransferError

        init(_ stages: [Stage], failure: TransferError = TransferError(.cannotWrite, "/state: no room")) {
            state = Mutex((stages, []))
            self.failure = failure
        }

        /// For each connection that was asked for: whether a service could be started for it.
        var asked: [Bool] { state.withLock { $0.asked } }

        func connect(_ startsService: Bool) async throws(TransferError) -> ControlClient {
            let stage = state.withLock { state in
                state.asked.append(startsService)
                return state.stages.isEmpty ? nil : state.stages.removeFirst()
            }
            guard let stage else { throw failure }
            do { return try await stage.client() } catch { throw TransferError(.cannotConnect, "nobody") }
        }
    }

    /// Time passes only by the given pauses.
    private static func options(pauses: [Double] = [0, 1, 2]) -> ReconnectingQueueClient.Options {
        let clock = Clock()
        var options = ReconnectingQueueClient.Options()
        options.pauses = pauses
        options.now = { clock.now }
        options.sleep = { clock.add($0) }
        return options
    }

    private final class Clock: Sendable {
        private let value = Mutex(0.0)
        var now: Double { value.withLock { $0 } }
        func add(_ seconds: Double) { value.withLock { $0 += seconds } }
    }

    private func client(_ first: Stage, _ fortune: Fortune) async throws -> ReconnectingQueueClient {
        ReconnectingQueueClient(first: try await first.client(), options: Self.options()) {
            startsService async throws(TransferError) in
            try await fortune.connect(startsService)
        }
    }

    /// Ends a service as a kill does: without a word.
    private func kill(_ stage: Stage) async { await stage.server?.shutDown() }

    private func count(_ update: QueueUpdate?) -> Int? {
        if case .snapshot(let snapshot) = update { snapshot.transfers.count } else { nil }
    }

    @Test func restartsACrashedService() async throws {
        try await onStage(change: { $0.shutDownGrace = 0 }) { first in
            try await onStage(queue: .sample(more: 3)) { second in
                let fortune = Fortune([second])
                let client = try await client(first, fortune)
                var updates = client.updates().makeAsyncIterator()
                #expect(count(await updates.next()) == 2)
                await kill(first)
                #expect(count(await updates.next()) == 5)
                #expect(fortune.asked == [true])
                // Calls go to the new one, and its changes come.
                try await client.perform(.pause, on: [TransferID(rawValue: 1)])
                guard case .events(let events) = await updates.next() else { return #expect(Bool(false)) }
                #expect(events.map(\.transfer.state) == [.paused])
                #expect(client.failure == nil)
                client.close()
                #expect(await updates.next() == nil)
            }
        }
    }

    /// In this order, however fast the next connection is.
    @Test func reportsTheLossAndTheNextConnection() async throws {
        try await onStage(change: { $0.shutDownGrace = 0 }) { first in
            try await onStage { second in
                let client = try await client(first, Fortune([second]))
                var (losses, updates) = (client.losses.makeAsyncIterator(), client.updates().makeAsyncIterator())
                #expect(await updates.next() != nil)
                await kill(first)
                #expect(await updates.next() != nil)
                #expect(await losses.next() == true)
                #expect(await losses.next() == false)
                client.close()
            }
        }
    }

    /// A service that dies at every start is not started five times in a few seconds.
    @Test func spacesRestartsOfACrashingService() {
        let pauses = ReconnectingQueueClient.Options().pauses
        #expect(pauses.first == 0)
        #expect(pauses.prefix(4).reduce(0, +) >= 10)
        #expect(pauses.reduce(0, +) >= 40)
    }

    @Test func allStreamsAndCallsShareOneNewConnection() async throws {
        try await onStage(change: { $0.shutDownGrace = 0 }) { first in
            try await onStage { second in
                let fortune = Fortune([second])
                let client = try await client(first, fortune)
                let streams = (0..<3).map { _ in client.updates() }
                await kill(first)
                try await withThrowingTaskGroup(of: Int?.self) { group in
                    for stream in streams {
                        group.addTask {
                            var seen = 0
                            for await update in stream {
                                if case .snapshot = update { seen += 1 }
                                // Of the first service's, which may have come, and the second's.
                                if fortune.asked.count == 1, seen >= 1 { return seen }
                            }
                            return nil
                        }
                    }
                    for _ in 0..<5 {
                        group.addTask {
                            // One that was on its way when the first service died fails; the next goes to the second.
                            while true {
                                do { return try await client.snapshot().transfers.count } catch {
                                    try Task.checkCancellation()
                                }
                            }
                        }
                    }
                    for try await count in group { #expect(count != nil) }
                }
                #expect(fortune.asked == [true])
                client.close()
            }
        }
    }

    @Test func doesNotRestartAStoppedService() async throws {
        try await onStage { first in
            let fortune = Fortune([])
            let client = try await client(first, fortune)
            var updates = client.updates().makeAsyncIterator()
            #expect(await updates.next() != nil)
            first.testQueue.end()
            #expect(await updates.next() == nil)
            #expect(!fortune.asked.isEmpty && !fortune.asked.contains(true))
            #expect(client.failure?.message.contains("was stopped") == true)
            await #expect(throws: TransferError.self) { try await client.snapshot() }
        }
    }

    @Test func usesAReplacement() async throws {
        try await onStage { first in
            try await onStage(queue: .sample(more: 1)) { second in
                let fortune = Fortune([second])
                let client = try await client(first, fortune)
                var updates = client.updates().makeAsyncIterator()
                #expect(await updates.next() != nil)
                first.testQueue.end()
                #expect(count(await updates.next()) == 3)
                #expect(fortune.asked == [false])
                client.close()
            }
        }
    }

    @Test func givesUpWithTheStartError() async throws {
        try await onStage(change: { $0.shutDownGrace = 0 }) { first in
            let fortune = Fortune([])
            let client = try await client(first, fortune)
            var updates = client.updates().makeAsyncIterator()
            #expect(await updates.next() != nil)
            await kill(first)
            #expect(await updates.next() == nil)
            #expect(fortune.asked == [true, true, true])
            #expect(client.failure?.code == .cannotWrite)
            #expect(client.failure?.message.contains("/state: no room") == true)
        }
    }

    /// The next step depends on what is known of the service.
    @Test func keepsWhatIsKnownOfTheService() async throws {
        try await onStage(change: { $0.shutDownGrace = 0 }) { first in
            let gone = TransferError(.other, .serviceGone, "endsAtOnce", "/l")
            let client = try await client(first, Fortune([], failure: TransferError(.other, .serviceEndsAtOnce, "/l")))
            var updates = client.updates().makeAsyncIterator()
            #expect(await updates.next() != nil)
            await kill(first)
            #expect(await updates.next() == nil)
            #expect(client.failure?.fields.local == gone.fields.local)
            #expect(client.failure?.message == gone.message)
        }
    }

    @Test func failsPendingCalls() async throws {
        try await onStage(change: { $0.shutDownGrace = 0 }) { first in
            let client = try await client(first, Fortune([]))
            first.testQueue.hold()
            async let answer = client.snapshot()
            #expect(await eventually { first.testQueue.waitingCount == 1 })
            await kill(first)
            do {
                _ = try await answer
                Issue.record("there was no answer to give")
            } catch {
                #expect((error as? TransferError)?.message.contains("background service") == true, "\(error)")
            }
        }
    }
}
