// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import Testing
import TransferModel
@testable import TransferService
import TransferTesting

/// Real programs: shell scripts in a folder of the test's own.
@Suite(.timeLimit(.minutes(10))) struct HookRunnerTests {
    private final class Reports: Sendable {
        private let guarded = Mutex<[HookReport]>([])
        var all: [HookReport] { guarded.withLock { $0 } }
        func add(_ report: HookReport) { guarded.withLock { $0.append(report) } }
    }

    private final class Stage: Sendable {
        let folder: TemporaryFolder
        let runner: HookRunner
        private let reported = Reports()

        /// - Parameter script: run for each event by `/bin/sh`; FOLDER in it is the stage's.
        init(
            _ script: String, timeout: Double = 300, concurrent: Int = 4, line: Int = 100_000, rest: Double = 300,
            words: [String]? = nil
        ) throws {
            folder = try TemporaryFolder()
            let path = try folder.write(Array(script.replacing("FOLDER", with: folder.path).utf8), to: "hook.sh")
            let words = words ?? ["/bin/sh", path, "two words", "$HOME"]
            var bounds = HookRunner.Bounds()
            (bounds.concurrent, bounds.line, bounds.grace, bounds.rest) = (concurrent, line, 0.2, rest)
            let commands = HookCommands(
                Dictionary(uniqueKeysWithValues: HookEvent.allCases.map { ($0, words) }), timeout: timeout)
            runner = HookRunner(
                commands, bounds: bounds, environment: ["PATH=/usr/bin:/bin", "FILEQ_ERROR=old", "KEPT=1"],
                report: { [reported] in reported.add($0) })
        }

        var reports: [HookReport] { reported.all }
        func text(_ name: String) -> String {
            (try? folder.read(name)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        func lines(_ name: String) -> [String] { text(name).split(separator: "\n").map(String.init) }
    }

    private func transfer(_ id: Int = 7, _ change: (inout TransferForm) -> Void = { _ in }) -> Transfer {
        var transfer = Transfer(
            id: TransferID(rawValue: id), kind: .download, url: "http://a.test/x?y=1&sig=hush", file: "/tmp/a b\n.iso",
            state: .completed)
        transfer.bytes = 12
        transfer.edit(change)
        return transfer
    }

    /// Whether a process of this number is there, as a zombie or not.
    private func isAlive(_ id: String) -> Bool { pid_t(id).map { kill($0, 0) == 0 } ?? false }

    @Test func newCommandsApplyToLaterEvents() async throws {
        let stage = try Stage("echo old >> FOLDER/log")
        stage.runner.run(.complete, transfer())
        #expect(await eventually { stage.reports.count == 1 })
        stage.runner.setCommands(
            HookCommands([.error: ["/bin/sh", "-c", "echo new >> \(stage.folder.file("log"))"]], timeout: 300))
        stage.runner.run(.complete, transfer())
        stage.runner.run(.error, transfer())
        #expect(await eventually { stage.reports.count == 2 })
        #expect(stage.lines("log") == ["old", "new"])
        await stage.runner.shutDown()
    }

    @Test func passesEventAndArguments() async throws {
        let stage = try Stage(
            """
            echo "$1|$2|$FILEQ_EVENT|$FILEQ_ID|$FILEQ_STATE|$FILEQ_PATH|$FILEQ_URL|$FILEQ_KIND|$FILEQ_BYTES|\
            ${FILEQ_ERROR-none}|$KEPT"
            cat >> FOLDER/input; echo problem >&2; ls /proc/self/fd | wc -w; [ $(ps -o pgid= -p $$) = $$ ] && echo group
            """)
        stage.runner.run(.complete, transfer())
        #expect(await eventually { stage.reports.count == 1 })
        let report = try #require(stage.reports.first)
        #expect(report.outcome == .succeeded && report.event == .complete && report.transfer?.rawValue == 7)
        let expected =
            "two words|$HOME|complete|7|completed|/tmp/a b\n.iso|http://a.test/x?y=1&sig=…|download|12|none|"
            + "1\nproblem\n"
        #expect(report.output.hasPrefix(expected), "\(report.output)")
        // Three of its own, and the one by which ls reads that folder.
        #expect(report.output.dropFirst(expected.count).split(separator: "\n").first == "4")
        #expect(stage.text("input").isEmpty)
        await stage.runner.shutDown()
    }

    @Test(arguments: [false, true]) func idleAwaitsTheProgramsBeforeIt(_ isOutOfDate: Bool) async throws {
        let stage = try Stage(
            """
            if [ $FILEQ_EVENT = complete ]; then
                touch FOLDER/started.$FILEQ_ID
                while [ ! -e FOLDER/go ]; do sleep 0.01; done
            fi
            echo $FILEQ_EVENT >> FOLDER/log
            """)
        for id in 1...2 { stage.runner.run(.complete, transfer(id)) }
        stage.runner.run(.idle, nil)
        // Transfers have begun again: it does not hold any more.
        if isOutOfDate { stage.runner.run(.start, transfer(3)) }
        #expect(await eventually { stage.folder.exists("started.1") && stage.folder.exists("started.2") })
        _ = try stage.folder.write([], to: "go")
        #expect(await eventually { stage.reports.count == 3 })
        await stage.runner.shutDown()
        #expect(stage.lines("log").sorted() == ["complete", "complete", isOutOfDate ? "start" : "idle"])
        #expect(isOutOfDate || stage.lines("log").last == "idle")
        #expect(stage.reports.count == 3)
    }

    @Test func runsOnlyWhatIsStillWanted() async throws {
        let stage = try Stage("echo $FILEQ_EVENT >> FOLDER/log")
        let questions = Mutex(0)
        stage.runner.run(
            .idle, nil,
            isWanted: {
                questions.withLock { $0 += 1 }
                return false
            })
        let isAsked = await eventually { questions.withLock { $0 } == 1 }
        #expect(isAsked)
        stage.runner.run(.idle, nil, isWanted: { true })
        #expect(await eventually { stage.reports.count == 1 })
        await stage.runner.shutDown()
        #expect(stage.lines("log") == ["idle"])
    }

    @Test func passesErrorAndCode() async throws {
        let stage = try Stage("echo $FILEQ_ERROR $FILEQ_ERROR_CODE $FILEQ_REASON")
        stage.runner.run(
            .error,
            transfer {
                $0.state = .failed
                $0.error = TransferError(.cannotConnect, "no $(way) in")
                $0.reason = "why"
            })
        stage.runner.run(.idle, nil)
        #expect(await eventually { stage.reports.count == 2 })
        #expect(Set(stage.reports.map(\.output)) == ["no $(way) in 7 why\n", "\n"])
        #expect(stage.reports.first { $0.event == .idle }?.transfer == nil)
        await stage.runner.shutDown()
    }

    @Test func theErrorIsInTheWordsOfTheProgram() {
        let failed = transfer {
            $0.state = .failed
            $0.error = TransferError(.cannotConnect, "of the library")
        }
        let words = TransferWords(reason: { _ in nil }, advice: { _ in nil }, failure: { "\($0.state) as it says" })
        #expect(HookVariables.make(.error, failed)["FILEQ_ERROR"] == "of the library")
        #expect(HookVariables.make(.error, failed, words)["FILEQ_ERROR"] == "failed as it says")
    }

    @Test(arguments: [
        (
            "exit 3", HookReport.Outcome.failed(exitCode: 3),
            "on-error of transfer 7: the program ended with exit code 3"
        ),
        ("kill -9 $$", .killed(signal: 9), "on-error of transfer 7: the program was ended by signal 9"),
    ])
    func aFailureIsReported(_ script: String, _ outcome: HookReport.Outcome, _ message: String) async throws {
        let stage = try Stage(script)
        stage.runner.run(.error, transfer())
        #expect(await eventually { stage.reports.count == 1 })
        #expect(stage.reports.first?.outcome == outcome)
        #expect(stage.reports.first?.message == message)
        await stage.runner.shutDown()
    }

    @Test func reportsAMissingProgram() async throws {
        let stage = try Stage("", words: ["/nonexistent/program"])
        stage.runner.run(.start, transfer())
        #expect(await eventually { stage.reports.count == 1 })
        #expect(stage.reports.first?.outcome == .notStarted(errno: ENOENT))
        await stage.runner.shutDown()
        let silent = HookRunner(HookCommands([.complete: ["true"]])) { _ in
            #expect(Bool(false), "nothing is set for this event")
        }
        silent.run(.start, transfer())
        await silent.shutDown()
    }

    @Test func killsAHangingProcessGroup() async throws {
        let stage = try Stage(
            """
            trap '' TERM
            /bin/sh -c 'trap "" TERM; echo $$ > FOLDER/child; while :; do sleep 1; done' &
            while [ ! -s FOLDER/child ]; do sleep 0.01; done
            echo $$ > FOLDER/parent; echo begun
            while :; do sleep 1; done
            """, timeout: 1)
        stage.runner.run(.complete, transfer())
        #expect(await eventually { stage.reports.count == 1 })
        #expect(stage.reports.first?.outcome == .timedOut(after: 1))
        for name in ["parent", "child"] {
            guard let id = stage.lines(name).first else { continue }
            #expect(await eventually { !isAlive(id) || stillZombie(id) })
        }
        await stage.runner.shutDown()
    }

    /// An orphan is reaped by the process that adopts it, which may take time.
    private func stillZombie(_ id: String) -> Bool {
        guard let file = fopen("/proc/\(id)/stat", "r") else { return true }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 512)
        guard fgets(&buffer, 512, file) != nil else { return true }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.split(separator: ")").last?.split(separator: " ").first == "Z"
    }

    @Test func doesNotWaitForDescendants() async throws {
        // The one behind keeps the output open, and writes on.
        let stage = try Stage(
            "(while [ ! -e FOLDER/end ]; do echo more; sleep 0.05; done; echo > FOLDER/over) & echo done")
        stage.runner.run(.complete, transfer())
        #expect(await eventually { stage.reports.count == 1 })
        #expect(stage.reports.first?.outcome == .succeeded)
        try stage.folder.write([], to: "end")
        await stage.runner.shutDown()
    }

    @Test func keepsTheFirstBytesOfOutput() async throws {
        let stage = try Stage("head -c 300000 /dev/zero | tr '\\0' x")
        stage.runner.run(.complete, transfer())
        #expect(await eventually { stage.reports.count == 1 })
        #expect(stage.reports.first?.outcome == .succeeded)
        #expect(stage.reports.first?.output == String(repeating: "x", count: 4096))
        await stage.runner.shutDown()
    }

    @Test func limitsConcurrentPrograms() async throws {
        let stage = try Stage(
            """
            echo x >> FOLDER/begun; while [ ! -e FOLDER/go ]; do sleep 0.01; done
            """, concurrent: 3)
        for id in 1...40 { stage.runner.run(.complete, transfer(id)) }
        #expect(await eventually { stage.lines("begun").count == 3 })
        #expect(stage.reports.isEmpty)
        try stage.folder.write([], to: "go")
        #expect(await eventually { stage.reports.count == 40 })
        #expect(stage.lines("begun").count == 40)
        #expect(Set(stage.reports.compactMap { $0.transfer?.rawValue }) == Set(1...40))
        await stage.runner.shutDown()
    }

    @Test func reportsAFullQueueOnce() async throws {
        let stage = try Stage(
            "echo x >> FOLDER/begun; while [ ! -e FOLDER/go ]; do sleep 0.01; done", concurrent: 1, line: 2)
        stage.runner.run(.complete, transfer(1))
        #expect(await eventually { stage.lines("begun").count == 1 })
        for id in 2...9 { stage.runner.run(.complete, transfer(id)) }
        #expect(
            stage.reports == [
                HookReport(event: .complete, transfer: TransferID(rawValue: 4), outcome: .dropped(count: 1), output: "")
            ])
        try stage.folder.write([], to: "go")
        #expect(await eventually { stage.reports.count == 4 })
        await stage.runner.shutDown()
    }

    @Test func shutdownDropsQueuedAndLimitsRunningPrograms() async throws {
        let stage = try Stage("echo x >> FOLDER/begun; while :; do sleep 1; done", concurrent: 2, rest: 0.1)
        for id in 1...12 { stage.runner.run(.complete, transfer(id)) }
        #expect(await eventually { stage.lines("begun").count == 2 })
        await stage.runner.shutDown()
        let outcomes = stage.reports.map(\.outcome)
        #expect(outcomes.contains(.dropped(count: 10)))
        #expect(outcomes.filter { $0 == .interrupted }.count == 2)
        #expect(outcomes.count == 3)
        stage.runner.run(.complete, transfer(13))
        #expect(stage.reports.last?.outcome == .dropped(count: 1))
        #expect(stage.lines("begun").count == 2)
    }

    @Test func shutdownWaitsForQuickPrograms() async throws {
        let stage = try Stage("echo x >> FOLDER/begun; while [ ! -e FOLDER/go ]; do sleep 0.01; done")
        stage.runner.run(.complete, transfer())
        #expect(await eventually { stage.lines("begun").count == 1 })
        async let end: Void = stage.runner.shutDown()
        try stage.folder.write([], to: "go")
        await end
        #expect(stage.reports.map(\.outcome) == [.succeeded])
    }
}
