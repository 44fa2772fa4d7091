// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferControl
import TransferModel

/// `fileq history`
struct HistoryCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show what has ended, latest first.",
        discussion: """
            On a terminal a table with the local time of the end in front; elsewhere the fields of 'fileq list', \
            separated by tabs, with the time of the end in UTC in front; with --json the objects of 'fileq list'.

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
        help: ArgumentHelp("At most so many. (default: all)", valueName: "n"))
    var number: Int?

    @Flag(help: "One JSON object a transfer.")
    var json = false

    func run(in context: QueueContext) async throws {
        if let number, number < 1 { throw TransferError(.usage, option: "--number", "write a number from 1 up") }
        let filter = try QueueSelection(filter.which, now: context.now).filter
        let client = try await context.connect(true)
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
        if isEmpty { context.say(filter == QueueFilter() ? "nothing has ended yet" : "nothing that has ended fits") }
    }

    static func line(of entry: HistoryEntry, _ context: QueueContext) -> String {
        Timestamp.text(entry.endedAt).prefix(19) + "Z\t" + PlainListLayout(now: context.now).line(of: entry.transfer)
    }
}

/// `fileq clear`
struct ClearCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Forget what has ended, in the queue and in the history.",
        discussion: """
            All that has ended, unless it is said which. Files stay, partial ones too. What has not ended stays in the \
            queue: of one that is named a note says so. With --keep-history the records stay in 'fileq history', and \
            only the queue is tidied, as 'd' does in the interface.

            \(SelectionOptions.help)

            Examples:
              fileq clear
              fileq clear --keep-history
              fileq clear state:completed 'ended>1w'
              fileq clear 3-7
            """
    )

    @OptionGroup var filter: FilterOptions

    @Flag(help: "Take them out of the queue only; 'fileq history' keeps them.")
    var keepHistory = false

    @Flag(help: "Write how many were forgotten as a JSON object.")
    var json = false

    @Flag(name: [.customShort("v"), .long], help: "Print how many were forgotten.")
    var verbose = false

    func run(in context: QueueContext) async throws {
        let selection = try QueueSelection(filter.which, now: context.now)
        let client = try await context.connect(true)
        if selection.namesTransfers {
            for transfer in try await selection.resolve(with: client) where !transfer.state.isEnded {
                context.say("\(transfer.id) is \(transfer.state.rawValue): it stays until it has ended")
            }
        }
        let count =
            keepHistory
            ? try await Self.dismiss(selection.filter, with: client) : try await client.clear(selection.filter)
        if count == 0 { context.say("nothing that has ended fits: nothing forgotten") }
        var output = ResultOutput(context.output)
        if json {
            var line = JSONLine()
            line.add("cleared", count)
            try output.write(line)
        } else if verbose {
            let verb = keepHistory ? "taken off the list" : "forgotten"
            try output.write(line: count == 1 ? "1 transfer \(verb)" : "\(count) transfers \(verb)")
        }
        try output.flush()
    }

    /// - Returns: how many were taken out of the queue.
    private static func dismiss(_ filter: QueueFilter, with client: ControlClient) async throws -> Int {
        let ended = try await client.transfers(matching: filter).filter(\.state.isEnded).map(\.id)
        if !ended.isEmpty { try await client.perform(.dismiss, on: ended) }
        return ended.count
    }
}
