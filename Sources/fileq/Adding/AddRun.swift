// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import Platform
import TransferControl
import TransferModel

/// Adds a plan to a queue and reports the result.
struct AddRun {
    let plan: AddPlan
    let client: any QueueClient
    /// Whether to write JSON objects instead of IDs.
    let writesJSON: Bool
    /// Writes to standard output; `false`: it cannot be written, and `errno` says why.
    let write: (String) -> Bool
    /// Formats what was enqueued for a terminal; `nil`: only IDs are written.
    var words: AddedSummary?
    /// Reports files that downloads of the queue have already; `nil`: the queue is not asked.
    var noteTaken: ((TakenFiles) -> Void)?

    /// Adds `plan` to the queue of the background service; lists one that is dry, and starts no service. Nor does one
    /// without transfers.
    /// - Parameter given: the connection to another machine's queue.
    static func start(_ plan: AddPlan, output: AddOutputOptions, with given: ControlClient? = nil) async throws {
        plan.failures.report()
        guard !plan.descriptions.isEmpty else { return }
        guard !plan.isDry else {
            return try await DryRun.start(
                plan.descriptions, besides: plan.failures, skipped: plan.skipped, settings: QueueSettings(),
                json: output.json)
        }
        try plan.makeFolders()
        signal(SIGPIPE, SIG_IGN)
        let client = if let given { given } else { try await ServiceAccess.connect() }
        defer { client.close() }
        var run = AddRun(
            plan: plan, client: client, writesJSON: output.json, write: FileOutput(descriptor: STDOUT_FILENO).write)
        if isatty(STDOUT_FILENO) == 1, !output.json, !output.quiet {
            run.words = AddedSummary(
                glyphs: TerminalTraits(isTerminal: true, environment: ProcessEnvironment.value).glyphs,
                home: ProcessEnvironment.value("HOME"), local: .system)
        }
        if !output.quiet { run.noteTaken = { StandardError.say($0.warning) } }
        try await run.execute(now: SystemClock.wall)
        if let code = plan.failures.exitCode { throw ExitCode(code) }
        if plan.skipped > 0 { throw ExitCode(Int32(TransferError.Code.usage.rawValue)) }
    }

    /// - Parameter now: seconds since 1970.
    /// - Throws: what the queue rejects; `cannotWrite` if all were added but standard output cannot be written.
    func execute(now: Double) async throws {
        var terms = plan.terms
        // Adds all paused, since a transfer to be held must not start before its ID is known.
        if !plan.held.isEmpty { terms.paused = true }
        if let noteTaken, let taken = try? await client.takenFiles(of: plan.descriptions) { noteTaken(taken) }
        let ids = try await client.add(plan.descriptions, on: terms)
        let isQueueHeld = (try? await client.limits().isHeld) == true
        if !plan.held.isEmpty {
            let held = Set(plan.held)
            let others = ids.indices.filter { !held.contains($0) }.map { ids[$0] }
            do {
                // In a queue that is held the others stay paused, too, until it is released.
                if !others.isEmpty { try await client.perform(isQueueHeld ? .hold : .resume, on: others) }
            } catch {
                _ = write(lines(ids, held: Set(ids.indices), now: now))
                throw TransferError(
                    .other,
                    "all transfers are enqueued but not started: \(MessageCatalog.text(of: error)); "
                        + "'fileq resume' starts them")
            }
        }
        let areAllPaused = isQueueHeld || terms.paused && plan.held.isEmpty
        guard write(lines(ids, held: areAllPaused ? Set(ids.indices) : Set(plan.held), now: now)) else {
            let failure = FileOutput.failure()
            let cause = failure.systemErrno == EPIPE ? "standard output is closed" : failure.message
            throw TransferError(
                .cannotWrite, "all transfers are enqueued, but \(cause); 'fileq list' shows their IDs")
        }
    }

    /// One per line.
    private func lines(_ ids: [TransferID], held: Set<Int>, now: Double) -> String {
        if let words, !writesJSON {
            return ids.enumerated().reduce(into: "") { text, next in
                text +=
                    words.line(
                        for: plan.descriptions[next.offset], id: next.element, begin: plan.terms.earliestBegin,
                        after: plan.terms.after, isPaused: held.contains(next.offset), now: now) + "\n"
            }
        }
        guard writesJSON else { return ids.reduce(into: "") { $0 += "\($1)\n" } }
        var text = ""
        var events = JSONEvents()
        for (index, id) in ids.enumerated() {
            let isPaused = held.contains(index)
            var transfer = Transfer(
                id: id, kind: plan.descriptions[index].kind, url: plan.descriptions[index].url.string,
                file: plan.descriptions[index].file, status: isPaused ? .paused(.by(.transfer)) : .queued())
            transfer.addedAt = now
            text +=
                events.line(for: TransferEvent(time: now, name: isPaused ? .paused : .queued, transfer: transfer)) ?? ""
        }
        return text
    }
}
