// SPDX-License-Identifier: MIT

import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

@Suite struct WakeHoldTests {
    private struct Row {
        var time: Double
        var isBusy: Bool
        var isEnabled = true
        var step: WakeHold.Step
    }

    @Test func holdsWhileTransfersMoveBytes() {
        let rows = [
            Row(time: 0, isBusy: false, step: .none),
            Row(time: 1, isBusy: true, step: .hold),
            Row(time: 2, isBusy: true, step: .none),
            Row(time: 3, isBusy: false, step: .wait(until: 8)),
            Row(time: 4, isBusy: true, step: .none),
            // The timer of 8 is pending.
            Row(time: 6, isBusy: false, step: .none),
            Row(time: 8, isBusy: false, step: .wait(until: 11)),
            Row(time: 11, isBusy: false, step: .release),
            Row(time: 12, isBusy: false, step: .none),
            Row(time: 13, isBusy: true, step: .hold),
            Row(time: 14, isBusy: true, isEnabled: false, step: .release),
            Row(time: 15, isBusy: true, step: .hold),
            Row(time: 16, isBusy: false, step: .wait(until: 21)),
            Row(time: 17, isBusy: false, isEnabled: false, step: .release),
            Row(time: 18, isBusy: true, step: .hold),
            Row(time: 19, isBusy: false, step: .none),
            Row(time: 21, isBusy: false, step: .wait(until: 24)),
            Row(time: 24, isBusy: false, step: .release),
        ]
        var hold = WakeHold()
        for row in rows {
            (hold.isBusy, hold.isEnabled) = (row.isBusy, row.isEnabled)
            let step = hold.evaluate(at: row.time)
            #expect(step == row.step, "\(row.time)")
        }
        #expect(!hold.isHeld)
    }
}

/// With programs in place of systemd-inhibit(1).
@Suite(.timeLimit(.minutes(10))) struct SleepInhibitorTests {
    private final class Stage: Sendable {
        let folder: TemporaryFolder
        let scheduler = ManualScheduler()
        let reports = Mutex<[String]>([])
        let program: String

        init(_ script: String) throws {
            folder = try TemporaryFolder()
            program = try folder.write(Array("#!/bin/sh\ncd '\(folder.path)'\n\(script)\n".utf8), to: "inhibit")
        }

        func inhibitor(_ words: [String]? = nil) -> SleepInhibitor {
            SleepInhibitor(words ?? ["/bin/sh", program, "x"], scheduler: scheduler) { [self] report in
                reports.withLock { $0.append(report) }
            }
        }

        var log: String { String(decoding: (try? folder.read("log")) ?? [], as: UTF8.self) }
    }

    /// Writes a line at its begin, and one at the end of its standard input.
    private static let holder = "echo \"begin $*\" >> log; cat; echo end >> log"

    @Test func theProgramRunsWhileTransfersMove() throws {
        let stage = try Stage(Self.holder)
        let inhibitor = stage.inhibitor()
        #expect(inhibitor.status == SleepStatus(enabled: true, prevented: false))
        inhibitor.setBusy(true)
        #expect(eventually { stage.log == "begin x\n" })
        #expect(eventually { inhibitor.status == SleepStatus(enabled: true, prevented: true) })
        // Shorter gaps make no difference.
        inhibitor.setBusy(false)
        stage.scheduler.advance(by: 4)
        inhibitor.setBusy(true)
        inhibitor.setBusy(false)
        stage.scheduler.advance(by: 4)
        #expect(inhibitor.status.prevented && stage.log == "begin x\n")
        stage.scheduler.advance(by: 2)
        #expect(eventually { stage.log == "begin x\nend\n" })
        #expect(eventually { !inhibitor.status.prevented })

        inhibitor.setBusy(true)
        #expect(eventually { stage.log == "begin x\nend\nbegin x\n" })
        inhibitor.setEnabled(false)
        #expect(eventually { stage.log == "begin x\nend\nbegin x\nend\n" })
        #expect(inhibitor.status == SleepStatus(enabled: false, prevented: false))
        #expect(stage.reports.withLock { $0.isEmpty })
    }

    @Test func aRefusalIsReportedOnce() throws {
        let stage = try Stage("echo begin >> log; echo 'Failed to inhibit: Access denied' >&2; exit 1")
        let inhibitor = stage.inhibitor()
        let problem = "/bin/sh refuses: Failed to inhibit: Access denied"
        for count in 1...2 {
            inhibitor.setBusy(true)
            #expect(eventually { stage.log == String(repeating: "begin\n", count: count) })
            #expect(eventually { inhibitor.status == SleepStatus(enabled: true, prevented: false, problem: problem) })
            // It is started again when transfers begin again.
            inhibitor.setBusy(false)
            stage.scheduler.advance(by: 6)
        }
        #expect(stage.reports.withLock { $0 } == [problem])
    }

    @Test func nothingWaitsForAProgramThatIsMissing() throws {
        let stage = try Stage("")
        let missing = stage.folder.file("missing")
        let inhibitor = stage.inhibitor([missing])
        inhibitor.setBusy(true)
        #expect(eventually { stage.reports.withLock { $0 } == ["\(missing) is not there"] })
        #expect(inhibitor.status.problem == "\(missing) is not there")
    }

    @Test func aQueueHoldsWhileItsTransfersRun() async throws {
        let stage = try Stage(Self.holder)
        let transport = FakeTransport { _, _ in
            var answer = FakeTransport.Answer(200, body: [1, 2, 3])
            answer.stalls = true
            return answer
        }
        var session = TransferConfiguration()
        session.proxy = .none
        var configuration = LocalQueue.Configuration()
        configuration.inhibitor = stage.inhibitor()
        let queue = LocalQueue(
            transport: transport, configuration: configuration, session: session, scheduler: stage.scheduler)
        let spec = Spec(
            url: try TransferURL("http://a.test/a"),
            operation: .download(Download(destination: .file(path: stage.folder.file("a")))))
        let ids = try await queue.add([spec], paused: false)
        #expect(await eventually { stage.log == "begin x\n" })
        try await queue.perform(.cancel(deletingPartial: true), on: ids)
        stage.scheduler.advance(by: 6)
        #expect(await eventually { stage.log == "begin x\nend\n" })
        await queue.shutDown()
    }
}
