// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Glibc
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import fileq

/// A run against a scripted queue: what comes out, and with which exit code.
@Suite struct TransferRunTests {
    /// Records the calls of a display.
    final class Recorder: ProgressDisplay {
        let events: Mutex<[TransferEvent]> = Mutex([])
        let said: Mutex<[String]> = Mutex([])
        let ends: Mutex<Int> = Mutex(0)

        func show(_ news: [TransferEvent]) { events.withLock { $0 += news } }
        func say(_ line: String) { said.withLock { $0.append(line) } }
        func end() { ends.withLock { $0 += 1 } }
    }

    private func run(
        _ queue: ScriptedQueue, count: Int = 1, display: Recorder = Recorder(),
        events: FileOutput? = nil, consent: ConsentCoordinator? = nil, unreadableAt positions: [Int] = []
    ) async throws -> Int32 {
        let command = try #require(try Program.parse(["get", "http://example.org/x"]) as? GetCommand)
        var plan = try TransferPlan(output: command.shared.output)
        plan.descriptions = try (0..<count).map { index in
            Spec(
                url: try TransferURL("http://example.org/\(index)"),
                operation: .download(.init(destination: .folder(path: ".", name: "\(index)"))))
        }
        plan.failures = positions.map {
            TransferPlan.Failure(position: $0, error: TransferError(.cannotReadSource, "a: permission denied"))
        }
        return try await TransferRun(
            plan: plan, display: display, events: events, interruption: Interruption(), consent: consent,
            makeQueue: { _ throws(TransferError) in queue.running }
        ).execute()
    }

    @Test func completedRunsExitWithZeroAndStopTheQueueOnce() async throws {
        var script = Script()
        let queue = ScriptedQueue([
            .update(
                .events([
                    script.event(.queued, .queued), script.event(.started, .running),
                    script.event(.completed, .completed),
                ]))
        ])
        let display = Recorder()
        #expect(try await run(queue, display: display) == 0)
        #expect(queue.stops == 1)
        #expect(display.ends.withLock { $0 } == 1)
        #expect(display.events.withLock { $0.map(\.name) } == [.queued, .started, .completed])
    }

    @Test func exitsWithTheFirstFailure() async throws {
        var (one, two, three) = (Script(id: 1), Script(id: 2), Script(id: 3))
        let queue = ScriptedQueue([
            .update(
                .events([
                    one.event(.queued, .queued), two.event(.queued, .queued), three.event(.queued, .queued),
                    three.failed(.timedOut, "too late"), one.event(.completed, .completed),
                    two.failed(.hostNotResolved, "who?"),
                ]))
        ])
        #expect(try await run(queue, count: 3) == 6)
    }

    /// The second of two transfers fails, or none.
    @Test(
        arguments: [
            ([], true, 22), ([0], true, 26), ([1, 2], true, 26), ([2], true, 22), ([2], false, 26), ([], false, 0),
        ] as [([Int], Bool, Int32)])
    func unreadableFilesFailInTheirOrder(positions: [Int], secondFails: Bool, code: Int32) async throws {
        var (one, two) = (Script(id: 1), Script(id: 2))
        let queue = ScriptedQueue([
            .update(
                .events([
                    one.event(.queued, .queued), two.event(.queued, .queued), one.event(.completed, .completed),
                    secondFails ? two.failed(.httpStatus, "403") : two.event(.completed, .completed),
                ]))
        ])
        #expect(try await run(queue, count: 2, unreadableAt: positions) == code)
    }

    /// The queue ends before it has reported anything of the second.
    @Test func aTransferWithoutAnyUpdateIsNoSuccess() async throws {
        var script = Script()
        let queue = ScriptedQueue([
            .update(.events([script.event(.queued, .queued), script.event(.completed, .completed)])), .end,
        ])
        #expect(try await run(queue, count: 2) == 130)
    }

    @Test func transfersPausedForAnErrorHaveFailed() async throws {
        var script = Script()
        let queue = ScriptedQueue([
            .update(
                .events([
                    script.event(.started, .running),
                    script.event(.paused, .paused) { $0.error = TransferError(.cannotWrite, "disk full") },
                ]))
        ])
        let display = Recorder()
        #expect(try await run(queue, display: display) == 23)
        #expect(display.events.withLock { $0.last?.name } == .failed)
    }

