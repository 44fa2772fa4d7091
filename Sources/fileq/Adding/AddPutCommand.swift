// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// `fileq add put FILE… URL`
struct AddPutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Queue uploads in the background.",
        usage: "fileq add put <file> ... <url> [<options>]",
        discussion: """
            As 'fileq put', except that it returns when the uploads are queued. Folders are walked now; the files are \
            read when their turn comes, and must be there until then. --limit holds for each upload. Without --retry \
            they are tried again as long as --resource-timeout allows.

            Examples:
              fileq add put report.pdf https://example.org/inbox/
              fileq add put --at 'tomorrow 02:00' -r photos https://example.org/backup/
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

    @OptionGroup var shared: AddOptions

    mutating func run() async throws {
        let plan = try plan(.process)
        try await AddRun.start(plan, output: shared.output, isDry: shared.files.dryRun)
    }

    /// - Throws: `usage`, `malformedURL`, or `cannotReadSource` where a file is missing.
    func plan(_ surroundings: Surroundings) throws(TransferError) -> AddPlan {
        try shared.plan(surroundings) { surroundings throws(TransferError) in
            var put = PutCommand()
            (put.items, put.recursive, put.follow, put.shared) = (items, recursive, follow, shared.group)
            return try put.plan(surroundings, for: .background)
        }
    }
}
