// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferControl
import TransferModel

/// `fileq set`
struct SetCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set priority, rate and start of transfers, or the limits of the queue.",
        discussion: """
            With transfers, --priority, --limit, --at and --after apply to them. Without, the other options set the \
            limits of the queue until changed again; without options, the limits are printed.

            \(SelectionOptions.help)

            Examples:
              fileq set 7 --priority high
              fileq set 3-7 --limit 500k
              fileq set kind:upload --limit none
              fileq set 7 --at 23:30
              fileq set 7 --after 3-5
              fileq set --download-limit 2M --upload-limit none --concurrent 6 --per-host 2
              fileq set --timetable 'mon-fri 08:00 down=512k; 18:00 off'
              fileq set --json
            """
    )

    @OptionGroup var selection: SelectionOptions

    @Option(
        help: ArgumentHelp(
            "Priority: low, normal, high, or a number from 0 to 1 (0.5 is normal).", valueName: "priority"),
        completion: .priorities)
    var priority: String?

    @Option(
        help: ArgumentHelp(
            "Bytes per second for each of the transfers, such as 500k or 2M; 'none' removes the limit.",
            valueName: "rate"
        ))
    var limit: String?

    @Option(
        help: ArgumentHelp(
            """
            The earliest start of queued and paused transfers: 23:30, 'tomorrow 08:00', +2h30m, a date, or 'now'; \
            failed and cancelled ones have it when they are retried.
            """,
            valueName: "time"))
    var at: String?

    @Option(
        help: ArgumentHelp(
            """
            Start queued and paused transfers once these have completed: 3, 3-7 or 1,3-7; can be repeated; 'none' \
            removes the condition. If one fails or is cancelled, they stay paused until 'fileq resume'.
            """,
            valueName: "ids"))
    var after: [String] = []

    @Option(help: ArgumentHelp("Bytes per second for all downloads; 'none' removes the limit.", valueName: "rate"))
    var downloadLimit: String?

    @Option(help: ArgumentHelp("Bytes per second for all uploads; 'none' removes the limit.", valueName: "rate"))
    var uploadLimit: String?

    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: ArgumentHelp("The number of concurrent transfers.", valueName: "n"))
    var concurrent: Int?

    @Option(
        help: ArgumentHelp("The number of concurrent transfers per host; 'none' removes the limit.", valueName: "n"))
    var perHost: String?

    @Option(
        help: ArgumentHelp(
            """
            Rates by time of the week, which override --download-limit and --upload-limit: entries separated by ';', \
            each with days (default: all), a time, and down=RATE, up=RATE, 'unlimited', or 'off' for the limits of \
            the queue. 'off' or 'none' alone removes the timetable.
            """,
            valueName: "table"))
    var timetable: String?

    @OptionGroup var shown: ActionOutputOptions

    @OptionGroup var machine: MachineOptions

    func run(in context: QueueContext) async throws {
        let changes = try QueueChanges(self)
        let commands = try transferCommands(context)
        guard selection.which.isEmpty, !selection.all else {
            guard changes.isEmpty else {
                throw TransferError(
                    .usage,
                    "--download-limit, --upload-limit, --concurrent, --per-host and --timetable apply to the queue: "
                        + "omit the transfers, or use --limit")
            }
            guard !commands.isEmpty else { throw TransferError(.usage, "pass --priority, --limit, --at or --after") }
            let states = at == nil && after.isEmpty ? QueueAction.all : Self.schedulable
            try await QueueAction(
                states: states, nothing: "it has begun; pause it first", nothingWhenCompleted: "nothing to schedule",
                commands: commands
            ).carryOut(on: selection, shown, in: context)
            return
        }
        guard commands.isEmpty else {
            throw TransferError(
                .usage, about: "priority",
                "--priority, --limit, --at and --after apply to transfers: pass IDs, a filter or --all; the queue has "
                    + "--download-limit and --upload-limit")
        }
        try await changes.carryOut(shown, in: context)
    }

    /// Those that can wait for a time.
    private static let schedulable: Set<TransferState> = [.queued, .paused, .failed, .cancelled]

    private func transferCommands(_ context: QueueContext) throws(TransferError) -> [QueueCommand] {
        var commands: [QueueCommand] = []
        if let priority { commands.append(.priority(try Self.priority(priority))) }
        if let limit { commands.append(.limit(try QueueChanges.rate(limit, "--limit"))) }
        if let at { commands.append(.schedule(try Self.time(at, context))) }
        if !after.isEmpty { commands.append(.after(try QueueSelection.predecessors(after))) }
        return commands
    }

    private static func time(_ text: String, _ context: QueueContext) throws(TransferError) -> Double? {
        if text.lowercased() == "now" { return nil }
        return try StartTime.parse(text, now: context.now, local: context.surroundings.localTime)
    }

    static func priority(_ text: String) throws(TransferError) -> Double {
        switch text.lowercased() {
        case "low": return 0.25
        case "normal": return 0.5
        case "high": return 0.75
        default:
            guard let value = Double(text), (0...1).contains(value) else {
                throw TransferError(.usage, option: "--priority", "use low, normal, high or a number from 0 to 1")
            }
            return value
        }
    }
}
