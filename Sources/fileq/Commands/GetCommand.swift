// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// `fileq get URL…`
struct GetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Download files.",
        discussion: """
            A file bears the name that -o gives it, else the one the server proposes, else the last part of the URL, \
            else index.html. It gets that name when all of it has arrived; until then it is NAME.fileq-part, and the \
            next run goes on from there. The server's modification time is kept. What exists is not replaced without \
            --overwrite.

            Ctrl-C stops cleanly and keeps what has arrived; a second one ends at once.

            Examples:
              fileq get https://example.org/disk.iso
              fileq get -o disk.iso --checksum sha256:9f86d0… https://example.org/latest
              fileq get -d ~/Downloads -j 8 -i list.txt
              fileq get -o - https://example.org/data.tar.gz | tar xz
              fileq get --json https://example.org/disk.iso | jq .rate
            """
    )

    @Argument(help: ArgumentHelp("What to download: http or https.", valueName: "url"))
    var urls: [String] = []

    @Option(name: [.short, .long], help: ArgumentHelp("Save the one file as this; '-' writes to standard output.",
                                                      valueName: "file"), completion: .file())
    var output: String?

    @Option(name: [.short, .long], help: ArgumentHelp("Save into this folder instead of the current one.",
                                                      valueName: "folder"), completion: .directory)
    var directory: String?

    @Flag(help: "Have file and folder on the disk for certain before a download counts as completed.")
    var sync = false

    @OptionGroup var shared: TransferOptionGroup

    mutating func run() async throws {
        let plan = try plan(.process)
        try await TransferRun.start(plan)
    }
}
