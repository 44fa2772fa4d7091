// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

@Suite struct ControlClientTests {
    private static let one = TransferID(rawValue: 1)

    @Test func forwardsEveryCall() async throws {
        try await onStage { stage in
            let client = try await stage.client()
            #expect(client.service.version == "0.1.0")
            #expect(client.service.pid == getpid())
            var options = TransferOptions()
            options.credential = Credential(user: "me", password: "s3cret")
            let description = Spec(
                url: try TransferURL("https://u:p@example.org/x"),
                operation: .download(Download(destination: .file(path: "/x"))),
                options: options)
            #expect(
                try await client.add([description, description], paused: true)
                    == [3, 4].map(TransferID.init(rawValue:)))
            #expect(stage.testQueue.added == [description, description])
            #expect(try await client.snapshot() == stage.testQueue.snapshot())
            #expect(try await client.transfers(matching: QueueFilter(states: [.paused])).count == 2)
            #expect(try await client.info(Self.one).attempts?.count == 1)
            try await client.perform(.limit(nil), on: [Self.one])
            try await client.perform(.priority(1), on: [Self.one])
            #expect(stage.testQueue.performed.map(\.command) == [.limit(nil), .priority(1)])
            try await client.relocate(Self.one, to: Relocation(sid: "new"))
            #expect(stage.testQueue.relocated == [Relocation(sid: "new")])
            try await client.setLimits(QueueLimits(concurrent: 9, download: 5))
            #expect(try await client.limits() == QueueLimits(concurrent: 9, download: 5))
            // The limits are not read and written once more.
            try await client.setHeld(true)
            #expect(try await client.limits() == QueueLimits(concurrent: 9, download: 5, isHeld: true))
            #expect(stage.testQueue.calls(SetLimitsCall.self).count == 2)
            try await client.setHeld(false)
            let page = try await client.log(LogQuery(after: 1, limit: 1))
            #expect(page.entries.map(\.sequence) == [2] && page.latest == 3)
            let timetable = LimitTimetable(entries: [.init(from: 0, to: 1440, upload: 1)])
            try await client.setTimetable(timetable)
            #expect(try await client.timetable() == timetable)
            #expect(try await client.history(HistoryQuery()).map(\.transfer.id.rawValue) == [2])
            #expect(try await client.clear(QueueFilter()) == 1)
            #expect(try await client.status().transfers == ["running": 1, "paused": 2])
        }
    }

    /// Bytes that are being copied hold up no other call.
    @Test func aMoveThatTakesLongIsAwaited() async throws {
        try await onStage { stage in
            let client = try await stage.client()
            try await client.setLimits(QueueLimits(concurrent: 1))
            let move = Task { try await client.relocate(Self.one, to: Relocation(folder: "/films")) }
            #expect(await eventually { !stage.testQueue.relocated.isEmpty })
            #expect(try await client.relocate(Self.one, to: Relocation(sid: "x")) == [])
            try await client.setLimits(QueueLimits(concurrent: 2))
            #expect(try await move.value == [])
        }
    }

    /// To revert a move takes as long as the move; what follows may not be reverted in its place.
    @Test func undoMayTakeLongAndKeepsItsPlace() {
        func move(_ place: Relocation) -> RelocateCall { RelocateCall(Self.one, to: place) }
        let calls: [(call: any ControlCall, mayTakeLong: Bool, keepsOrder: Bool)] = [
            (UndoCall(), true, true), (move(Relocation(folder: "/films")), true, false),
            (move(Relocation(sid: "x")), false, true),
        ]
        for (call, mayTakeLong, keepsOrder) in calls {
            #expect(call.mayTakeLong == mayTakeLong && call.keepsOrder == keepsOrder, "\(call)")
        }
    }

    /// Nor does a time limit end the wait.
    @Test func aCallWithoutDeadlineIsNeverLate() {
        var calls = PendingCalls()
        #expect(calls.insert(.init(method: "relocate", deadline: .infinity) { _ in }, id: 1) == nil)
        #expect(calls.insert(.init(method: "ping", deadline: 5) { _ in }, id: 2) == 5)
        #expect(calls.earliestDeadline == 5)
        let (late, next) = calls.check(at: 6)
        #expect(late.map(\.method) == ["ping"] && next == nil && calls.count == 1)
    }

    @Test func errorsSurvive() async throws {
        try await onStage { stage in
            let client = try await stage.client()
            let error = await #expect(throws: TransferError.self) {
                try await client.perform(.pause, on: [TransferID(rawValue: 99)])
            }
            #expect(error == TransferError.unknownTransfer(TransferID(rawValue: 99)))
        }
    }

    @Test(arguments: ["nobody", "dead"]) func reportsAMissingSocket(_ name: String) async throws {
        let folder = try TemporaryFolder()
        if name == "dead" {
            let dead = try UnixSocket.make()
            #expect(try UnixSocket.withAddress(folder.file(name)) { bind(dead, $0, $1) } == 0)
            close(dead)
        }
        let error = await #expect(throws: TransferError.self) {
            try await ControlClient.connect(path: folder.file(name), options: .init(version: "1"))
        }
        #expect(error?.code == .cannotConnect)
    }

    @Test func tooLongPathsNameTheRemedy() async {
        let error = await #expect(throws: TransferError.self) {
            try await ControlClient.connect(
                path: "/" + String(repeating: "x", count: 107), options: .init(version: "1"))
        }
        #expect(error?.fields.variant == .longSocketPath)
    }

    @Test func namesAnotherVersion() async throws {
        let service = try ScriptedService { peer in
            await peer.send(
                #"{"jsonrpc":"2.0","method":"hello","params":{"protocol":2,"version":"7.5","pid":1,"#
                    + #""maximumMessage":9}}"#
                    + "\n")
        }
        let error = await #expect(throws: TransferError.self) { try await service.client() }
        #expect(error?.code == .usage)
        #expect(error?.message.contains("version 7.5") == true)
        #expect(error?.fields.variant == .serviceIncompatible)
    }

    @Test(arguments: ["HTTP/1.1 400 Bad Request\r\n", "{}\n", "\u{0}\n"]) func detectsOtherServers(
        _ text: String
    ) async throws {
        let service = try ScriptedService { peer in
            await peer.send(text)
            peer.endInput()
        }
        await #expect(throws: TransferError.self) { try await service.client() }
    }

    @Test func crashesEndCallsAndStreams() async throws {
        let service = try ScriptedService { peer in
            await peer.greet()
            _ = await peer.line()
            _ = await peer.line()
        }
        let client = try await service.client()
        let updates = client.updates()
        let error = await #expect(throws: TransferError.self) { try await client.snapshot() }
        #expect(error?.code == .receiveFailed)
        for await _ in updates {}
        #expect(client.failure == error)
        #expect(await client.waitUntilClosed() == error)
        let later = await #expect(throws: TransferError.self) { try await client.snapshot() }
        #expect(later == error)
        for await _ in client.updates() { #expect(Bool(false)) }
    }

    @Test func invalidMessagesEndTheConnection() async throws {
        let service = try ScriptedService { peer in
            await peer.greet()
            _ = await peer.line()
            await peer.send("nonsense\n")
            _ = await peer.line()
        }
        let client = try await service.client()
        await #expect(throws: TransferError.self) { try await client.snapshot() }
        #expect(client.failure?.code == .receiveFailed)
    }

    @Test func missingRepliesTimeOut() async throws {
        let clock = ManualScheduler()
        try await onStage { stage in
            let client = try await stage.client { options in
                options.callTimeout = 30
                options.clock = CallClock(now: { clock.now }, schedule: { clock.schedule(at: clock.now + $0, $1) })
            }
            stage.testQueue.hold()
            let call = Task { try await client.snapshot() }
            // Beside the looks that were planned for the greeting.
            #expect(await eventually { client.state.withLock { $0.calls.count } == 1 })
            clock.advance(by: 29)
            #expect(client.state.withLock { $0.calls.count } == 1)
            clock.advance(by: 1)
            let error = await #expect(throws: TransferError.self) { try await call.value }
            #expect(error == TransferError(.timedOut, .serviceNoReply, "snapshot", 30))
            // The connection stays; the late reply is ignored.
            stage.testQueue.release()
            #expect(try await client.limits() == QueueLimits())
        }
    }

    @Test func silenceIsReportedAfterASecond() async throws {
        let clock = ManualScheduler()
        let reported = Mutex<[Bool]>([])
        try await onStage { stage in
            let client = try await stage.client { options in
                options.clock = CallClock(now: { clock.now }, schedule: { clock.schedule(at: clock.now + $0, $1) })
                options.replyingChanged = { isAnswering in reported.withLock { $0.append(isAnswering) } }
            }
            stage.testQueue.hold()
            let call = Task { try await client.snapshot() }
            #expect(await eventually { client.state.withLock { $0.calls.count } == 1 })
            clock.advance(by: 1)
            #expect(await eventually { reported.withLock { $0 } == [false] })
            clock.advance(by: 5)
            stage.testQueue.release()
            _ = try await call.value
            #expect(await eventually { reported.withLock { $0 } == [false, true] })
        }
    }

    @Test func silentServicesTimeOut() async throws {
        let clock = ManualScheduler()
        let service = try ScriptedService { peer in _ = await peer.line() }
        let client = Task {
            try await service.client {
                $0.clock = CallClock(now: { clock.now }, schedule: { clock.schedule(at: clock.now + $0, $1) })
            }
        }
        #expect(await eventually { clock.nextDelay != nil })
        clock.advance(by: 30)
        let error = await #expect(throws: TransferError.self) { try await client.value }
        #expect(error?.code == .timedOut)
    }

    @Test func cancelledCallsReturn() async throws {
        try await onStage { stage in
            let client = try await stage.client()
            stage.testQueue.hold()
            let call = Task { try await client.snapshot() }
            #expect(await eventually { client.state.withLock { $0.calls.count } == 1 })
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
        }
    }

    @Test func concurrentCallsGetTheirReplies() async throws {
        try await onStage(queue: .sample(more: 200)) { stage in
            let client = try await stage.client()
            try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                for id in 1...200 {
                    group.addTask { (id, try await client.info(TransferID(rawValue: id)).transfer.id.rawValue) }
                }
                for try await (asked, answered) in group { #expect(asked == answered) }
            }
        }
    }

    @Test func repliesDuringEvents() async throws {
        try await onStage(queue: .sample(more: 100)) { stage in
            let client = try await stage.client()
            let heard = Counter()
            let listening = Task { for await _ in client.updates() { heard.add() } }
            let posting = Task {
                var bytes: Int64 = 0
                while !Task.isCancelled {
                    bytes += 1
                    stage.testQueue.progress(to: bytes)
                    await Task.yield()
                    if bytes % 16 == 0 { try? await Task.sleep(for: .milliseconds(1)) }
                }
            }
            for _ in 0..<500 { #expect(try await client.limits().concurrent == 4) }
            #expect(await eventually { heard.count > 1 })
            posting.cancel()
            listening.cancel()
            await posting.value
            await listening.value
        }
    }
}
