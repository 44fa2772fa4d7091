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
            --overwrite; --skip-existing leaves it at that, --if-newer asks the server for a newer version.

            A file gets its name after its bytes are synced to the disk, so that a completed download survives a power \
            cut. --no-sync leaves the syncing out.

            A list (-i) names files below the -d folder alone, and no hidden ones; --allow-outside lifts that.

            Ctrl-C stops cleanly and keeps what has arrived; a second one ends at once.

            Examples:
              fileq get https://example.org/disk.iso
              fileq get -o disk.iso --checksum sha256:9f86d0… https://example.org/latest
              fileq get -d ~/Downloads -j 8 -i list.txt
              fileq get -o - https://example.org/data.tar.gz | tar xz
              fileq get -N -i nightly.txt --checksum-file https://example.org/SHA256SUMS
              fileq get --json https://example.org/disk.iso | jq .rate
            """
    )

    @Argument(help: ArgumentHelp("What to download: http or https.", valueName: "url"))
    var urls: [String] = []

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Save the one file as this; '-' writes to standard output, which must not be a terminal.",
            valueName: "file"), completion: .file())
    var output: String?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Save into this folder instead of the current one.",
            valueName: "folder"), completion: .directory)
    var directory: String?

    @Flag(help: "Fsync file and folder before a download counts as completed. (the default)")
    var sync = false

    @Flag(help: "Do not fsync downloads: faster, and a power cut may empty completed files.")
    var noSync = false

    @OptionGroup(title: "Files") var files: DownloadFileOptions
    @OptionGroup var shared: TransferOptionGroup

    mutating func run() async throws {
        let checksums = try await ChecksumFetch.list(for: self, .process)
        let plan = try plan(.process, checksums: checksums)
        guard !shared.run.files.dryRun else {
            return try await DryRun.start(plan.descriptions, settings: plan.settings, json: shared.output.json)
        }
        try await TransferRun.start(plan)
    }
}
