// SPDX-License-Identifier: MIT

import ArgumentParser
import FoundationEssentials
import TransferControl
import TransferModel

/// `fileq open`
struct OpenCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open the files of transfers with the desktop's programs for them.",
        discussion: """
            Opens completed downloads, and the files of uploads; with --folder the folders that they are in, also of \
            unfinished downloads. It uses xdg-open.

            \(SelectionOptions.help)

            Examples:
              fileq open 7
              fileq open --folder name:*.iso
            """
    )

    /// More would cover a screen with windows.
    private static let most = 10

    @Argument(help: ArgumentHelp("IDs, ranges and filters.", valueName: "which"), completion: .transfers)
    var which: [String]

    @Flag(help: "Open the folder instead.")
    var folder = false

    @OptionGroup var machine: MachineOptions

    func run(in context: QueueContext) async throws {
        if let machine = context.surroundings.machine {
            throw TransferError(
                .usage, option: "--on",
                "the files are on \(machine): 'fileq info --on' says where, scp fetches them")
        }
        let selection = try QueueSelection(which, now: context.now)
        let transfers = try await selection.resolve(with: context.queue())
        if transfers.isEmpty { context.say("no transfer matches: nothing done") }
        guard transfers.count <= Self.most else {
            throw TransferError(.usage, "\(transfers.count) transfers match; at most \(Self.most) are opened at once")
        }
        var paths: [String] = []
        for transfer in transfers {
            let path = try path(of: transfer)
            if !paths.contains(path) { paths.append(path) }
        }
        for path in paths {
            try await context.open(path)
            context.say("opened \(path)")
        }
    }

    private func path(of transfer: Transfer) throws(TransferError) -> String {
        let file = transfer.file
        guard file.beginsWithSlash else {
            throw TransferError(.usage, "transfer \(transfer.id) has no file: it is streamed")
        }
        if folder { return String(file[..<(file.lastSlash ?? file.endIndex)]) + "/" }
        guard transfer.kind == .upload || transfer.state == .completed else {
            throw TransferError(
                .usage,
                "transfer \(transfer.id) is not complete; 'fileq open --folder \(transfer.id)' opens its folder")
        }
        guard FileManager.default.fileExists(atPath: file) else {
            throw TransferError(.cannotReadSource, "\(file) is not there any more")
        }
        return file
    }
}
