// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferStore
import TransferTesting

@testable import TransferService

/// A hold of the whole queue also holds what is added, over restarts, until it is released.
@Suite(.timeLimit(.minutes(5))) struct QueueHoldTests {
    let stage: DurableStage
    let server: ScriptedServer

    init() throws {
        (stage, server) = (try DurableStage(), try ScriptedServer.thatHangs())
    }

    private func add(_ name: String, paused: Bool = false) async throws -> TransferID {
        try await stage.queue.add([stage.download(server.url(), name: name)], paused: paused)[0]
    }

    private func core(on store: HeldCommits, _ scheduler: any Scheduler = SystemScheduler()) -> QueueCore {
        QueueCore(
            policy: .durable, transport: FakeTransport { _, _ in .init(200) }, configuration: .init(),
            session: .init(), scheduler: scheduler, store: store)
    }

    private func origins() async throws -> [PauseOrigin?] { try await stage.queue.snapshot().transfers.map(\.pausedBy) }

    @Test func holdsWhatIsAddedUntilItIsReleased() async throws {
        let first = try await add("a")
        try await stage.wait(for: first) { $0.state == .running }
        try await stage.queue.setHeld(true)
        let second = try await add("b")
        let own = try await add("c", paused: true)
        #expect(try await origins() == [.queue, .queue, .transfer])
        for reopens in [false, true] {
            if reopens { try await stage.reopen() } else { try await stage.crash() }
            #expect(try await stage.queue.limits().isHeld == true)
            #expect(try await origins() == [.queue, .queue, .transfer])
        }
        // Other limits leave the hold.
        try await stage.queue.setLimits(QueueLimits(concurrent: 7))
        let third = try await add("d")
        #expect(try await origins() == [.queue, .queue, .transfer, .queue])
        try await stage.queue.setHeld(false)
        for id in [first, second, third] { try await stage.wait(for: id) { $0.state == .running } }
        #expect(try await stage.queue.limits() == QueueLimits(concurrent: 7))
        #expect(try await stage.queue.snapshot().transfers.first { $0.id == own }?.state == .paused)
        let fourth = try await add("e")
        try await stage.wait(for: fourth) { $0.state == .running }
    }

    @Test func limitsAndHoldAreUndoneAsOneCommand() async throws {
        let id = try await add("a")
        try await stage.wait(for: id) { $0.state == .running }
        try await stage.queue.setLimits(QueueLimits(concurrent: 7, isHeld: true))
        let undone = try await stage.queue.undo()
        #expect(undone.command == "limits.set" && undone.ids == [id] && undone.isHeld == false)
        #expect(try await stage.queue.limits() == QueueLimits())
        await #expect(throws: TransferError.self) { _ = try await stage.queue.undo() }
    }

    @Test func undoReleasesAndHoldsAgain() async throws {
        try await stage.queue.setHeld(true)
        let id = try await add("a")
        var undone = try await stage.queue.undo()
        #expect(undone.command == "hold" && undone.ids == [id] && undone.isHeld == false)
        try await stage.wait(for: id) { $0.state == .running }
        #expect(try await stage.queue.limits().isHeld == nil)
        try await stage.queue.setHeld(true)
        try await stage.queue.setHeld(false)
        undone = try await stage.queue.undo()
        #expect(undone.command == "resume" && undone.ids == [id] && undone.isHeld == true)
        #expect(try await origins() == [.queue])
        #expect(try await stage.queue.limits().isHeld == true)
    }

    @Test func anUploadHasItsSizeBeforeItBegins() async throws {
        let path = try stage.folder.write(patternedBytes(1234), to: "source")
        let specs = [
            try stage.upload(server.url(), name: "source"), try stage.upload(server.url(), name: "missing"),
            try stage.download(server.url()),
        ]
        _ = try await stage.queue.add(specs, paused: true)
        for _ in 0..<2 {
            let transfers = try await stage.queue.snapshot().transfers
            #expect(transfers.map(\.total) == [1234, nil, nil] && transfers.map(\.bytes) == [0, 0, 0])
            #expect(transfers[0].file == path)
            try await stage.reopen()
        }
    }

    /// Two clients at once.
    @Test func leavesLimitsThatAreSetMeanwhile() async throws {
        let queue = stage.queue
        for number in 1...20 {
            async let held: Void = queue.setHeld(number % 2 == 1)
            async let limited: Void = queue.setLimits(QueueLimits(concurrent: number))
            _ = try await (held, limited)
            let expected = QueueLimits(concurrent: number, isHeld: number % 2 == 1 ? true : nil)
            #expect(try await queue.limits() == expected)
        }
    }

    @Test func aRetryStaysPausedWithTheQueue() async throws {
        let id = try await stage.queue.add([stage.download(server.url("/missing"))], paused: false)[0]
        try await stage.end(of: id)
        try await stage.queue.setHeld(true)
        try await stage.queue.perform(.retry, on: [id])
        #expect(try await stage.states() == [.paused])
        #expect(try await origins() == [.queue])
        #expect(server.requests.count == 1)
        try await stage.queue.setHeld(false)
        #expect(try await stage.end(of: id).attempt == 2)
        #expect(server.requests.count == 2)
    }

    /// The process ended after the commit of the settings and before that of the transfers.
    @Test func theNextProcessFinishesAHold() async throws {
        let id = try await add("a")
        try await stage.wait(for: id) { $0.state == .running }
        try await stage.crash { try leaveUnfinished(isHeld: true) }
        #expect(try await origins() == [.queue])
        #expect(try await stage.queue.limits().isHeld == true)
        // Only once.
        try await stage.queue.perform(.resume, on: [id])
        try await stage.wait(for: id) { $0.state == .running }
        try await stage.reopen()
        try await stage.wait(for: id) { $0.state == .running }
    }

    @Test func theNextProcessFinishesARelease() async throws {
        try await stage.queue.setHeld(true)
        let (id, own) = (try await add("a"), try await add("b", paused: true))
        try await stage.crash { try leaveUnfinished(isHeld: false) }
        try await stage.wait(for: id) { $0.state == .running }
        #expect(try await stage.queue.limits().isHeld == nil)
        #expect(try await stage.queue.snapshot().transfers.first { $0.id == own }?.pausedBy == .transfer)
    }

    /// A hold whose caller has the reply is not applied again: what is resumed since then runs.
    @Test func aCrashAfterAHoldAppliesItOnlyOnce() async throws {
        let id = try await add("a")
        for _ in 1...5 {
            try await stage.queue.setHeld(true)
            try await stage.queue.perform(.resume, on: [id])
            try await stage.crash()
            try await stage.wait(for: id) { $0.state == .running }
            try await stage.queue.setHeld(false)
        }
    }

    private func leaveUnfinished(isHeld: Bool) throws {
        let store = try stage.store()
        defer { store.close() }
        var settings = try store.settings() ?? StoreSettings(concurrent: 4)
        settings.isHeld = isHeld ? true : nil
        settings.isHoldUnfinished = true
        try store.keep(settings)
    }

    @Test func theSettingsSayThatAHoldIsUnfinishedUntilItIsCommitted() async throws {
        let folder = try TemporaryFolder()
        let store = try HeldCommits(folder)
        let core = core(on: store)
        async let done: Void = core.setLimits(QueueLimits(isHeld: true))
        #expect(await eventually { store.settings.last?.isHoldUnfinished == true })
        store.release()
        try await done
        #expect(
            await eventually { store.settings.last?.isHeld == true && store.settings.last?.isHoldUnfinished == nil })
        await core.shutDown()
    }

    /// Stored before the settings, they would be held in a queue that is not.
    @Test func transfersAreAddedOnceAHoldIsStored() async throws {
        let folder = try TemporaryFolder()
        let store = try HeldCommits(folder)
        let core = core(on: store)
        let spec = try stage.download(server.url())
        async let held: Void = core.setHeld(true)
        #expect(await eventually { store.waiting == 2 })
        async let added = core.add([spec], on: .init())
        #expect(await eventually { store.waiting == 3 })
        #expect(!store.isAdding)
        store.release()
        _ = try await (held, added)
        #expect(await core.run { $0.snapshot.transfers.map(\.pausedBy) } == [.queue])
        await core.shutDown()
    }

    /// The call neither waits for what the queue does no more, nor repeats for ever.
    @Test func additionsReturnAfterAQueueThatEndedDuringAHold() async throws {
        let folder = try TemporaryFolder()
        let store = try HeldCommits(folder)
        let core = core(on: store)
        let spec = try stage.download(server.url())
        async let held: Void = core.setHeld(true)
        #expect(await eventually { store.waiting == 2 })
        await core.run { $0.shutDown {} }
        #expect(await core.run { $0.hasEnded })
        store.release()
        try await held
        let ids = try await core.add([spec], on: .init())
        #expect(ids.count == 1)
        await core.shutDown()
    }

    /// Whatever the store commits before the process ends, it commits the hold no later than what it concerns.
    @Test func aHoldIsRecordedBeforeWhatItPauses() async throws {
        let folder = try TemporaryFolder()
        let store = try HeldCommits(folder)
        store.release()
        let core = core(on: store)
        let spec = try stage.download(server.url())
        let ids = try await core.add([spec, spec], on: .init(earliestBegin: 4e9))
        for isHeld in [true, false] {
            let before = store.calls.count
            try await core.setHeld(isHeld)
            let state: TransferState = isHeld ? .paused : .queued
            #expect(
                store.calls[before...] == [
                    .settings(isHeld: isHeld, isUnfinished: true), .transfer(ids[0], state), .transfer(ids[1], state),
                    .settings(isHeld: isHeld, isUnfinished: false),
                ])
        }
        await core.shutDown()
    }

    /// The disk has space again, and no other command asks for a commit.
    @Test func aHoldThatWasNotStoredIsFinishedLater() async throws {
        let folder = try TemporaryFolder()
        let store = try HeldCommits(folder)
        store.release()
        let scheduler = ManualScheduler()
        let core = core(on: store, scheduler)
        store.setFull(true)
        let error = await #expect(throws: TransferError.self) { try await core.setHeld(true) }
        #expect(error?.code == .diskFull)
        #expect(store.settings.map(\.isHoldUnfinished) == [true])
        #expect(await core.run { $0.isHeld })
        store.setFull(false)
        scheduler.advance(by: 60)
        #expect(await eventually { store.settings.map(\.isHoldUnfinished) == [true, nil] })
        await core.shutDown()
    }

    @Test func aPauseOfItsOwnOutlastsTheHold() async throws {
        let (own, other) = (try await add("a"), try await add("b"))
        try await stage.queue.setHeld(true)
        try await stage.queue.perform(.pause, on: [own])
        #expect(try await origins() == [.transfer, .queue])
        try await stage.crash()
        try await stage.queue.setHeld(false)
        try await stage.wait(for: other) { $0.state == .running }
        #expect(try await origins() == [.transfer, nil])
    }

    /// They were stored as not held: only their next records say that they are.
    @Test func aHoldIsUnfinishedWhileTransfersAreAdded() async throws {
        let folder = try TemporaryFolder()
        let store = try HeldCommits(folder, holdsAdditions: true)
        store.release()
        let core = core(on: store)
        let spec = try stage.download(server.url())
        async let added = core.add([spec], on: .init())
        #expect(await eventually { store.isAdding })
        try await core.setHeld(true)
        #expect(store.settings.last?.isHoldUnfinished == true)
        store.proceed()
        _ = try await added
        #expect(await core.run { $0.snapshot.transfers.map(\.pausedBy) } == [.queue])
        #expect(
            await eventually { store.settings.last?.isHeld == true && store.settings.last?.isHoldUnfinished == nil })
        await core.shutDown()
    }

    @Test func oneThatIsResumedRuns() async throws {
        try await stage.queue.setHeld(true)
        let (one, other) = (try await add("a"), try await add("b"))
        try await stage.queue.perform(.resume, on: [one])
        try await stage.wait(for: one) { $0.state == .running }
        #expect(try await stage.queue.snapshot().transfers.first { $0.id == other }?.pausedBy == .queue)
    }
}

