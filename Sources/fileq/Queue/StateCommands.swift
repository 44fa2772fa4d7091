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
            Nothing behind a paused transfer is held up. What has ended cannot be paused: of one that is named a note says so, and the \
            exit code stays 0.

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
        try await QueueAction(states: [.queued, .running, .waiting, .retrying], nothing: "nothing to pause", commands: [.pause])
            .carryOut(on: selection, shown, in: context)
    }
}

/// `fileq resume`
struct ResumeCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Let paused transfers go on.",
        discussion: """
            Each goes on as soon as a place is free. What failed or was cancelled is started again by 'fileq retry'.

            \(SelectionOptions.help)

            Examples:
              fileq resume 7
              fileq resume --all
              fileq resume --now state:waiting
            """
    )

    @OptionGroup var selection: SelectionOptions

    @Flag(help: "Use whatever network there is from now on, whatever it costs; what waits for another one goes on too.")
    var now = false

    @OptionGroup var shown: ActionOutputOptions

    func run(in context: QueueContext) async throws {
        let states: Set<TransferState> = now ? QueueAction.notEnded : [.paused]
        try await QueueAction(states: states, nothing: "nothing to resume", commands: now ? [.liftRestrictions, .resume] : [.resume])
            .carryOut(on: selection, shown, in: context)
    }
}

/// `fileq cancel`
struct CancelCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "End transfers of the queue; what has arrived is kept for a later retry.",
        discussion: """
            A cancelled transfer stays in the list until 'fileq clear' forgets it, and 'fileq retry' goes on with it. One whose last \
            byte is being checked is not cancelled any more.

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
        try await QueueAction(states: QueueAction.notEnded, nothing: "nothing to cancel", commands: [.cancel(deletingPartial: delete)])
            .carryOut(on: selection, shown, in: context)
    }
}

/// `fileq retry`
struct RetryCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Start again what failed or was cancelled, from the bytes that are kept.",
        discussion: """
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
        try await QueueAction(states: [.failed, .cancelled], nothing: "nothing to try again", commands: [.retry])
            .carryOut(on: selection, shown, in: context)
    }
}
