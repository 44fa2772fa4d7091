// SPDX-License-Identifier: MIT

import ArgumentParser
import Dispatch
import Glibc
import Platform
import Synchronization
import TransferControl
import TransferModel

/// Runs a plan in the foreground: connects queue, output and signals.
struct TransferRun {
    let plan: TransferPlan
    let display: any ProgressDisplay
    /// Standard output, if it carries events.
    let events: FileOutput?
    let interruption: Interruption
    /// `nil` if the user cannot be asked.
    var consent: ConsentCoordinator?
    let makeQueue: (QueueSettings) throws(TransferError) -> RunningQueue
    /// Receives each transfer that completes, and its position on the command line.
    var onCompletion: ((Transfer, Int) -> Void)?

    /// Runs `plan` with the process's own queue, terminal and signals; lists one that is dry. One without transfers
    /// does nothing, successfully.
    /// - Throws: an `ExitCode` other than 0 if transfers failed, a ``TransferError`` if none could start.
    /// - Parameter afterwards: receives what has completed, and returns an exit code.
    static func start(
        _ plan: TransferPlan, afterwards: (@Sendable ([(Spec, Transfer)]) async -> Int32)? = nil
    ) async throws {
        guard !plan.isEmpty else { return }
        guard !plan.isDry else {
            return try await DryRun.start(
                plan.descriptions, besides: plan.failures, skipped: plan.skipped, settings: plan.settings,
                json: plan.output.json)
        }
        try plan.makeFolders()
        signal(SIGPIPE, SIG_IGN)
        ProcessMemory.returnLargeBlocks()
        let interruption = Interruption()
        interruption.listen()
        var plan = plan
        let prompt = plan.leavesTerminalFree ? TerminalPrompt() : nil
        plan.settings.asksUser = prompt != nil
        var run = TransferRun(
            plan: plan, display: display(for: plan),
            events: plan.output.json ? FileOutput(descriptor: STDOUT_FILENO) : nil,
            interruption: interruption, consent: prompt.map { consent($0, for: plan) }, makeQueue: fileq.makeQueue)
        guard let afterwards else {
            let status = try await run.execute()
            if status != 0 { throw ExitCode(status) }
            return
        }
        let completed = CompletedTransfers()
        run.onCompletion = completed.add
        var status = try await run.execute()
        if interruption.signalNumber == nil {
            let last = await afterwards(completed.inOrder(of: plan.descriptions))
            if status == 0 { status = last }
        }
        if status != 0 { throw ExitCode(status) }
    }

    private static func consent(_ prompt: TerminalPrompt, for plan: TransferPlan) -> ConsentCoordinator {
        let user = plan.descriptions.lazy.compactMap { $0.options.credential?.user }.first
        let glyphs = TerminalTraits.ofStandardError().glyphs
        return ConsentCoordinator(
            ask: { question in
                ConsentDialogue(user: user, glyphs: glyphs, readLine: { prompt.line($0, isHidden: $1) }).answer(
                    to: question)
            }, breakOff: prompt.cancel, restore: prompt.restore)
    }

    private static func display(for plan: TransferPlan) -> any ProgressDisplay {
        let count = plan.descriptions.count
        let output = plan.output
        let traits = TerminalTraits.ofStandardError()
        if output.quiet || output.json && !output.plain { return QuietDisplay(count: count) }
        if output.plain || !traits.canDraw {
            return PlainDisplay(
                count: count, glyphs: traits.glyphs, isVerbose: output.verbose,
                isBrief: !output.plain && !output.verbose)
        }
        return BarDisplay(count: count, traits: traits, isVerbose: output.verbose)
    }

