// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferControl
import TransferModel

/// `fileq move`
struct MoveCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move transfers within the queue: top, up, down or bottom.",
        discussion: """
            Several keep their order among each other. A transfer of higher priority starts first, wherever it stands.

            \(SelectionOptions.help)

            Examples:
              fileq move 7 top
              fileq move 3-5 bottom
              fileq move name:*.iso down
            """
    )

    @Argument(help: ArgumentHelp("IDs, ranges and filters, and last of all top, up, down or bottom.", valueName: "which"))
    var words: [String]

    @OptionGroup var shown: ActionOutputOptions

    func run(in context: QueueContext) async throws {
        guard let move = words.last.flatMap({ QueueMove(rawValue: $0) }) else {
            throw TransferError(.usage, "say where to as the last word: \(QueueMove.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard words.count > 1 else {
            throw TransferError(.usage, "say which transfers to move \(move.rawValue): IDs ('fileq list' shows them) or a filter")
        }
        let selection = try QueueSelection(words.dropLast(), now: context.now)
        let client = try await context.connect(true)
        let meant = try await selection.resolve(with: client).map(\.id)
        if meant.isEmpty { context.say("no transfer fits: nothing done") }
        let ids = meant.count > 1 ? Self.order(meant, move, queue: try await client.transfers(matching: QueueFilter()).map(\.id)) : meant
        try await QueueAction.perform([.move(move)], on: ids, with: client, shown, in: context)
    }

    /// In which order `ids` are moved one after the other, so that they stand afterwards as they stood before. Those that are at the
    /// wall already, or behind others of them that are, stay.
    static func order(_ ids: [TransferID], _ move: QueueMove, queue: [TransferID]) -> [TransferID] {
        let meant = Set(ids)
        let sorted = queue.filter(meant.contains)
        switch move {
        case .top: return sorted.reversed()
        case .bottom: return sorted
        case .up: return Array(sorted.dropFirst(queue.prefix(while: meant.contains).count))
        case .down: return sorted.dropLast(queue.reversed().prefix(while: meant.contains).count).reversed()
        }
    }
}