    /// A transfer paused with a question continues after the user's answer; no question stays forever.
    @Test func resolvesQuestionsDuringTheRun() async throws {
        var script = Script()
        let question = ConsentQuestion.login(.init(host: "example.org", port: 80, scheme: "http", method: "basic"))
        let asked = script.event(.paused, .paused) { $0.question = question }
        let login = QueueCommand.login(Credential(user: "alice", password: "x"), .once)
        var steps: [ScriptedQueue.Step] = [.stand(QueueSnapshot(transfers: [asked.transfer]))]
        for number in 1...4 { steps += [.update(.events([asked])), .untilCommands(number)] }
        let queue = ScriptedQueue(steps + [.update(.events([script.failed(.loginDenied, "401")]))])
        let count = Mutex(0)
        let consent = ConsentCoordinator(
            ask: { asked in
                #expect(asked == question)
                count.withLock { $0 += 1 }
                return login
            }, breakOff: {}, restore: {})
        #expect(try await run(queue, consent: consent) == 67)
        #expect(queue.commands == [login, login, login, .decline()].map { $0.answering(question) })
        #expect(count.withLock { $0 } == 3)
    }

    @Test func skipsResolvedQuestions() async throws {
        var script = Script()
        let question = ConsentQuestion.login(.init(host: "example.org", port: 80, scheme: "http", method: "basic"))
        let asked = script.event(.paused, .paused) { $0.question = question }
        let running = script.event(.resumed, .running) { $0.question = nil }
        let queue = ScriptedQueue([
            .stand(QueueSnapshot(transfers: [running.transfer])), .update(.events([asked, running])),
            .update(.events([script.event(.completed, .completed)])),
        ])
        let consent = ConsentCoordinator(
            ask: { _ in
                Issue.record("asked")
                return nil
            }, breakOff: {}, restore: {})
        #expect(try await run(queue, consent: consent) == 0)
        #expect(queue.commands.isEmpty)
    }

    @Test func reportsARejectedPlan() async throws {
        let queue = ScriptedQueue([], refusing: TransferError(.usage, "no"))
        await #expect(throws: TransferError(.usage, "no")) { try await run(queue) }
        #expect(queue.stops == 1)
    }

    @Test func reportsEachEndOnce() async throws {
        var script = Script()
        let done = script.event(.completed, .completed)
        let queue = ScriptedQueue([
            .update(.snapshot(QueueSnapshot(transfers: [done.transfer]))), .update(.events([done])),
        ])
        let display = Recorder()
        #expect(try await run(queue, display: display) == 0)
        #expect(display.events.withLock { $0.map(\.name) } == [.completed])
    }

    @Test func shutdownEndsRemainingTransfers() async throws {
        var script = Script()
        let queue = ScriptedQueue([.update(.events([script.event(.started, .running)])), .end])
        let display = Recorder()
        #expect(try await run(queue, display: display) == 130)
        #expect(display.events.withLock { $0.last?.name } == .cancelled)
    }

    @Test func writesOneEventPerLine() async throws {
        var script = Script(total: 10)
        let queue = ScriptedQueue([
            .update(
                .events([
                    script.event(.started, .running), script.event(.progress, .running, after: 1) { $0.bytes = 4 },
                    script.event(.progress, .running, after: 0.1) { $0.bytes = 5 },
                    script.event(.completed, .completed, after: 1) { $0.bytes = 10 },
                ]))
        ])
        let pipe = Pipe()
        #expect(try await run(queue, events: FileOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)) == 0)
        try pipe.fileHandleForWriting.close()
        let lines = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(
            separator: "\n")
        let names = try lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["event"] as? String
        }
        #expect(names == ["started", "progress", "completed"])
    }

    @Test func closedOutputEndsTheRunWith23() async throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        var script = Script()
        let queue = ScriptedQueue([
            .update(.events([script.event(.started, .running)])), .untilStopped,
            .update(.events([script.event(.paused, .paused)])), .end,
        ])
        let status = try await run(queue, events: FileOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor))
        #expect(status == 23)
        #expect(queue.stops == 1)
    }

    @Test func eventsThatCannotBeWrittenFailARunWhoseTransfersComplete() async throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        var script = Script()
        let queue = ScriptedQueue([
            .update(.events([script.event(.started, .running), script.event(.completed, .completed)]))
        ])
        let display = Recorder()
        #expect(try await run(queue, display: display, events: FileOutput(descriptor: full)) == 23)
        #expect(display.said.withLock { $0.count { $0.contains("no space left") } } == 1)
    }
}

