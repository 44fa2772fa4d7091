// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Something done to transfers of the queue, from their names to what is said of it.
struct QueueAction {
    /// Those in another state are left alone.
    var states: Set<TransferState>
    /// Said of what is named and left alone: "nothing to pause".
    var nothing: String
    /// Carried out one after the other.
    var commands: [QueueCommand]

    static let all = Set(TransferState.allCases)
    static let notEnded = Set(TransferState.allCases.filter { !$0.isEnded })

    /// - Returns: those that the commands were for, as they stood before.
    /// - Throws: code `usage` for an id that is unknown; then nothing is done.
    @discardableResult
    func carryOut(
        on options: SelectionOptions, _ shown: ActionOutputOptions, in context: QueueContext
    ) async throws -> [TransferSnapshot] {
        let selection = try QueueSelection(options, now: context.now)
        let client = try await context.connect(true)
        let meant = try await selection.resolve(with: client, states: states)
        let concerned = meant.filter { states.contains($0.state) }
        if selection.namesTransfers {
            for transfer in meant where !states.contains(transfer.state) {
                context.say("\(transfer.id) is \(transfer.state.rawValue): \(nothing)")
            }
        }
        if meant.isEmpty { context.say("no transfer fits: nothing done") }
        try await Self.perform(commands, on: concerned.map(\.id), with: client, shown, in: context)
        return concerned
    }

    /// Says how `ids` stand afterwards.
    static func perform(
        _ commands: [QueueCommand], on ids: [TransferID], with client: ControlClient, _ shown: ActionOutputOptions,
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
                try output.write(line: PlainListLayout(now: context.now, screen: context.screen).line(of: transfer))
            }
        }
        try output.flush()
    }
}
