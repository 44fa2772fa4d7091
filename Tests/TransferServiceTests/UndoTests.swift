// SPDX-License-Identifier: MIT

import Glibc
import Testing
import TransferControl
import TransferModel
import TransferStore
import TransferTesting

@testable import TransferService

struct UndoLogTests {
    private func entry(_ command: String) -> UndoLog.Entry {
        UndoLog.Entry(command: command, performedAt: 0, steps: [.limits(QueueLimits())])
    }

    @Test func returnsTheLatestFirst() {
        var log = UndoLog()
        log.note(entry("a"), at: 0)
        log.note(UndoLog.Entry(command: "nothing", performedAt: 0, steps: []), at: 1)
        log.note(entry("b"), at: 2)
        #expect(log.take(at: 3)?.command == "b")
        #expect(log.take(at: 3)?.command == "a")
        #expect(log.take(at: 3) == nil)
    }

    /// The latest change of a transfer is reverted first.
    @Test func callsOfOneGroupAreOneEntry() {
        func part(_ rate: Int, _ group: String?) -> UndoLog.Entry {
            let steps: [UndoLog.Step] = [.limits(QueueLimits(download: rate))]
            return .init(command: "relocate", performedAt: Double(rate), steps: steps, group: group)
        }
        var log = UndoLog()
        for (rate, group) in [(1, nil), (2, nil), (3, "a"), (4, "a"), (5, "b"), (6, "a")] {
            log.note(part(rate, group), at: Double(rate) * 100)
        }
        let taken = (1...5).map { _ in log.take(at: 650) }
        #expect(taken.map { $0?.steps.count } == [1, 1, 2, 1, 1])
        #expect(taken[2]?.steps == part(4, "a").steps + part(3, "a").steps && taken[2]?.performedAt == 4)
    }

    @Test func forgetsAfterTenMinutes() {
        var log = UndoLog()
        log.note(entry("a"), at: 0)
        log.note(entry("b"), at: 100)
        #expect(log.take(at: 601)?.command == "b")
        #expect(log.take(at: 601) == nil)
    }

    /// What was cleared twice is kept for the second undo.
    @Test(arguments: [(99.0, [1, 2, 3]), (600, [2, 3]), (699, [2, 3]), (700, [])] as [(Double, [Int])])
    func knowsWhatCanComeBack(_ now: Double, _ expected: [Int]) {
        func clear(_ ids: [Int]) -> UndoLog.Entry {
            .init(command: "clear", performedAt: 0, steps: [.unclear(ids.map(TransferID.init(rawValue:))), .places([])])
        }
        var log = UndoLog()
        log.note(clear([1, 2]), at: 0)
        log.note(entry("a"), at: 50)
        log.note(clear([2, 3]), at: 100)
        #expect(log.cleared(after: now).map(\.rawValue).sorted() == expected)
    }

    @Test func keepsFiftyCommands() {
        var log = UndoLog()
        for number in 1...60 { log.note(entry(String(number)), at: 0) }
        var found: [String] = []
        while let next = log.take(at: 1) { found.append(next.command) }
        #expect(found == (11...60).reversed().map(String.init))
    }
}

/// Front ends offer to revert what has a word.
struct UndoWordTests {
    @Test(arguments: [
        QueueCommand.cancel(deletingPartial: true), .retry, .liftRestrictions, .remove, .trust(.always), .decline(),
    ])
    func whatHasNoWordHasNoInverse(_ command: QueueCommand) {
        var queue = TransferQueue()
        let states: [TransferState] = [.queued, .paused, .failed, .retrying]
        for state in states {
            _ = queue.add { id in Transfer(id: id, kind: .download, url: "http://a.test/", file: "a", state: state) }
        }
        #expect(command.undoWord == nil && command.inverse(on: queue.order, in: queue).isEmpty)
    }
}

