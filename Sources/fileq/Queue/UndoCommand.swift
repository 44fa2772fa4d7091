// SPDX-License-Identifier: MIT

import ArgumentParser
import TerminalInterface
import TransferControl
import TransferModel

/// `fileq undo`
struct UndoCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Revert the latest command on the queue.",
        discussion: """
            Reverts pausing, resuming, cancelling (with the partial file kept), 'fileq clear', moving, \
            relocating, and changes of priority, rate, start, limits and timetable, whether they were given on the \
            command line or in the interface. The service keeps the last 50 commands for ten minutes; each further \
            'fileq undo' reverts the one before. Transfers that have changed since stay as they are; if all of them \
            have, nothing is undone (1). What cannot be undone twice in a row, as its folder is gone, is passed over.

            'fileq retry' and 'fileq cancel --delete' cannot be reverted.

            Examples:
              fileq cancel host:example.org && fileq undo
              fileq undo --json
            """
    )

    @OptionGroup var shown: ActionOutputOptions

    @OptionGroup var machine: MachineOptions

    func run(in context: QueueContext) async throws {
        let client = try await context.queue()
        let undone = try await client.undo()
        guard !UndoText.isNothing(undone) else { throw TransferError(.other, UndoText.words(for: undone)) }
        context.say(UndoText.words(for: undone))
        try await QueueAction.perform([], on: undone.ids, with: client, shown, in: context)
    }
}