@Suite struct InterruptionTests {
    private func run(
        _ queue: ScriptedQueue, _ display: TransferRunTests.Recorder, _ interruption: Interruption
    ) async throws -> Int32 {
        var plan = try TransferPlan(output: OutputOptions.parse([]))
        plan.descriptions = [
            Spec(
                url: try TransferURL("http://example.org/x"),
                operation: .download(.init(destination: .folder(path: ".", name: "x"))))
        ]
        return try await TransferRun(
            plan: plan, display: display, events: nil, interruption: interruption,
            makeQueue: { _ throws(TransferError) in queue.running }
        ).execute()
    }

    /// `fileq get … &` in a script, `nohup fileq get …`.
    @Test(
        arguments: [
            ([], [SIGINT, SIGTERM, SIGHUP]), ([SIGINT], [SIGTERM, SIGHUP]), ([SIGHUP], [SIGINT, SIGTERM]),
            ([SIGINT, SIGTERM, SIGHUP], [SIGTERM]),
        ] as [([Int32], [Int32])])
    func ignoredSignalsStayIgnored(_ ignored: [Int32], _ handled: [Int32]) {
        #expect(Interruption.handled { ignored.contains($0) } == handled)
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 143)] as [(Int32, Int32)])
    func firstSignalStopsCleanly(number: Int32, status: Int32) async throws {
        var script = Script()
        let display = TransferRunTests.Recorder()
        let exits: Mutex<[Int32]> = Mutex([])
        let interruption = Interruption(exit: { status in exits.withLock { $0.append(status) } })
        let queue = ScriptedQueue([
            .update(.events([script.event(.started, .running)])), .run { interruption.receive(number) }, .untilStopped,
            .update(.events([script.event(.paused, .paused)])), .end,
        ])
        #expect(try await run(queue, display, interruption) == status)
        #expect(display.events.withLock { $0.map(\.name) } == [.started, .paused, .cancelled])
        // Said on another thread.
        #expect(await eventually { display.said.withLock { $0.count } == 1 })
        #expect(exits.withLock { $0 }.isEmpty)
    }

    /// `error.code` of an event is the exit code.
    @Test(
        arguments: [(SIGINT, .interrupted), (SIGTERM, .terminated), (SIGHUP, .terminated)]
            as [(Int32, TransferError.Code)])
    func cancelledTransfersHaveTheCodeOfTheSignal(number: Int32, code: TransferError.Code) async throws {
        var script = Script()
        let display = TransferRunTests.Recorder()
        let interruption = Interruption(exit: { _ in Issue.record("ended immediately") })
        let queue = ScriptedQueue([
            .update(.events([script.event(.started, .running)])), .run { interruption.receive(number) }, .untilStopped,
            .update(
                .events([
                    script.event(.cancelled, .cancelled) { $0.error = TransferError(.interrupted, "interrupted") }
                ])), .end,
        ])
        #expect(try await run(queue, display, interruption) == Int32(code.rawValue))
        #expect(display.events.withLock { $0.last?.transfer.error?.code } == code)
    }

    /// timeout(1) sends its signal to the process and to its group.
    @Test func theSameSignalWithinAMomentCountsOnce() {
        let exits: Mutex<[Int32]> = Mutex([])
        let time = Mutex(100.0)
        let interruption = Interruption(
            exit: { status in exits.withLock { $0.append(status) } }, now: { time.withLock { $0 } })
        interruption.receive(SIGTERM)
        time.withLock { $0 = 100.1 }
        interruption.receive(SIGTERM)
        #expect(exits.withLock { $0 }.isEmpty)
        time.withLock { $0 = 100.3 }
        interruption.receive(SIGTERM)
        #expect(exits.withLock { $0 } == [143])
    }

    @Test func secondSignalExitsImmediately() {
        let exits: Mutex<[Int32]> = Mutex([])
        let reported: Mutex<[String]> = Mutex([])
        let interruption = Interruption(exit: { status in exits.withLock { $0.append(status) } })
        interruption.arm(
            onFirst: { _ in reported.withLock { $0.append("first") } },
            onSecond: { reported.withLock { $0.append("second") } })
        interruption.receive(SIGINT)
        #expect(exits.withLock { $0 }.isEmpty)
        interruption.receive(SIGTERM)
        #expect(exits.withLock { $0 } == [130])
        #expect(reported.withLock { $0 } == ["first", "second"])
    }
}
