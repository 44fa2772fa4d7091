// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferControl
import TransferModel

/// `fileq move`
struct MoveCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move transfers within the queue: top, up, down or bottom.",
        usage: "fileq move <which> ... <top|up|down|bottom> [--json] [--verbose]",
        discussion: """
            Several transfers keep their relative order. A transfer that moves past others takes their priority, so \
            that one at the top starts next.

            \(SelectionOptions.help)

            Examples:
              fileq move 7 top
              fileq move 3-5 bottom
              fileq move name:*.iso down
            """
    )

    @Argument(
        help: ArgumentHelp("IDs, ranges and filters, then top, up, down or bottom.", valueName: "which"),
        completion: .transfers)
    var words: [String]

    @OptionGroup var shown: ActionOutputOptions

    @OptionGroup var machine: MachineOptions

    func run(in context: QueueContext) async throws {
        guard let move = words.last.flatMap({ QueueMove(rawValue: $0) }) else {
            throw TransferError(
                .usage,
                "pass the position as the last argument: \(QueueMove.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard words.count > 1 else {
            throw TransferError(
                .usage, "pass the transfers to move \(move.rawValue): IDs ('fileq list' shows them) or a filter")
        }
        let selection = try QueueSelection(words.dropLast(), now: context.now)
        let client = try await context.queue()
        let meant = try await selection.resolve(with: client).map(\.id)
        if meant.isEmpty { context.say("no transfer matches: nothing done") }
        try await QueueAction.perform([.move(move)], on: meant, with: client, shown, in: context)
    }
}
