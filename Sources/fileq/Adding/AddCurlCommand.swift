// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// `fileq add curl …`
struct AddCurlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "curl",
        abstract: "Enqueue the transfers of a curl command line.",
        usage: "fileq add curl <option of curl> ... <url> ...",
        discussion: """
            All arguments are curl's. fileq carries out those it has a counterpart for, and rejects those that are \
            unknown or do something other than transfer a file. The file name is chosen as by 'fileq get' unless -o \
            or -O is given, and existing files are kept without --clobber. Redirects are followed even without -L.

            fileq's own options cannot be mixed in; 'fileq add get --curl' takes both, and keeps cookies and \
            passwords out of the process list.
            """
    )

    @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("Options of curl, and URLs.", valueName: "word"))
    var words: [String] = []

    mutating func run() async throws {
        if words == ["--help"] || words == ["-h"] { throw CleanExit.helpRequest(self) }
        let get = try Self.mergedDefaults()
        let (client, surroundings) = try await get.machine.connection()
        try await AddRun.start(try get.plan(curl: words, surroundings), output: get.shared.output, with: client)
    }

    /// Settings of `fileq add get` from environment and configuration file.
    static func mergedDefaults() throws -> AddGetCommand {
        let path = ["add", "get"]
        return try AddGetCommand.parse(Array(try Settings.merge(path).words.dropFirst(path.count)))
    }
}