    /// - Returns: the exit code.
    /// - Throws: if the queue cannot be created or rejects the plan.
    func execute() async throws(TransferError) -> Int32 {
        defer { display.end() }
        let queue = try makeQueue(plan.settings)
        let end = GracefulStop(stop: queue.stop)
        interruption.arm(
            onFirst: { [display, consent] _ in
                consent?.close()
                end.begin()
                // On another thread: a blocked standard error must not delay the second signal.
                DispatchQueue.global().async {
                    display.say("stopping; partial files are kept. Press again to stop immediately")
                }
            },
            onSecond: { [consent] in
                consent?.restore()
                TerminalRestoration.writeNow()
            })
        let updates = queue.client.updates()
        let asking = consent.map { consent in Task { [display] in await consent.work(queue.client, display) } }
        let ids: [TransferID]
        do {
            ids = try await queue.client.add(plan.descriptions, paused: false)
        } catch {
            consent?.close()
            await end.wait()
            if let number = interruption.signalNumber { return Interruption.exitCode(for: number) }
            throw error as? TransferError ?? TransferError(.other, "\(error)")
        }
        var ledger = RunLedger(order: ids)
        var printer = EventPrinter(output: events)
        let positions = onCompletion.map { _ in
            Dictionary(zip(ids, 0...), uniquingKeysWith: { first, _ in first })
        }
        for await update in updates {
            if let number = interruption.signalNumber { ledger.stopCode = Interruption.cause(of: number) }
            let news = ledger.take(update, now: SystemClock.wall, isStopping: end.hasBegun)
            // Nothing takes the events any more: the run ends, as filters do.
            if !printer.write(news) { end.begin() }
            display.show(news)
            if let onCompletion, let positions {
                for event in news where event.name == .completed {
                    positions[event.transfer.id].map { onCompletion(event.transfer, $0) }
                }
            }
            consent?.handle(news)
            if ledger.isFinished { break }
        }
        consent?.close()
        await asking?.value
        await end.wait()
        let left = ledger.close(
            now: SystemClock.wall, reason: interruption.signalNumber == nil ? "stopped" : "interrupted")
        printer.write(left)
        display.show(left)
        return exitCode(ledger, printer)
    }

    private func exitCode(_ ledger: RunLedger, _ printer: EventPrinter) -> Int32 {
        if let failure = printer.failure, failure.systemErrno != EPIPE {
            display.say(MessageCatalog.text(failure))
            return ExitStatus.of(failure)
        }
        if ledger.isSuccess {
            return plan.failures.exitCode ?? (plan.skipped == 0 ? 0 : Int32(TransferError.Code.usage.rawValue))
        }
        if let number = interruption.signalNumber { return Interruption.exitCode(for: number) }
        if let failure = printer.failure { return ExitStatus.of(failure) }
        guard let (position, code) = ledger.firstFailure else { return 0 }
        let earlier = plan.failures.first.map { $0.position <= position } ?? false
        return earlier ? plan.failures.exitCode ?? code : code
    }
}

/// What a run leaves for its caller.
private final class CompletedTransfers {
    private var known: [Int: Transfer] = [:]

    func add(_ transfer: Transfer, at position: Int) { known[position] = transfer }

    func inOrder(of specs: [Spec]) -> [(Spec, Transfer)] {
        known.sorted { $0.key < $1.key }.map { (specs[$0.key], $0.value) }
    }
}

/// Stops the queue once, however many callers there are.
private final class GracefulStop: Sendable {
    private let stop: @Sendable () async -> Void
    private let task: Mutex<Task<Void, Never>?> = Mutex(nil)

    init(stop: @escaping @Sendable () async -> Void) {
        self.stop = stop
    }

    var hasBegun: Bool { task.withLock { $0 != nil } }

    /// Starts stopping and returns.
    func begin() { _ = started() }

    /// Starts stopping if necessary, and returns when it is done.
    func wait() async { await started().value }

    private func started() -> Task<Void, Never> {
        task.withLock { task in
            if let task { return task }
            let new = Task { [stop] in await stop() }
            task = new
            return new
        }
    }
}

/// Writes events to standard output until that fails, as when the reader closes it.
private struct EventPrinter {
    let output: FileOutput?
    private(set) var failure: TransferError?
    private var events = JSONEvents()

    init(output: FileOutput?) {
        self.output = output
    }

    /// - Returns: whether standard output still takes events, or was not used.
    @discardableResult
    mutating func write(_ news: [TransferEvent]) -> Bool {
        guard let output, failure == nil else { return failure == nil }
        for event in news {
            guard let line = events.line(for: event) else { continue }
            guard output.write(line) else {
                failure = FileOutput.failure()
                break
            }
        }
        return failure == nil
    }
}