/// A store whose commits wait until they are released, and whose additions may wait after they were stored.
private final class HeldCommits: StoreDouble {
    enum Call: Equatable {
        case settings(isHeld: Bool, isUnfinished: Bool)
        case transfer(TransferID, TransferState)
    }

    private struct State {
        var settings: [StoreSettings] = []
        var calls: [Call] = []
        /// `nil` once they are released.
        var held: [@Sendable () -> Void]? = []
        var isAdding = false
        var isFull = false
    }

    let store: SQLiteStore
    private let state = Mutex(State())
    private let addition: DispatchSemaphore?

    init(_ folder: TemporaryFolder, holdsAdditions: Bool = false) throws {
        store = try SQLiteStore(in: folder)
        addition = holdsAdditions ? DispatchSemaphore(value: 0) : nil
    }

    /// Those that it was given, oldest first.
    var settings: [StoreSettings] { state.withLock { $0.settings } }

    /// What was recorded, oldest first.
    var calls: [Call] { state.withLock { $0.calls } }

    /// Commits that are held.
    var waiting: Int { state.withLock { $0.held?.count ?? 0 } }

    /// Whether transfers are stored, and the call waits.
    var isAdding: Bool { state.withLock { $0.isAdding } }

    func proceed() { addition?.signal() }

