// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferControl
import TransferModel

/// `fileq history`
struct HistoryCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show finished transfers, latest first.",
        discussion: """
            On a terminal a table that starts with the local end time; elsewhere the fields of 'fileq list', \
            separated by tabs, after the end time in UTC; with --json the objects of 'fileq list'.

            \(SelectionOptions.help)

            Examples:
              fileq history -n 20
              fileq history state:failed 'ended<1d'
              fileq history --json kind:upload | jq -r .file
            """
    )

    @OptionGroup var filter: FilterOptions

    @Option(
        name: [.customShort("n"), .customLong("number")],
        help: ArgumentHelp("Show at most n transfers. (default: all)", valueName: "n"))
    var number: Int?

    @Flag(help: "One JSON object per transfer.")
    var json = false

    @OptionGroup var machine: MachineOptions

    func run(in context: QueueContext) async throws {
        if let number, number < 1 { throw TransferError(.usage, option: "--number", "use a number from 1") }
        let filter = try QueueSelection(filter.which, now: context.now).filter
        let client = try await context.queue()
        var output = ResultOutput(context.output)
        var query = HistoryQuery(filter: filter)
        var left = number ?? .max
        var isEmpty = true
        var layout: HistoryLayout?
        while left > 0 {
            query.limit = min(left, HistoryQuery.maximumLimit)
            let page = try await client.history(query)
            if !json, layout == nil, !page.isEmpty, let screen = context.screen {
                let table = HistoryLayout(
                    screen: screen, entries: page, now: context.now, localTime: context.surroundings.localTime)
                try output.write(line: table.heads)
                layout = table
            }
            for entry in page {
                if json {
                    try output.write(QueueJSON.object(entry.transfer))
                } else if let layout {
                    for line in layout.lines(of: entry) { try output.write(line: line) }
                } else {
                    try output.write(line: Self.line(of: entry, context))
                }
            }
            try output.flush()
            isEmpty = isEmpty && page.isEmpty
            left -= page.count
            guard page.count == query.limit, let last = page.last else { break }
            query.before = last.place
        }
        if isEmpty {
            context.say(filter == QueueFilter() ? "no transfer has finished yet" : "no finished transfer matches")
        }
    }

    static func line(of entry: HistoryEntry, _ context: QueueContext) -> String {
        Timestamp.text(entry.endedAt).prefix(19) + "Z\t" + PlainListLayout(now: context.now).line(of: entry.transfer)
    }
}

/// `fileq clear`
struct ClearCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Remove finished transfers from the queue and the history.",
        discussion: """
            Files stay, including partial ones. Unfinished transfers stay in the queue; if you named one, a note says \
            so. With --keep-history they stay in 'fileq history' and only leave the queue, as with 'd' in the \
            interface; without arguments, all do.

            \(SelectionOptions.help)

            Examples:
              fileq clear --all
              fileq clear --keep-history
              fileq clear state:completed 'ended>1w'
              fileq clear 3-7
            """
    )

    @OptionGroup var selected: SelectionOptions

    @Flag(help: "Remove them from the queue only; 'fileq history' keeps them.")
    var keepHistory = false

    @Flag(help: "Write the number of removed transfers as a JSON object.")
    var json = false

    @Flag(name: [.customShort("v"), .long], help: "Print the number of removed transfers.")
    var verbose = false

    @OptionGroup var machine: MachineOptions

    func run(in context: QueueContext) async throws {
        let selection =
            keepHistory && selected.which.isEmpty
            ? try QueueSelection([], now: context.now) : try QueueSelection(selected, now: context.now)
        let client = try await context.queue()
        if selection.namesTransfers {
            for transfer in try await selection.resolve(with: client) where !transfer.state.isEnded {
                context.say("\(transfer.id) is \(transfer.state.rawValue): it stays until it has finished")
            }
        }
        let count =
            keepHistory
            ? try await Self.dismiss(selection.filter, with: client) : try await client.clear(selection.filter)
        if count == 0 { context.say("no finished transfer matches: nothing removed") }
        var output = ResultOutput(context.output)
        if json {
            var line = JSONLine()
            line.add("cleared", count)
            try output.write(line)
        } else if verbose {
            let verb = keepHistory ? "removed from the list" : "forgotten"
            try output.write(line: count == 1 ? "1 transfer \(verb)" : "\(count) transfers \(verb)")
        }
        try output.flush()
    }

    /// - Returns: the number removed from the queue.
    private static func dismiss(_ filter: QueueFilter, with client: any QueueClient) async throws -> Int {
        let ended = try await client.transfers(matching: filter).filter(\.state.isEnded).map(\.id)
        if !ended.isEmpty { try await client.perform(.dismiss, on: ended) }
        return ended.count
    }
}
