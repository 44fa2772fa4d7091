// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import TransferControl
import TransferModel

/// `fileq wait`
struct WaitCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until transfers of the queue have ended; the exit code is theirs.",
        discussion: """
            The exit code is 0 where all have completed, else that of the first that has not, in the order given: what \
            it would have been of 'fileq get' (130 for one that was cancelled). Progress and --json are as of get and \
            put, too. IDs and filters also take in what has ended before, and its exit code counts: 'fileq wait \
            state:failed' is that of the first failure. --all waits for what has not ended.

            A transfer that is paused, by somebody, by a full disk or by a question, is waited for: a message says \
            once that somebody has to let it go on. Ctrl-C ends the waiting (130), and no transfer. A service that \
            dies is started again; one that is stopped in order ends the waiting (1).

            \(SelectionOptions.help)

            Examples:
              fileq wait 7 && notify-send done
              fileq wait $(fileq add get https://example.org/disk.iso)
              fileq wait -q --all
            """
    )

    @OptionGroup var selection: SelectionOptions
    @OptionGroup var shown: OutputOptions

    func run(in context: QueueContext) async throws {
        guard !(shown.quiet && shown.verbose) else {
            throw TransferError(.usage, about: "quiet", "--quiet and --verbose contradict each other: give one of them")
        }
        let selection = try QueueSelection(selection, now: context.now)
        context.interruption.listen()
        let client = try await context.connect(true)
        let transfers = try await selection.resolve(
            with: client, states: self.selection.meansWholeQueue ? QueueAction.notEnded : nil)
        guard !transfers.isEmpty else {
            return context.say(
                self.selection.meansWholeQueue
                    ? "everything has ended: nothing to wait for" : "no transfer fits: nothing to wait for")
        }
        let wait = QueueWait(
            transfers: transfers, display: display(count: transfers.count), events: shown.json ? context.output : nil,
            context: context)
        let status = try await wait.execute(client)
        if status != 0 { throw ExitCode(status) }
    }

    private func display(count: Int) -> any ProgressDisplay {
        let traits = TerminalTraits.ofStandardError()
        if shown.quiet || shown.json && !shown.plain { return QuietDisplay(count: count) }
        if shown.plain || !traits.canDraw {
            return PlainDisplay(count: count, glyphs: traits.glyphs, isVerbose: shown.verbose, isWatching: true)
        }
        return BarDisplay(count: count, traits: traits, isVerbose: shown.verbose, isWatching: true)
    }
}