struct OldPlaceTests {
    private func queue(_ priorities: [Double?]) -> TransferQueue {
        var queue = TransferQueue()
        for priority in priorities {
            _ = queue.add { id in
                var transfer = Transfer(id: id, kind: .download, url: "http://a.test/", file: "a", state: .queued)
                transfer.priority = priority
                return transfer
            }
        }
        return queue
    }

    private func ids(_ numbers: [Int]) -> [TransferID] { numbers.map { TransferID(rawValue: $0) } }

    @Test(arguments: QueueMove.allCases, [[3], [5, 1], [2, 4], [1, 2, 3, 4, 5], [3, 99]])
    func restoreRevertsAMove(_ move: QueueMove, _ numbers: [Int]) {
        var subject = queue([0.9, nil, nil, nil, 0.1])
        let (before, places) = (subject.snapshot.transfers, subject.places(of: ids(numbers)))
        _ = subject.move(ids(numbers), move)
        let (_, restored) = subject.restore(places)
        #expect(subject.snapshot.transfers == before)
        #expect(Set(restored) == Set(ids(numbers.filter { $0 <= 5 })))
    }

    @Test func restoreRevertsAPriority() {
        var subject = queue([0.9, nil, nil, nil, 0.1])
        let (before, places) = (subject.snapshot.transfers, subject.places(of: ids([1, 3])))
        _ = subject.setPriority(0.2, of: ids([1, 3]))
        let (change, _) = subject.restore(places)
        #expect(change.isOrderChanged && Set(change.reprioritized) == Set(ids([1, 3])))
        #expect(subject.snapshot.transfers == before)
        #expect(subject.nextToStart(at: 0) == TransferID(rawValue: 1))
    }

    @Test func placesOfAnEarlierNumberingStay() {
        var subject = queue([nil, nil, nil])
        let places = subject.places(of: ids([3]))
        // Each halves the gap between the first two, until all are numbered again.
        for _ in 0..<50 {
            _ = subject.move(ids([3]), .up)
            _ = subject.move(ids([2]), .up)
        }
        #expect(subject.numbering > 0)
        let order = subject.order
        #expect(subject.restore(places).restored.isEmpty && subject.order == order)
    }
}

