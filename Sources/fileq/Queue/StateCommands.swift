// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferControl
import TransferModel

/// `fileq pause`
struct PauseCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pause transfers; partial files are kept.",
        discussion: """
            A paused transfer does not block the queue. Finished transfers cannot be paused: if you named one, a \
            note says so, and the exit code is still 0. --all holds the whole queue, also what is added to it, until \
            'fileq resume --all' releases it; transfers paused by ID or filter stay paused until resumed by ID or \
            filter.

            \(SelectionOptions.help)

            Examples:
              fileq pause 7
              fileq pause 3-7 12
              fileq pause --all
              fileq pause kind:upload 'size>1G'
            """
    )

    @OptionGroup var selection: SelectionOptions
    @OptionGroup var shown: ActionOutputOptions

    @OptionGroup var machine: MachineOptions

    func run(in context: QueueContext) async throws {
        let pausable = TransferState.allCases.filter(\.isPausable)
        guard selection.meansWholeQueue else {
            // What is held with the queue gets a pause of its own, which outlasts the hold.
            let action = QueueAction(
                states: Set(pausable + [.paused]), nothing: "nothing to pause", commands: [.pause],
                concerns: { $0.state != .paused || $0.pausedBy == .queue })
            try await action.carryOut(on: selection, shown, in: context)
            return
        }
        // Before: an empty queue is held, too.
        let client = try await context.queue()
        let concerned = try await client.transfers(matching: QueueFilter(states: pausable))
        try await client.setHeld(true)
        // By then they are; a queue that does not know the hold pauses them now.
        try await QueueAction.perform([.hold], on: concerned.map(\.id), with: client, shown, in: context)
        if concerned.isEmpty { context.say("nothing to pause; what is added waits for 'fileq resume --all'") }
    }
}

/// `fileq resume`
struct ResumeCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Resume paused transfers.",
        discussion: """
            Each resumes as soon as a slot is free. Restart failed and cancelled transfers with 'fileq retry'.

            --all releases the queue, and resumes what 'fileq pause --all' or a full disk paused. Transfers paused by \
            ID, by a filter or by 'fileq add --paused' stay paused, and a note counts them: 'fileq resume \
            state:paused' resumes all of them.

            \(SelectionOptions.help)

            Examples:
              fileq resume 7
              fileq resume --all
              fileq resume state:paused
              fileq resume --now state:waiting
            """
    )

    @OptionGroup var selection: SelectionOptions

    @Flag(help: "Use any network, whatever it costs; transfers that wait for another network resume, too.")
    var now = false

    @OptionGroup var shown: ActionOutputOptions

    @OptionGroup var machine: MachineOptions

    func run(in context: QueueContext) async throws {
        let states: Set<TransferState> = now ? QueueAction.notEnded : [.paused]
        let commands: [QueueCommand] = now ? [.liftRestrictions, .resume] : [.resume]
        guard selection.meansWholeQueue else {
            try await QueueAction(states: states, nothing: "nothing to resume", commands: commands).carryOut(
                on: selection, shown, in: context)
            return
        }
        let client = try await context.queue()
        let found = try await client.transfers(
            matching: QueueFilter(states: TransferState.allCases.filter(states.contains)))
        let isHeld = try await client.limits().isHeld == true
        if isHeld { try await client.setHeld(false) }
        if found.isEmpty { context.say(isHeld ? "the queue is released" : "no transfer matches: nothing done") }
        let staying = found.filter { !$0.isResumedWithQueue }
        try await QueueAction.perform(
            commands, on: found.filter(\.isResumedWithQueue).map(\.id), with: client, shown, in: context)
        Self.notes(onStaying: staying).forEach(context.say)
    }

    /// The note about transfers that `resume --all` leaves paused.
    static func notes(onStaying transfers: [Transfer]) -> [String] {
        let asking = transfers.count { $0.question != nil }
        let following = transfers.count(where: \.isHeldByPredecessor)
        let paused = transfers.count - asking - following
        var notes: [String] = []
        if paused > 0 {
            notes.append(
                (paused == 1
                    ? "1 transfer was paused individually and stays paused"
                    : "\(paused) transfers were paused individually and stay paused")
                    + "; 'fileq resume state:paused' resumes \(paused == 1 ? "it" : "them")")
        }
        if following > 0 {
            notes.append(
                (following == 1 ? "1 transfer waits" : "\(following) transfers wait")
                    + " for others that have not completed; 'fileq resume ID' starts it without them")
        }
        if asking > 0 {
            notes.append(
                (asking == 1 ? "1 transfer needs" : "\(asking) transfers need") + " a decision; 'fileq' asks for it")
        }
        return notes
    }
}

/// `fileq cancel`
struct CancelCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel transfers; partial files are kept for a retry.",
        discussion: """
            A cancelled transfer stays in the list until 'fileq clear', and 'fileq retry' resumes it. A transfer \
            that is verifying its last bytes is no longer cancelled.

            \(SelectionOptions.help)

            Examples:
              fileq cancel 7
              fileq cancel --delete 3-7
              fileq cancel state:waiting host:mirror.example.org
            """
    )

    @OptionGroup var selection: SelectionOptions

    @Flag(help: "Also delete the partial files of downloads, and what servers have of unfinished uploads.")
    var delete = false

    @OptionGroup var shown: ActionOutputOptions

    @OptionGroup var machine: MachineOptions

    func run(in context: QueueContext) async throws {
        try await QueueAction(
            states: QueueAction.notEnded, nothing: "nothing to cancel", commands: [.cancel(deletingPartial: delete)]
        )
        .carryOut(on: selection, shown, in: context)
    }
}

/// `fileq retry`
struct RetryCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Restart failed and cancelled transfers from their partial files.",
        discussion: """
            A transfer that is waiting for its next attempt starts it immediately. One that was paused when \
            cancelled is paused again, and a note says so.

            \(SelectionOptions.help)

            Examples:
              fileq retry 7
              fileq retry state:failed error:timeout
              fileq retry --all
            """
    )

    @OptionGroup var selection: SelectionOptions
    @OptionGroup var shown: ActionOutputOptions

    @OptionGroup var machine: MachineOptions

    func run(in context: QueueContext) async throws {
        // All retryable transfers are more than those meant.
        let states: Set<TransferState> =
            selection.meansWholeQueue ? [.failed, .cancelled] : [.failed, .cancelled, .retrying]
        let concerned = try await QueueAction(states: states, nothing: "nothing to retry", commands: [.retry])
            .carryOut(on: selection, shown, in: context)
        if let note = Self.note(onPaused: concerned.filter { $0.pausedBy != nil }) { context.say(note) }
    }

    /// The note about transfers that were paused when cancelled.
    static func note(onPaused transfers: [Transfer]) -> String? {
        guard let first = transfers.first else { return nil }
        if transfers.count == 1 {
            return
                "\(first.id) was paused when it was cancelled and is paused again; 'fileq resume \(first.id)' starts it"
        }
        return
            "\(transfers.count) transfers were paused when they were cancelled and are paused again; 'fileq resume "
            + "state:paused' starts them"
    }
}
