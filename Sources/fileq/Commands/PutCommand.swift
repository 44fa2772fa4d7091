// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// `fileq put FILE… URL`
struct PutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Upload files.",
        usage: "fileq put <file> ... <url> [<options>]",
        discussion: """
            Sends each file as it is (application/octet-stream) with PUT to the URL. A URL that ends in '/' gets the \
            file's name; several files need one. '-' sends standard input.

            With -r a folder's files are sent with their paths: 'photos' as photos/2024/a.jpg, 'photos/' as \
            2024/a.jpg. Symbolic links are skipped unless --follow. Folders that a WebDAV server lacks are made.

            An upload is done when the server had every byte before it answered. An earlier success, as login pages \
            give it, is a failure (55).

            --sid, --sid-file or --meta make it a FileQ upload: POST to the URL as given, with name, size and metadata \
            in cookies.

            Ctrl-C stops cleanly; a second one ends at once.

            Examples:
              fileq put report.pdf https://example.org/inbox/
              fileq put -r photos https://example.org/backup/
              fileq put --sid-file ~/.sid --meta title=夏 movie.mp4 https://example.org/upload
              tar cz src | fileq put - https://example.org/src.tar.gz
            """
    )

    @Argument(
        help: ArgumentHelp("The files to send, then the URL they go to.", valueName: "file ... url"),
        completion: .file())
    var items: [String] = []

    @Flag(name: [.short, .long], help: "Send folders with all that is in them.")
    var recursive = false

    @Flag(help: "With -r, send what symbolic links point to instead of skipping them.")
    var follow = false

    @OptionGroup var shared: TransferOptionGroup

    mutating func run() async throws {
        let plan = try plan(.process)
        guard !shared.run.files.dryRun else {
            return try await DryRun.start(plan.descriptions, settings: plan.settings, json: shared.output.json)
        }
        try await TransferRun.start(plan)
    }
}
