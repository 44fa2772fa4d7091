// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
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

    @Test func undoReleasesAndHoldsAgain() async throws {
        try await stage.queue.setHeld(true)
        let id = try await add("a")
        var undone = try await stage.queue.undo()
        #expect(undone.command == "hold" && undone.ids == [id])
        try await stage.wait(for: id) { $0.state == .running }
        #expect(try await stage.queue.limits().isHeld == nil)
        try await stage.queue.setHeld(true)
        try await stage.queue.setHeld(false)
        undone = try await stage.queue.undo()
        #expect(undone.command == "resume" && undone.ids == [id])
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

    @Test func oneThatIsResumedRuns() async throws {
        try await stage.queue.setHeld(true)
        let (one, other) = (try await add("a"), try await add("b"))
        try await stage.queue.perform(.resume, on: [one])
        try await stage.wait(for: one) { $0.state == .running }
        #expect(try await stage.queue.snapshot().transfers.first { $0.id == other }?.pausedBy == .queue)
    }
}
