// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferControl
import TransferModel

/// `fileq list`
struct ListCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the background queue.",
        discussion: """
            On a terminal a table; elsewhere one line per transfer, its fields separated by tabs: ID, state, \
            percent, size, rate, time left, name, and the start time or the reason for waiting or failing; '-' for \
            unknown values. \
            Control characters in a name are written as \\t, \\n or \\xHH, those of bidi as \\uHHHH. With --json one \
            object per line, with the fields of the events of get and put except time and event, and, if known, \
            added, ended, duration (the seconds that it ran), limit, priority, earliestBegin, after, discretionary, \
            session, taskDescription, batch, pausedBy and advice.

            \(SelectionOptions.help)

            Examples:
              fileq list
              fileq list state:running,waiting
              fileq list 'size>1G' host:mirror.example.org
              fileq list --json | jq -r 'select(.state == "failed").error.message'
            """
    )

    @OptionGroup var filter: FilterOptions

    @Flag(help: "One JSON object per transfer.")
    var json = false

    @OptionGroup var machine: MachineOptions

    func run(in context: QueueContext) async throws {
        let selection = try QueueSelection(filter.which, now: context.now)
        let client = try await context.queue()
        let transfers = try await selection.resolve(with: client)
        var output = ResultOutput(context.output)
        if transfers.isEmpty { context.say(filter.which.isEmpty ? Self.emptiness(context) : "no transfer matches") }
        if json {
            try output.write(transfers) { QueueJSON.object($0) }
        } else if let screen = context.screen {
            let layout = ListLayout(
                screen: screen, transfers: transfers, now: context.now, localTime: context.surroundings.localTime)
            for line in layout.lines(of: transfers) { try output.write(line: line) }
        } else {
            let layout = PlainListLayout(now: context.now)
            for transfer in transfers { try output.write(line: layout.line(of: transfer)) }
        }
        try output.flush()
    }

    /// A new queue replaces a damaged one: the user needs the place of that.
    private static func emptiness(_ context: QueueContext) -> String {
        guard let path = context.damagedQueue() else { return "the queue is empty" }
        return "the queue is empty; a damaged one was set aside as \(path), and 'fileq logs' has the cause"
    }
}
