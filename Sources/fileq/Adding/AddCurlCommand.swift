// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// `fileq add curl …`
struct AddCurlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "curl",
        abstract: "Queue what a command line of curl would transfer.",
        usage: "fileq add curl <option of curl> ... <url> ...",
        discussion: """
            All words are curl's. Those that have a counterpart are carried out by fileq; what would do something else \
            than move a file, or is not known, is refused with a reason. A file is named as by 'fileq get' unless -o \
            or -O names it, and what exists is not replaced without --clobber. Redirects are followed also without -L.

            Options of fileq itself have no place in such a line; 'fileq add get --curl' takes both, and keeps cookies \
            and passwords out of the process list.
            """
    )

    @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("Options of curl, and URLs.", valueName: "word"))
    var words: [String] = []

    mutating func run() async throws {
        if words == ["--help"] || words == ["-h"] { throw CleanExit.helpRequest(self) }
        let get = try Self.settled()
        let plan = try get.plan(curl: words, .process)
        try await AddRun.start(plan, output: get.shared.output, isDry: get.shared.files.dryRun)
    }

    /// What environment and configuration file set for `fileq add get`.
    private static func settled() throws -> AddGetCommand {
        let path = ["add", "get"]
        return try AddGetCommand.parse(Array(try Settings.settle(path).words.dropFirst(path.count)))
    }
}
