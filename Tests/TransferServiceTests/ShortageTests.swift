// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// A system without descriptors or memory for one more transfer.
@Suite(.timeLimit(.minutes(10))) struct ShortageTests {
    private let folder: TemporaryFolder
    private let scheduler = ManualScheduler()
    private let core: QueueCore

    /// Of the exchanges for `/b` the first one fails; the others stay under way.
    init() throws {
        folder = try TemporaryFolder()
        let failures = Atomic<Int>(0)
        let transport = FakeTransport { exchange, _ in
            if exchange.url.path == "/b", failures.add(1, ordering: .relaxed).newValue == 1 {
                return .init(failure: ExchangeFailure(.cannotWrite(errno: EMFILE)))
            }
            var answer = FakeTransport.Answer(200, [.eTag: "\"1\""], body: [1, 2, 3])
            answer.stalls = true
            return answer
        }
        var session = TransferConfiguration()
        session.proxy = .none
        var configuration = LocalQueue.Configuration()
        configuration.limits.concurrent = 2
        configuration.jitter = { 1 }
        core = QueueCore(
            policy: .local, transport: transport, configuration: configuration, session: session,
            scheduler: scheduler, store: NullStore())
    }

    private func add(_ names: String...) async throws -> [TransferID] {
        let specs = try names.map { name in
            Spec(
                url: try TransferURL("http://a.test/\(name)"),
                operation: .download(Download(destination: .file(path: folder.file(name)))))
        }
        return try await core.add(specs, on: .init())
    }

    private var states: [TransferState] {
        get async { await core.run { $0.snapshot.transfers.map(\.state) } }
    }

    @Test func fewerRunUntilThereIsRoom() async throws {
        let ids = try await add("a", "b", "c")
        // Without it, the third would have taken the place of the second.
        #expect(await polled { await states == [.running, .retrying, .queued] })
        let text = await core.run { $0.queue[ids[1]]?.note?.text }
        #expect(text == "cannot write: this program has as many files open as it may")
        scheduler.advance(by: 5)
        #expect(await polled { await states == [.running, .running, .queued] })
        #expect(await core.run { $0.queue[ids[1]]?.attempt } == 2)
        await core.shutDown()
    }

    /// As where the file of a download cannot be opened.
    @Test func aStartThatFailsForItIsRepeated() async throws {
        let id = try await add("a")[0]
        #expect(await polled { await states == [.running] })
        let error = TransferError(.cannotWrite, file: .write, path: folder.file("a"), systemErrno: ENFILE)
        await core.run { coordinator in
            if let run = coordinator.runs[id] { coordinator.attempt(run) { throw error } }
        }
        #expect(await states == [.retrying])
        scheduler.advance(by: 5)
        #expect(await polled { await states == [.running] })
        await core.shutDown()
    }
}
