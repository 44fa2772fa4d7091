// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferControl
import TransferModel

/// `fileq pause`
struct PauseCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Stop transfers of the queue; what has arrived is kept.",
        discussion: """
            Nothing behind a paused transfer is held up. What has ended cannot be paused: of one that is named a note \
            says so, and the exit code stays 0. What --all pauses, 'fileq resume --all' resumes; what is paused by ID \
            or by a filter stays paused until it is resumed in the same way.

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

    func run(in context: QueueContext) async throws {
        try await QueueAction(
            states: [.queued, .running, .waiting, .retrying], nothing: "nothing to pause",
            commands: [selection.meansWholeQueue ? .hold : .pause]
        )
        .carryOut(on: selection, shown, in: context)
    }
}

/// `fileq resume`
struct ResumeCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Let paused transfers go on.",
        discussion: """
            Each continues as soon as a slot is free. What failed or was cancelled is started again by 'fileq retry'.

            --all resumes what 'fileq pause --all' paused, and what a full disk set aside. What was paused by ID, by a \
            filter or by 'fileq add --paused' stays paused, and a note says how much that is: 'fileq resume \
            state:paused' resumes all of it.

            \(SelectionOptions.help)

            Examples:
              fileq resume 7
              fileq resume --all
              fileq resume state:paused
              fileq resume --now state:waiting
            """
    )

    @OptionGroup var selection: SelectionOptions

    @Flag(help: "Use whatever network there is from now on, whatever it costs; what waits for another one goes on too.")
    var now = false

    @OptionGroup var shown: ActionOutputOptions

    func run(in context: QueueContext) async throws {
        let states: Set<TransferState> = now ? QueueAction.notEnded : [.paused]
        let commands: [QueueCommand] = now ? [.liftRestrictions, .resume] : [.resume]
        guard selection.meansWholeQueue else {
            try await QueueAction(states: states, nothing: "nothing to resume", commands: commands).carryOut(
                on: selection, shown, in: context)
            return
        }
        let client = try await context.connect(true)
        let found = try await client.transfers(
            matching: QueueFilter(states: TransferState.allCases.filter(states.contains)))
        if found.isEmpty { context.say("no transfer fits: nothing done") }
        let staying = found.filter { !$0.isResumedWithQueue }
        try await QueueAction.perform(
            commands, on: found.filter(\.isResumedWithQueue).map(\.id), with: client, shown, in: context)
        Self.notes(onStaying: staying).forEach(context.say)
    }

    /// What is said of those that resuming the whole queue leaves alone.
    static func notes(onStaying transfers: [TransferSnapshot]) -> [String] {
        let asking = transfers.count { $0.question != nil }
        let paused = transfers.count - asking
        var notes: [String] = []
        if paused > 0 {
            notes.append(
                (paused == 1
                    ? "1 transfer was paused by itself and stays paused"
                    : "\(paused) transfers were paused by themselves and stay paused")
                    + "; 'fileq resume state:paused' resumes \(paused == 1 ? "it" : "them")")
        }
        if asking > 0 {
            notes.append(
                (asking == 1 ? "1 transfer waits" : "\(asking) transfers wait") + " for an answer; 'fileq' asks for it")
        }
        return notes
    }
}

/// `fileq cancel`
struct CancelCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "End transfers of the queue; what has arrived is kept for a later retry.",
        discussion: """
            A cancelled transfer stays in the list until 'fileq clear' forgets it, and 'fileq retry' goes on with it. \
            One whose last byte is being checked is not cancelled any more.

            \(SelectionOptions.help)

            Examples:
              fileq cancel 7
              fileq cancel --delete 3-7
              fileq cancel state:waiting host:mirror.example.org
            """
    )

    @OptionGroup var selection: SelectionOptions

    @Flag(help: "Remove the partial files of downloads too.")
    var delete = false

    @OptionGroup var shown: ActionOutputOptions

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
        abstract: "Start again what failed or was cancelled, from the bytes that are kept.",
        discussion: """
            What waits for its next attempt begins it now. What was paused when it was cancelled is paused again, and \
            a note says so.

            \(SelectionOptions.help)

            Examples:
              fileq retry 7
              fileq retry state:failed error:timeout
              fileq retry --all
            """
    )

    @OptionGroup var selection: SelectionOptions
    @OptionGroup var shown: ActionOutputOptions

    func run(in context: QueueContext) async throws {
        // Everything that can be tried again does not mean what is going to be.
        let states: Set<TransferState> =
            selection.meansWholeQueue ? [.failed, .cancelled] : [.failed, .cancelled, .retrying]
        let concerned = try await QueueAction(states: states, nothing: "nothing to try again", commands: [.retry])
            .carryOut(on: selection, shown, in: context)
        if let note = Self.note(onPaused: concerned.filter { $0.pausedBy != nil }) { context.say(note) }
    }

    /// What is said of those that were paused when they were cancelled.
    static func note(onPaused transfers: [TransferSnapshot]) -> String? {
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
