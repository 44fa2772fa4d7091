// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// A command for transfers of the queue, from selection to output.
struct QueueAction {
    /// Transfers in other states are ignored.
    var states: Set<TransferState>
    /// The note for ignored transfers: "nothing to pause".
    var nothing: String
    /// The note for completed ones, where it is another.
    var nothingWhenCompleted: String?
    /// Executed in order.
    var commands: [QueueCommand]
    /// Which of those in ``states`` are meant; others are ignored, too.
    var concerns: @Sendable (Transfer) -> Bool = { _ in true }

    static let all = Set(TransferState.allCases)
    static let notEnded = Set(TransferState.allCases.filter { !$0.isEnded })

    /// - Returns: the affected transfers, in their previous state.
    /// - Throws: code `usage` for an unknown ID; then nothing is done.
    @discardableResult
    func carryOut(
        on options: SelectionOptions, _ shown: ActionOutputOptions, in context: QueueContext
    ) async throws -> [Transfer] {
        let selection = try QueueSelection(options, now: context.now)
        let client = try await context.queue()
        let concerned = try await select(selection, with: client, in: context)
        try await Self.perform(commands, on: concerned.map(\.id), with: client, shown, in: context)
        return concerned
    }

    /// Finds the transfers that it affects, with a note about those that are named and ignored.
    func select(
        _ selection: QueueSelection, with client: any QueueClient, in context: QueueContext
    ) async throws -> [Transfer] {
        let meant = try await selection.resolve(with: client, states: states)
        func isConcerned(_ transfer: Transfer) -> Bool { states.contains(transfer.state) && concerns(transfer) }
        let concerned = meant.filter(isConcerned)
        if selection.namesTransfers {
            for transfer in meant where !isConcerned(transfer) {
                let note = transfer.state == .completed ? nothingWhenCompleted ?? nothing : nothing
                context.say("\(transfer.id) is \(transfer.state.rawValue): \(note)")
            }
        }
        if meant.isEmpty || concerned.isEmpty && !selection.namesTransfers {
            context.say("no transfer matches: nothing done")
        }
        return concerned
    }

    /// Reports the new state of `ids`.
    static func perform(
        _ commands: [QueueCommand], on ids: [TransferID], with client: any QueueClient, _ shown: ActionOutputOptions,
        in context: QueueContext
    ) async throws {
        guard !ids.isEmpty else { return }
        for command in commands { try await client.perform(command, on: ids) }
        guard shown.json || shown.verbose else { return }
        var output = ResultOutput(context.output)
        for transfer in try await client.transfers(matching: QueueFilter(ids: ids)) {
            if shown.json {
                try output.write(QueueJSON.object(transfer))
            } else {
                let layout = PlainListLayout(
                    now: context.now, screen: context.screen, localTime: context.surroundings.localTime)
                try output.write(line: layout.line(of: transfer))
            }
        }
        try output.flush()
    }
}
