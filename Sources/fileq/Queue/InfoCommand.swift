// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferControl
import TransferModel

/// `fileq info`
struct InfoCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show the details of transfers, with their attempts and metrics.",
        discussion: """
            Also finds finished transfers in the history. With --json the object of 'fileq list', and attempts: a \
            list of number, started, ended, url, firstByte, lastByte, status, error and metrics; and mirrors, a list \
            of URLs. Of a download over several connections also ranges: what is stored, and what is requested, as \
            first byte and end, which is not among them. Of an unfinished resumable upload uploadExpires, until when \
            the server keeps it, if it has said so. Times are local on a terminal and UTC elsewhere.

            \(SelectionOptions.help)

            Examples:
              fileq info 7
              fileq info --json 7 | jq '.attempts[-1].metrics'
            """
    )

    @Argument(help: ArgumentHelp("IDs, ranges and filters.", valueName: "which"), completion: .transfers)
    var which: [String]

    @Flag(help: "One JSON object per transfer.")
    var json = false

    @OptionGroup var machine: MachineOptions

    func run(in context: QueueContext) async throws {
        let selection = try QueueSelection(which, now: context.now)
        let client = try await context.queue()
        let transfers = try await selection.resolve(with: client)
        if transfers.isEmpty { context.say("no transfer matches") }
        var output = ResultOutput(context.output)
        let layout = InfoLayout(screen: context.screen, localTime: context.surroundings.localTime)
        for (index, transfer) in transfers.enumerated() {
            let info = try await client.info(transfer.id)
            if json {
                try output.write(QueueJSON.object(info))
            } else {
                if index > 0 { try output.write(line: "") }
                let isHere = context.surroundings.machine == nil && transfer.kind == .download
                let partial = isHere ? FileStatus(PartialName.path(for: transfer.file)) : nil
                for line in layout.lines(of: info, partialSize: partial?.size) { try output.write(line: line) }
            }
        }
        try output.flush()
    }
}