    /// Whether commits fail.
    func setFull(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }

    func add(_ specs: [Spec], as drafts: [Transfer]) throws(TransferError) -> [Transfer] {
        let added = try store.add(specs, as: drafts)
        state.withLock { $0.isAdding = true }
        addition?.wait()
        return added
    }

    func release() {
        let held = state.withLock { state in
            defer { state.held = nil }
            return state.held ?? []
        }
        for commit in held { commit() }
    }

    func keep(_ settings: StoreSettings) {
        state.withLock { state in
            state.settings.append(settings)
            state.calls.append(
                .settings(isHeld: settings.isHeld == true, isUnfinished: settings.isHoldUnfinished == true))
        }
        store.keep(settings)
    }

    func record(_ changes: @autoclosure () -> [StoreChange], then completion: StoreWriter.Completion?) {
        let changes = changes()
        let calls = changes.map { Call.transfer($0.transfer.id, $0.transfer.state) }
        state.withLock { $0.calls += calls }
        store.record(changes, then: completion)
    }

    func commit(including id: TransferID?, then completion: @escaping StoreWriter.Completion) {
        if state.withLock({ $0.isFull }) { return completion(TransferError(.diskFull, "full")) }
        let isHeld = state.withLock { [store] state in
            state.held?.append { store.commit(including: id, then: completion) }
            return state.held != nil
        }
        if !isHeld { store.commit(including: id, then: completion) }
    }
}
