// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// `fileq add put FILE… URL`
struct AddPutCommand: QueueingCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Enqueue uploads in the background.",
        usage: "fileq add put <file> ... <url> [<options>]",
        discussion: """
            As 'fileq put', but returns when the uploads are enqueued. Folders are walked now; files are read when \
            their upload starts, and must exist until then. --limit applies to each upload. Without --retry they are \
            retried as long as --resource-timeout allows. With s3:// URLs, access keys of the environment are stored \
            with the queue's other secrets; those of ~/.aws/credentials are read again for each attempt.

            Examples:
              fileq add put report.pdf https://example.org/inbox/
              fileq add put --at 'tomorrow 02:00' -r photos https://example.org/backup/
            """
    )

    @Argument(
        help: ArgumentHelp("The files to upload, then the URL.", valueName: "file ... url"),
        completion: .file())
    var items: [String] = []

    @OptionGroup var files: UploadOptions

    @OptionGroup(title: "Existing files") var conditions: ConditionOptions

    @OptionGroup(title: "S3") var s3: S3Options
    @OptionGroup(title: "S3") var parts: S3PartOptions

    @OptionGroup(title: "Queue") var terms: TermOptions
    @OptionGroup(title: "Request") var request: RequestOptions
    @OptionGroup(title: "Login") var login: LoginOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup(title: "Trust") var identity: IdentityOptions
    @OptionGroup(title: "Files") var inputs: FileOptions
    @OptionGroup(title: "Output") var report: AddOutputOptions
    @OptionGroup(visibility: .hidden) var refused: ForegroundOptions

    @OptionGroup var machine: MachineOptions

    mutating func run() async throws {
        let (client, surroundings) = try await machine.connection()
        try await AddRun.start(try plan(surroundings), output: shared.output, with: client)
    }

    /// - Throws: `usage`, `malformedURL`, or `cannotReadSource` if a file is missing.
    func plan(_ surroundings: CommandEnvironment) throws(TransferError) -> AddPlan {
        try surroundings.requireOwnFiles(for: "put")
        return try shared.plan(surroundings) { surroundings throws(TransferError) in
            var put = PutCommand()
            (put.items, put.files, put.shared) = (items, files, shared.group)
            (put.s3, put.parts, put.conditions, put.name) = (s3, parts, conditions, nil)
            return try put.plan(surroundings, for: .background)
        }
    }
}