/// Commands and their reversal, in a store.
@Suite(.timeLimit(.minutes(5))) struct UndoTests {
    private static let nothingToUndo = TransferError(
        .usage, "nothing to undo", fields: .init(variant: .nothingToUndo))

    let stage: DurableStage
    let server: ScriptedServer

    init() throws {
        (stage, server) = (try DurableStage(), try ScriptedServer.thatHangs())
    }

    private func paused(_ count: Int) async throws -> [TransferID] {
        let specs = try (1...count).map { try stage.download(server.url(), name: "file\($0)") }
        return try await stage.queue.add(specs, paused: true)
    }

    @Test func nothingToUndoIsAnError() async throws {
        _ = try await paused(1)
        await #expect(throws: Self.nothingToUndo) { _ = try await stage.queue.undo() }
        // What changed nothing cannot be reverted either.
        try await stage.queue.perform(.pause, on: [TransferID(rawValue: 1)])
        await #expect(throws: Self.nothingToUndo) { _ = try await stage.queue.undo() }
    }

    @Test func aCancelledTransferRunsAgain() async throws {
        let ids = try await stage.queue.add([stage.download(server.url(), name: "a")], paused: false)
        try await stage.wait(for: ids[0]) { $0.state == .running }
        try await stage.queue.perform(.cancel(deletingPartial: false), on: ids)
        try await stage.end(of: ids[0])
        let undone = try await stage.queue.undo()
        #expect(undone.command == "cancel" && undone.ids == ids && undone.skipped == 0)
        try await stage.wait(for: ids[0]) { $0.state == .running }
    }

    /// It stands where it stood: at the same attempt, for the same cause, until the same time.
    @Test(arguments: [QueueCommand.cancel(deletingPartial: false), .pause, .hold, .limit(500)])
    func aRetryingTransferAwaitsTheSameAttempt(_ command: QueueCommand) async throws {
        let id = try await stage.queue.add([stage.download(server.url("/busy-once"))], paused: false)[0]
        let before = try await stage.wait(for: id) { $0.state == .retrying }
        #expect(before.attempt == 2 && before.retryAt != nil && before.error != nil)
        for _ in 0..<2 {
            try await stage.queue.perform(command, on: [id])
            let undone = try await stage.queue.undo()
            #expect(undone.ids == [id] && undone.skipped == 0)
            let after = try #require(try await stage.queue.snapshot().transfers.first)
            #expect(after.status == before.status && after.attempt == before.attempt && after.rateLimit == nil)
        }
        #expect(server.requests.count == 1)
        // The next attempt is the same one, too.
        try await stage.queue.perform(.retry, on: [id])
        try await stage.wait(for: id) { $0.attempt == 3 }
        let attempts = try await stage.queue.info(id).attempts
        #expect(attempts?.map(\.number) == [1, 2])
    }

    @Test func aHoldOfTheQueueIsRevertedForARetryingTransfer() async throws {
        let id = try await stage.queue.add([stage.download(server.url("/busy-once"))], paused: false)[0]
        let before = try await stage.wait(for: id) { $0.state == .retrying }
        try await stage.queue.setHeld(true)
        #expect(try await stage.states() == [.paused])
        let undone = try await stage.queue.undo()
        #expect(undone.command == "hold" && undone.ids == [id])
        let after = try #require(try await stage.queue.snapshot().transfers.first)
        #expect(after.status == before.status && after.attempt == 2)
    }

    /// Then it is released with the queue again.
    @Test func aPauseInAHeldQueueIsReverted() async throws {
        let ids = try await stage.queue.add([stage.download(server.url(), name: "a")], paused: false)
        try await stage.wait(for: ids[0]) { $0.state == .running }
        try await stage.queue.setHeld(true)
        try await stage.queue.perform(.pause, on: ids)
        #expect(try await stage.queue.snapshot().transfers.map(\.pausedBy) == [.transfer])
        let undone = try await stage.queue.undo()
        #expect(undone.command == "pause" && undone.ids == ids && undone.skipped == 0)
        #expect(try await stage.queue.snapshot().transfers.map(\.pausedBy) == [.queue])
        try await stage.queue.setHeld(false)
        try await stage.wait(for: ids[0]) { $0.state == .running }
    }

    /// What never began has had no attempt.
    @Test func cancellingBeforeTheFirstAttemptCountsNone() async throws {
        let ids = try await paused(1)
        try await stage.queue.perform(.cancel(deletingPartial: false), on: ids)
        _ = try await stage.queue.undo()
        try await stage.queue.perform(.cancel(deletingPartial: false), on: ids)
        try await stage.queue.perform(.retry, on: ids)
        #expect(try await stage.queue.snapshot().transfers.map(\.attempt) == [1])
        try await stage.queue.perform(.resume, on: ids)
        try await stage.wait(for: ids[0]) { $0.state == .running }
        try await stage.queue.perform(.cancel(deletingPartial: false), on: ids)
        try await stage.end(of: ids[0])
        try await stage.queue.perform(.retry, on: ids)
        try await stage.wait(for: ids[0]) { $0.attempt == 2 }
    }

    /// Also after the retry that followed on the change.
    @Test(arguments: [false, true]) func aChangedTransferFailsAsBefore(_ failsAgain: Bool) async throws {
        let id = try await stage.queue.add([stage.download(server.url("/missing"))], paused: false)[0]
        let before = try await stage.end(of: id)
        let other = failsAgain ? "/missing?other" : "/there"
        try await stage.queue.relocate(id, to: Relocation(url: try TransferURL(server.url(other))))
        try await stage.queue.perform(.retry, on: [id])
        try await stage.wait(for: id) { $0.state == (failsAgain ? .failed : .running) && $0.attempt == 2 }
        let undone = try await stage.queue.undo()
        #expect(undone.command == "relocate" && undone.ids == [id])
        for _ in 0..<2 {
            let after = try #require(try await stage.queue.snapshot().transfers.first)
            #expect(after.url == before.url && after.state == .failed && after.attempt == 1)
            #expect(after.error?.code == before.error?.code && after.endedAt == before.endedAt)
            try await stage.reopen()
        }
    }

    /// A reason that stays keeps no earlier command from being reverted.
    @Test(arguments: [false, true]) func aCommandWhoseUndoFailsTwiceIsPassedOver(_ comesBack: Bool) async throws {
        let id = try await paused(1)[0]
        for name in ["a", "b"] {
            #expect(mkdir(stage.folder.file(name), 0o700) == 0)
            try await stage.queue.relocate(id, to: Relocation(folder: stage.folder.file(name)))
        }
        func file() async throws -> String? { try await stage.queue.snapshot().transfers.first?.file }
        #expect(rmdir(stage.folder.file("a")) == 0)
        let error = await #expect(throws: TransferError.self) { _ = try await stage.queue.undo() }
        #expect(error?.fields.variant == .folderMissing)
        if comesBack { #expect(mkdir(stage.folder.file("a"), 0o700) == 0) }
        let second = try await stage.queue.undo()
        #expect(second.command == "relocate" && second.ids == (comesBack ? [id] : []))
        #expect(second.skipped == (comesBack ? 0 : 1))
        #expect(try await file() == stage.folder.file(comesBack ? "a/file1" : "b/file1"))
        #expect(try await stage.queue.undo().ids == [id])
        #expect(try await file() == stage.folder.file("file1"))
    }

    @Test func relocationsOfOneCommandAreRevertedTogether() async throws {
        let ids = try await paused(4)
        for (id, group) in zip(ids, [nil, "x", "x", "y"]) {
            let address = try TransferURL(server.url("/other"))
            try await stage.queue.relocate(id, to: Relocation(url: address, group: group))
        }
        var undone: [[TransferID]] = []
        for _ in 1...3 { undone.append(try await stage.queue.undo().ids.sorted { $0.rawValue < $1.rawValue }) }
        #expect(undone == [[ids[3]], [ids[1], ids[2]], [ids[0]]])
        #expect(try await stage.queue.snapshot().transfers.allSatisfy { $0.url == server.url() })
        await #expect(throws: Self.nothingToUndo) { _ = try await stage.queue.undo() }
    }

    @Test func aDeletedPartialFileCannotBeReverted() async throws {
        let ids = try await paused(1)
        try await stage.queue.perform(.cancel(deletingPartial: true), on: ids)
        await #expect(throws: TransferError.self) { _ = try await stage.queue.undo() }
    }

    @Test func whatChangedSinceStays() async throws {
        let ids = try await paused(2)
        try await stage.queue.perform(.cancel(deletingPartial: false), on: ids)
        try await stage.queue.perform(.retry, on: [ids[0]])
        let undone = try await stage.queue.undo()
        #expect(undone.ids == [ids[1]] && undone.skipped == 1)
        #expect(try await stage.states() == [.paused, .paused])
    }

    @Test func aDismissedTransferIsListedAgainAtItsPlace() async throws {
        let ids = try await stage.queue.add(
            [stage.download(server.url("/missing"), name: "a"), stage.download(server.url(), name: "b")], paused: false)
        try await stage.end(of: ids[0])
        try await stage.queue.perform(.dismiss, on: [ids[0]])
        #expect(try await stage.queue.snapshot().transfers.map(\.id) == [ids[1]])
        let undone = try await stage.queue.undo()
        #expect(undone.command == "dismiss" && undone.ids == [ids[0]])
        for _ in 0..<2 {
            #expect(try await stage.queue.snapshot().transfers.map(\.id) == ids)
            try await stage.reopen()
        }
    }

    /// One from the list, one that only the history had.
    @Test func whatWasClearedComesBack() async throws {
        let ids = try await stage.queue.add(
            ["a", "b"].map { try stage.download(server.url("/missing"), name: $0) }, paused: false)
        for id in ids { try await stage.end(of: id) }
        try await stage.queue.perform(.dismiss, on: [ids[0]])
        #expect(try await stage.queue.clear(QueueFilter()) == 2)
        #expect(try await stage.queue.history(HistoryQuery()) == [])
        #expect(try await stage.queue.snapshot().transfers == [])
        await #expect(throws: TransferError.unknownTransfer(ids[0])) {
            try await stage.queue.perform(.retry, on: [ids[0]])
        }
        let undone = try await stage.queue.undo()
        #expect(undone.command == "clear" && Set(undone.ids) == Set(ids))
        for _ in 0..<2 {
            #expect(try await stage.queue.snapshot().transfers.map(\.id) == [ids[1]])
            #expect(try await stage.queue.history(HistoryQuery()).count == 2)
            try await stage.reopen()
        }
    }

    @Test func whatWasClearedIsGoneForTheNextProcess() async throws {
        let id = try await stage.queue.add(
            [stage.download(server.url("/missing"), name: "a")], paused: false)[0]
        try await stage.end(of: id)
        #expect(try await stage.queue.clear(QueueFilter()) == 1)
        try await stage.reopen()
        #expect(try await stage.queue.history(HistoryQuery()) == [])
        await #expect(throws: TransferError.self) { _ = try await stage.queue.undo() }
    }

    /// They were the last ones, and are at once when they come back: the store has their places all the same.
    @Test func placesOfWhatComesBackAreStored() async throws {
        let ids = try await paused(3)
        let (first, others) = (ids[0], Array(ids[1...]))
        try await stage.queue.perform(.cancel(deletingPartial: false), on: others)
        try await stage.queue.perform(.dismiss, on: others)
        #expect(try await stage.queue.undo().ids == others)
        try await stage.queue.perform(.move(.bottom), on: [first])
        for _ in 0..<2 {
            #expect(try await stage.queue.snapshot().transfers.map(\.id) == others + [first])
            try await stage.reopen()
        }
    }

    @Test func orderRatesAndLimitsReturnStepByStep() async throws {
        let ids = try await paused(3)
        try await stage.queue.perform(.limit(500), on: [ids[0]])
        let before = try await stage.queue.snapshot()
        try await stage.queue.perform(.limit(nil), on: ids)
        try await stage.queue.perform(.move(.top), on: [ids[2]])
        try await stage.queue.perform(.priority(0.9), on: [ids[1]])
        try await stage.queue.setLimits(QueueLimits(concurrent: 1, download: 7))
        let timetable = try LimitTimetable("08:00 down=1M; 18:00 off")
        try await stage.queue.setTimetable(timetable)
        // Changes nothing.
        try await stage.queue.setTimetable(timetable)
        try await stage.queue.perform(.resume, on: [ids[0]])
        var undone: [UndoneCommand] = []
        for _ in 1...6 { undone.append(try await stage.queue.undo()) }
        let words = undone.map(\.command)
        #expect(words == ["resume", "timetable.set", "limits.set", "priority", "move", "limit"])
        #expect(undone.map(\.limits) == [nil, nil, before.limits, nil, nil, nil])
        #expect(try await stage.queue.timetable().entries.isEmpty)
        let after = try await stage.queue.snapshot()
        #expect(after.limits == before.limits)
        #expect(after.transfers.map(\.id) == ids && after.transfers.map(\.rateLimit) == [500, nil, nil])
        #expect(after.transfers.map(\.priority) == before.transfers.map(\.priority))
        #expect(after.transfers.map(\.pausedBy) == before.transfers.map(\.pausedBy))
        try await stage.reopen()
        #expect(try await stage.queue.snapshot().transfers.map(\.id) == ids)
    }
}
