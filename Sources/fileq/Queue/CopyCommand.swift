// SPDX-License-Identifier: MIT

import ArgumentParser
import TerminalInterface
import TransferControl
import TransferModel

/// `fileq copy`
struct CopyCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy addresses, paths or curl lines of transfers to the terminal's clipboard.",
        discussion: """
            One line per transfer. Characters that cannot be seen, such as line feeds in a name, are copied as \
            $'\\012', which shells read. Uses OSC 52, which works over SSH too, if the terminal allows it (tmux: 'set \
            -g set-clipboard on'); no terminal reports whether it did.

            \(SelectionOptions.help)

            Examples:
              fileq copy 7
              fileq copy --curl state:failed
            """
    )

    enum Part: String, EnumerableFlag {
        case address, path, id, curl

        var copied: CopiedPart { CopiedPart(rawValue: rawValue) ?? .address }

        static func help(for part: Part) -> ArgumentHelp? {
            switch part {
            case .address: "The addresses, with tokens that lists hide (default)."
            case .path: "The paths of the files."
            case .id: "The IDs."
            case .curl: "Command lines of curl, without headers, cookies and logins."
            }
        }
    }

    @Argument(help: ArgumentHelp("IDs, ranges and filters.", valueName: "which"), completion: .transfers)
    var which: [String]

    @Flag(exclusivity: .exclusive)
    var part = Part.address

    @OptionGroup var machine: MachineOptions

    func run(in context: QueueContext) async throws {
        let selection = try QueueSelection(which, now: context.now)
        let transfers = try await selection.resolve(with: context.queue())
        guard !transfers.isEmpty else { return context.say("no transfer matches: nothing done") }
        let part = part.copied
        let text = transfers.map(part.text).joined(separator: "\n")
        guard text.utf8.count <= ClipboardReport.maximum else {
            throw TransferError(
                .usage,
                "\(text.utf8.count) bytes are too many for a terminal's clipboard, which takes "
                    + "\(ClipboardReport.maximum)")
        }
        try context.copy(text)
        context.say("copied \(part.noun(transfers.count)), if the terminal allows it")
    }
}
