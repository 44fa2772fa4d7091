// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Synchronization
package import TransferModel

/// Runs the programs of ``HookCommands``: a few concurrently, the others queued, each within its timeout.
///
/// From any thread; no call waits for a program. `report` receives each result, on one of the runner's threads.
package final class HookRunner: Sendable {
    package struct Bounds: Sendable {
        /// Programs that run concurrently.
        package var concurrent = 4
        /// Programs that may be queued; further ones are dropped.
        package var line = 100_000
        /// Seconds between SIGTERM and SIGKILL.
        package var grace = 2.0
        /// Seconds that running programs have left when the queue ends.
        package var rest = 1.0

        package init() {}
    }

    private struct Call: Sendable {
        var event: HookEvent
        var words: [String]
        var timeout: Double
        var transfer: Transfer?
        var isWanted: (@Sendable () -> Bool)?
    }

    private struct Guarded {
        var commands: HookCommands
        /// The calls before `next` have been dequeued.
        var line: [Call] = []
        var next = 0
        var running = 0
        /// Whether a full queue was reported, since it last was not full.
        var hasReportedFullQueue = false
        var isClosed = false
        var whenDone: [CheckedContinuation<Void, Never>] = []

        /// The program for ``HookEvent/idle`` begins when those before it have ended: it may power the machine off. The
        /// last thread that runs one takes it. After a later event it is out of date.
        mutating func take() -> Call? {
            guard next < line.count else { return nil }
            while next < line.count - 1, line[next].event == .idle { next += 1 }
            guard line[next].event != .idle || running == 1 else { return nil }
            defer { next += 1 }
            if next > 1000, next * 2 > line.count {
                line.removeFirst(next)
                next = 0
            }
            return line[next]
        }
    }

    private let bounds: Bounds
    private let environment: [String]
    private let sentences: TransferWords
    private let report: @Sendable (HookReport) -> Void
    private let guarded: Mutex<Guarded>
    /// The latest end of running programs, in nanoseconds of the monotonic clock; they check it between two waits.
    private let closing = Atomic<UInt64>(.max)

    /// - Parameter environment: `NAME=VALUE`; the programs get it in addition to the variables of the event.
    package init(
        _ commands: HookCommands, bounds: Bounds = .init(), environment: [String] = HookRunner.ownEnvironment,
        words: TransferWords = .plain,
        report: @escaping @Sendable (HookReport) -> Void
    ) {
        guarded = Mutex(Guarded(commands: commands))
        self.bounds = bounds
        self.environment = environment
        sentences = words
        self.report = report
    }

    /// Replaces the programs of future events. Those that run or are queued do not change.
    package func setCommands(_ commands: HookCommands) { guarded.withLock { $0.commands = commands } }

    /// Whether there is a program for this event.
    func runs(_ event: HookEvent) -> Bool { guarded.withLock { $0.commands.commands[event]?.isEmpty == false } }

    /// Runs the program of an event, if there is one.
    /// - Parameter isWanted: evaluated right before it begins, on one of the runner's threads; may block.
    package func run(_ event: HookEvent, _ transfer: Transfer?, isWanted: (@Sendable () -> Bool)? = nil) {
        enum Step { case start, wait, drop, ignore }
        let step: Step = guarded.withLock { guarded in
            guard let words = guarded.commands.commands[event], !words.isEmpty else { return .ignore }
            guard !guarded.isClosed else { return .drop }
            guard guarded.line.count - guarded.next < bounds.line else {
                defer { guarded.hasReportedFullQueue = true }
                return guarded.hasReportedFullQueue ? .ignore : .drop
            }
            guarded.hasReportedFullQueue = false
            guarded.line.append(
                Call(
                    event: event, words: words, timeout: guarded.commands.timeout, transfer: transfer,
                    isWanted: isWanted))
            guard guarded.running < bounds.concurrent else { return .wait }
            guarded.running += 1
            return .start
        }
        switch step {
        case .start: startThread()
        case .drop: report(HookReport(event: event, transfer: transfer?.id, outcome: .dropped(count: 1), output: ""))
        case .wait, .ignore: break
        }
    }

    /// Drops queued programs; running ones have a moment left to end. Returns when none runs any more.
    package func shutDown() async {
        let dropped: (first: Call, count: Int)? = guarded.withLock { guarded in
            guarded.isClosed = true
            defer { (guarded.line, guarded.next) = ([], 0) }
            return guarded.next < guarded.line.count
                ? (guarded.line[guarded.next], guarded.line.count - guarded.next) : nil
        }
        closing.store(UInt64((SystemClock.monotonic + bounds.rest) * 1e9), ordering: .relaxed)
        if let (first, count) = dropped {
            report(
                HookReport(
                    event: first.event, transfer: first.transfer?.id, outcome: .dropped(count: count), output: ""))
        }
        await withCheckedContinuation { done in
            let isDone = guarded.withLock { guarded in
                if guarded.running > 0 { guarded.whenDone.append(done) }
                return guarded.running == 0
            }
            if isDone { done.resume() }
        }
    }

    /// Dedicated threads wait for programs: blocked Dispatch threads would be missing elsewhere.
    private func startThread() {
        var thread = pthread_t()
        let runner = Unmanaged.passRetained(self)
        let failure = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<HookRunner>.fromOpaque(argument).takeRetainedValue().work() }
                return nil
            }, runner.toOpaque())
        guard failure != 0 else {
            pthread_detach(thread)
            return
        }
        runner.release()
        // Running threads take the rest of the queue; if none runs, nothing waits for it.
        while let call = takeOrLeave() {
            report(
                HookReport(
                    event: call.event, transfer: call.transfer?.id, outcome: .notStarted(errno: failure), output: ""))
        }
    }

    /// The body of a thread: runs programs until the queue is empty.
    private func work() {
        while let call = takeOrLeave() {
            if let isWanted = call.isWanted, !isWanted() { continue }
            let variables = HookVariables.make(call.event, call.transfer, sentences)
            let program = HookProgram(
                words: call.words, environment: HookVariables.environment(environment, with: variables),
                timeout: call.timeout, grace: bounds.grace)
            let (outcome, output) = program.run { [self] in Double(closing.load(ordering: .relaxed)) / 1e9 }
            report(
                HookReport(
                    event: call.event, transfer: call.transfer?.id, outcome: outcome,
                    output: String(decoding: output, as: UTF8.self)))
        }
    }

    /// The next call; without one this thread no longer counts as running, atomically.
    private func takeOrLeave() -> Call? {
        let (call, waiting) = guarded.withLock { guarded -> (Call?, [CheckedContinuation<Void, Never>]) in
            if let call = guarded.take() { return (call, []) }
            guarded.running -= 1
            guard guarded.running == 0 else { return (nil, []) }
            defer { guarded.whenDone = [] }
            return (nil, guarded.whenDone)
        }
        for done in waiting { done.resume() }
        return call
    }

    /// The current environment of this process.
    package static var ownEnvironment: [String] {
        var found: [String] = []
        var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = environ
        while let text = entry.pointee {
            found.append(String(cString: text))
            entry += 1
        }
        return found
    }
}
