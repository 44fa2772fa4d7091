// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// What a running queue makes of terms, priorities and the hour. Time and the network are as the test says.
@Suite(.timeLimit(.minutes(10))) struct QueueTermsTests {
    private final class Stage: Sendable {
        let folder: TemporaryFolder
        let monitor: FakePathMonitor
        let scheduler = ManualScheduler()
        let transport: FakeTransport
        let queue: LocalQueue

        init(
            path: NetworkPath = FakePathMonitor.wired, limits: QueueLimits = QueueLimits(), stalls: Bool = false,
            hooks: HookRunner? = nil
        ) throws {
            folder = try TemporaryFolder()
            monitor = FakePathMonitor(path: path)
            transport = FakeTransport { _, _ in
                var answer = FakeTransport.Answer(200, [:], body: [1, 2, 3])
                answer.stalls = stalls
                return answer
            }
            var session = TransferConfiguration()
            session.proxy = .none
            session.waitsForConnectivity = true
            session.pathMonitor = monitor
            var configuration = LocalQueue.Configuration()
            configuration.limits = limits
            configuration.hooks = hooks
            // The scheduler's first moment is 07:59:30 on a Monday.
            configuration.localTime = { time in
                let passed = time - 1_700_001_000 + 479 * 60 + 30
                let minute = (passed / 60).rounded(.down)
                return LocalTime(minuteOfWeek: Int(minute) % 10080, second: passed - minute * 60)
            }
            queue = LocalQueue(
                transport: transport, configuration: configuration, session: session, scheduler: scheduler)
        }

        func add(
            _ names: String..., on terms: TransferTerms = TransferTerms(), priority: Double = 0.5,
            host: String = "a.test"
        ) async throws -> [TransferID] {
            try await queue.add(
                names.map { name in
                    var description = Spec(
                        url: try TransferURL("http://\(host)/\(name)"),
                        operation: .download(Download(destination: .file(path: folder.file(name)))))
                    description.options.priority = priority
                    return description
                }, on: terms)
        }

        var states: [TransferState] { get async throws { try await queue.snapshot().transfers.map(\.state) } }

        /// Until the queue says so; time goes on a little by little.
        func wait(_ condition: ([Transfer]) -> Bool) async throws {
            while true {
                if condition(try await queue.snapshot().transfers) { return }
                scheduler.advance(by: 0.001)
                try await Task.sleep(for: .milliseconds(2))
            }
        }
    }

    @Test func recordsTerms() async throws {
        let stage = try Stage()
        let terms = TransferTerms(
            paused: true, earliestBegin: 2_000_000_000, isDiscretionary: true, session: "s", taskDescription: "t",
            batch: TransferBatch(id: "1", name: "b"))
        let id = try await stage.add("x", on: terms, priority: 0.75)[0]
        let transfer = try await stage.queue.info(id).transfer
        #expect(
            transfer.priority == 0.75 && transfer.earliestBegin == 2_000_000_000 && transfer.isDiscretionary == true)
        #expect(transfer.session == "s" && transfer.taskDescription == "t" && transfer.state == .paused)
        #expect(transfer.batch == terms.batch)
        _ = try await stage.add("y", on: TransferTerms(paused: true))
        let plain = try #require(try await stage.queue.snapshot().transfers.last)
        #expect(plain.priority == nil && !plain.isDiscretionary && plain.session == nil)
        await stage.queue.shutDown()
    }

    @Test func startsAtItsTimeAndChecksTheClockEachMinute() async throws {
        let stage = try Stage()
        _ = try await stage.add("x", on: TransferTerms(earliestBegin: stage.scheduler.wallNow + 90))
        #expect(try await stage.states == [.queued])
        #expect(stage.scheduler.nextDelay == 60)
        stage.scheduler.advance(by: 60)
        // After what the timer asks for.
        _ = try await stage.queue.snapshot()
        #expect(try #require(stage.scheduler.nextDelay) <= 30)
        #expect(try await stage.states == [.queued])
        stage.scheduler.advance(by: 30)
        try await stage.wait { $0[0].state == .completed }
        await stage.queue.shutDown()
    }

    @Test func reportsAndPersistsPrioritiesAndMoves() async throws {
        let stage = try Stage(limits: QueueLimits(concurrent: 1), stalls: true)
        let ids = try await stage.add("a", "b", "c", "d")
        var updates = stage.queue.updates().makeAsyncIterator()
        guard case .snapshot = await updates.next() else { return #expect(Bool(false), "a snapshot comes first") }
        try await stage.queue.perform(.priority(0.9), on: [ids[2], ids[3]])
        var order: [TransferID] = []
        var changed: [TransferID: Double?] = [:]
        while order.isEmpty, let update = await updates.next() {
            if case .order(let new) = update { order = new }
            if case .events(let events) = update {
                for event in events where event.name == .changed {
                    changed[event.transfer.id] = event.transfer.priority
                }
            }
        }
        #expect(order == [ids[2], ids[3], ids[0], ids[1]])
        #expect(changed == [ids[2]: 0.9, ids[3]: 0.9])
        try await stage.queue.perform(.move(.top), on: [ids[1]])
        try await stage.wait { $0[0].id == ids[1] && $0[0].priority == 0.9 }
        try await stage.queue.perform(.cancel(deletingPartial: true), on: [ids[0]])
        try await stage.wait { $0.first { $0.id == ids[1] }?.state == .running }
        await stage.queue.shutDown()
    }

    @Test func limitsTransfersPerHost() async throws {
        let stage = try Stage(limits: QueueLimits(concurrent: 4, perHost: 1), stalls: true)
        _ = try await stage.add("a", "b")
        _ = try await stage.add("c", host: "b.test")
        #expect(try await stage.states == [.running, .queued, .running])
        try await stage.queue.setLimits(QueueLimits(concurrent: 4, perHost: 2))
        #expect(try await stage.states == [.running, .running, .running])
        await stage.queue.shutDown()
    }

    @Test func discretionaryTransfersWaitForAFreeNetwork() async throws {
        let lte = FakePathMonitor.through(
            NetworkInterface(name: "wwan0", kind: .cellular, isExpensive: true, isCellular: true))
        let stage = try Stage(path: lte)
        let ids = try await stage.add("x", "y", on: TransferTerms(isDiscretionary: true))
        #expect(try await stage.states == [.queued, .queued])
        // Its owner does not want to wait.
        try await stage.queue.perform(.liftRestrictions, on: [ids[1]])
        try await stage.wait { $0[1].state == .completed }
        #expect(try await stage.states == [.queued, .completed])
        stage.monitor.set(FakePathMonitor.wired)
        stage.monitor.fire(PathChange(hasNewCosts: true))
        try await stage.wait { $0[0].state == .completed }
        await stage.queue.shutDown()
    }

    @Test func appliesTheTimetableOnTime() async throws {
        let stage = try Stage(limits: QueueLimits(download: 7))
        #expect(stage.transport.rateLimits == [[7, nil]])
        let timetable = try LimitTimetable("08:00 down=512 up=100; 08:05 off")
        try await stage.queue.setTimetable(timetable)
        #expect(try await stage.queue.timetable() == timetable)
        #expect(try await stage.queue.snapshot().limits == QueueLimits(download: 7))
        #expect(stage.scheduler.nextDelay == 30)
        for expected in [[7, nil], [512, 100], [512, 100], [512, 100], [512, 100], [512, 100], [7, nil]] as [[Int?]] {
            #expect(stage.transport.rateLimits.last == expected)
            stage.scheduler.advance(by: try #require(stage.scheduler.nextDelay))
            // The timer has handed its work to the queue.
            _ = try await stage.queue.snapshot()
        }
        #expect(stage.transport.rateLimits == [[7, nil], [512, 100], [7, nil]])
        try await stage.queue.setTimetable(try LimitTimetable("00:00 unlimited"))
        #expect(stage.transport.rateLimits.last == [nil, nil])
        try await stage.queue.setTimetable(LimitTimetable())
        #expect(stage.transport.rateLimits.last == [7, nil])
        await stage.queue.shutDown()
    }

    @Test func runsHooks() async throws {
        let folder = try TemporaryFolder()
        let script = try folder.write(
            Array("echo $FILEQ_EVENT ${FILEQ_ID-none} >> '\(folder.file("log"))'\n".utf8), to: "hook.sh")
        let commands = Dictionary(uniqueKeysWithValues: HookEvent.allCases.map { ($0, ["/bin/sh", script]) })
        let reports = Mutex<[HookReport]>([])
        var bounds = HookRunner.Bounds()
        bounds.concurrent = 1
        let hooks = HookRunner(HookCommands(commands), bounds: bounds) { report in
            reports.withLock { $0.append(report) }
        }
        let stage = try Stage(hooks: hooks)
        try stage.folder.write([1], to: "taken")
        let ids = try await stage.add("fine", "taken")
        try await stage.wait { $0.allSatisfy(\.state.isEnded) }
        _ = try await stage.add("later", on: TransferTerms(paused: true))
        #expect(await eventually { reports.withLock { $0.count } == 5 })
        let log = String(decoding: try folder.read("log"), as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(
            log.sorted() == [
                "complete \(ids[0])", "error \(ids[1])", "idle none", "start \(ids[0])", "start \(ids[1])",
            ])
        #expect(log.last == "idle none")
        await stage.queue.shutDown()
    }

    /// The program of the end waits for one before it; meanwhile a transfer is added.
    @Test func noHookCallsAQueueIdleThatHasTransfersAgain() async throws {
        let folder = try TemporaryFolder()
        let text = """
            if [ $FILEQ_EVENT = complete ]; then
                touch FOLDER/started
                while [ ! -e FOLDER/go ]; do sleep 0.01; done
            fi
            echo $FILEQ_EVENT >> FOLDER/log
            """
        let script = try folder.write(Array(text.replacing("FOLDER", with: folder.path).utf8), to: "hook.sh")
        let commands: [HookEvent: [String]] = [.complete: ["/bin/sh", script], .idle: ["/bin/sh", script]]
        let reports = Mutex<[HookReport]>([])
        let hooks = HookRunner(HookCommands(commands)) { report in reports.withLock { $0.append(report) } }
        let stage = try Stage(hooks: hooks)
        _ = try await stage.add("fine")
        try await stage.wait { $0.allSatisfy(\.state.isEnded) }
        #expect(await eventually { folder.exists("started") })
        _ = try await stage.add("later", on: TransferTerms(earliestBegin: 4e9))
        try folder.write([], to: "go")
        #expect(await eventually { reports.withLock { !$0.isEmpty } })
        await hooks.shutDown()
        #expect(String(decoding: try folder.read("log"), as: UTF8.self) == "complete\n")
        await stage.queue.shutDown()
    }

    /// A queue without anything that could run was idle before.
    @Test func cancellingPausedTransfersRunsNoHookOfAnIdleQueue() async throws {
        let reports = Mutex<[HookReport]>([])
        let hooks = HookRunner(HookCommands([.idle: ["/bin/true"]])) { report in
            reports.withLock { $0.append(report) }
        }
        let stage = try Stage(hooks: hooks)
        _ = try await stage.add("fine")
        try await stage.wait { $0.allSatisfy(\.state.isEnded) }
        #expect(await eventually { reports.withLock { $0.count } == 1 })
        let ids = try await stage.add("a", "b", on: TransferTerms(paused: true))
        try await stage.queue.perform(.cancel(deletingPartial: false), on: ids)
        try await stage.wait { $0.allSatisfy(\.state.isEnded) }
        await hooks.shutDown()
        #expect(reports.withLock { $0.count } == 1)
        await stage.queue.shutDown()
    }
}
