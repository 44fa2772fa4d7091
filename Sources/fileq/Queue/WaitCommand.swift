// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import TransferControl
import TransferModel

/// `fileq wait`
struct WaitCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until transfers finish, and exit with their code.",
        discussion: """
            The exit code is 0 if all transfers completed, else that of the first one that did not, in the order \
            given, as from 'fileq get' (130 for a cancelled one). Progress and --json are those of get and put. IDs \
            and filters also select finished transfers, whose exit codes count: 'fileq wait state:failed' exits with \
            that of the first failure. --all waits for unfinished transfers; those in the list that have failed or \
            were cancelled already count, too, as by their IDs, and one line names the first failure. 'fileq \
            clear --keep-history' removes them from the list.

            A paused transfer, whether by a user, a full disk or a question, keeps the command waiting: a message \
            says once what it needs. Ctrl-C ends the command (130), not the transfers. If the service crashes it is \
            restarted; if it is stopped, the command ends (1).

            \(SelectionOptions.help)

            Examples:
              fileq wait 7 && notify-send done
              fileq wait $(fileq add get https://example.org/disk.iso)
              fileq wait -q --all
            """
    )

    @OptionGroup var selection: SelectionOptions
    @OptionGroup var shown: OutputOptions

    @OptionGroup var machine: MachineOptions

    func run(in context: QueueContext) async throws {
        guard !(shown.quiet && shown.verbose) else {
            throw TransferError(.usage, about: "quiet", "--quiet and --verbose exclude each other: use one of them")
        }
        let selection = try QueueSelection(selection, now: context.now)
        context.interruption.listen()
        let client = try await context.connect(true)
        let isWhole = self.selection.meansWholeQueue
        let transfers = try await selection.resolve(
            with: client, states: isWhole ? QueueAction.all.subtracting([.completed]) : nil)
        guard !transfers.isEmpty else {
            return context.say(
                isWhole
                    ? "all transfers have completed: nothing to wait for" : "no transfer matches: nothing to wait for")
        }
        let earlier = isWhole ? transfers.filter(\.state.isEnded) : []
        if !earlier.isEmpty { context.say(QueueWait.earlierNotice(earlier)) }
        let wait = QueueWait(
            transfers: transfers, display: display(count: transfers.count - earlier.count),
            summarized: Set(earlier.map(\.id)), events: shown.json ? context.output : nil, context: context)
        let status = try await wait.execute(client)
        if status != 0 { throw ExitCode(status) }
    }

    private func display(count: Int) -> any ProgressDisplay {
        let traits = TerminalTraits.ofStandardError()
        if count == 0 || shown.quiet || shown.json && !shown.plain { return QuietDisplay(count: count) }
        if shown.plain || !traits.canDraw {
            return PlainDisplay(
                count: count, glyphs: traits.glyphs, isVerbose: shown.verbose,
                isBrief: !shown.plain && !shown.verbose, isWatching: true)
        }
        return BarDisplay(count: count, traits: traits, isVerbose: shown.verbose, isWatching: true)
    }
}
