// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferControl
import TransferModel

/// `fileq set`
struct SetCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set priority and rate of transfers, or the limits of the whole queue.",
        discussion: """
            With transfers, --priority and --limit are theirs. Without, the other options are those of the whole \
            queue, and last until they are set again; without any option its limits are printed.

            \(SelectionOptions.help)

            Examples:
              fileq set 7 --priority high
              fileq set 3-7 --limit 500k
              fileq set kind:upload --limit none
              fileq set --download-limit 2M --upload-limit none --concurrent 6 --per-host 2
              fileq set --timetable 'mon-fri 08:00 down=512k; 18:00 off'
              fileq set --json
            """
    )

    @OptionGroup var selection: SelectionOptions

    @Option(
        help: ArgumentHelp(
            "Which start first: low, normal, high, or a number from 0 to 1 (0.5 is normal).", valueName: "priority"))
    var priority: String?

    @Option(
        help: ArgumentHelp(
            "Bytes a second that each of the transfers may use, such as 500k or 2M; 'none' lifts it.", valueName: "rate"
        ))
    var limit: String?

    @Option(help: ArgumentHelp("Bytes a second over all downloads; 'none' lifts it.", valueName: "rate"))
    var downloadLimit: String?

    @Option(help: ArgumentHelp("Bytes a second over all uploads; 'none' lifts it.", valueName: "rate"))
    var uploadLimit: String?

    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: ArgumentHelp("How many transfers run at once.", valueName: "n"))
    var concurrent: Int?

    @Option(help: ArgumentHelp("How many of them with one host; 'none' for any number.", valueName: "n"))
    var perHost: String?

    @Option(
        help: ArgumentHelp(
            """
            Rates by the hour, which stand in for --download-limit and --upload-limit while they hold: entries parted \
            by ';', each with days (all without), a time, and down=RATE, up=RATE, 'unlimited', or 'off' for the \
            queue's own limits. 'off' alone takes the table away.
            """,
            valueName: "table"))
    var timetable: String?

    @OptionGroup var shown: ActionOutputOptions

    func run(in context: QueueContext) async throws {
        let changes = try QueueChanges(self)
        let commands = try transferCommands()
        guard selection.which.isEmpty, !selection.all else {
            guard changes.isEmpty else {
                throw TransferError(
                    .usage,
                    "--download-limit, --upload-limit, --concurrent, --per-host and --timetable are the whole queue's: "
                        + "leave the transfers out, or set --limit of each")
            }
            guard !commands.isEmpty else { throw TransferError(.usage, "say what to set: --priority or --limit") }
            try await QueueAction(states: QueueAction.all, nothing: "", commands: commands).carryOut(
                on: selection, shown, in: context)
            return
        }
        guard commands.isEmpty else {
            throw TransferError(
                .usage, about: "priority",
                "--priority and --limit are a transfer's: say of which (IDs, a filter or --all); the whole queue has "
                    + "--download-limit and --upload-limit")
        }
        try await changes.carryOut(shown, in: context)
    }

    private func transferCommands() throws(TransferError) -> [QueueCommand] {
        var commands: [QueueCommand] = []
        if let priority { commands.append(.priority(try Self.priority(priority))) }
        if let limit { commands.append(.limit(try QueueChanges.rate(limit, "--limit"))) }
        return commands
    }

    static func priority(_ text: String) throws(TransferError) -> Double {
        switch text.lowercased() {
        case "low": return 0.25
        case "normal": return 0.5
        case "high": return 0.75
        default:
            guard let value = Double(text), (0...1).contains(value) else {
                throw TransferError(.usage, option: "--priority", "write low, normal, high or a number from 0 to 1")
            }
            return value
        }
    }
}
