// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// `fileq get URL…`
struct GetCommand: TransferCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Download files.",
        discussion: """
            The file name comes from -o, else from the server, else from the last component of the URL, else it is \
            index.html. The file appears under that name once it is complete; until then it is NAME.fileq-part, from \
            which the next run resumes. Its modification time is the server's. Existing files are kept without \
            --overwrite; --skip-existing accepts them as they are, --if-newer requests a newer version, --keep-both \
            saves under another name.

            fileq syncs a file before it renames it into place, so that a completed download survives a power cut. \
            --no-sync skips the sync.

            Files of a list (-i) must be below the -d folder and not hidden; --allow-outside lifts this.

            A Metalink document (RFC 5854; arguments that end in .meta4, and --metalink) names files with their \
            addresses and digests. Of their names the last component is used. If a URL responds with a document of \
            one file, that file is downloaded; --no-metalink saves documents.

            Ctrl-C stops cleanly and keeps partial files; a second one stops immediately.

            Examples:
              fileq get https://example.org/disk.iso
              fileq get -o disk.iso --checksum sha256:9f86d0… https://example.org/latest
              fileq get -d ~/Downloads -j 8 -i list.txt
              fileq get --mirror https://example.net/disk.iso https://example.org/disk.iso
              fileq get https://example.org/disk.iso.meta4
              fileq get -o - https://example.org/data.tar.gz | tar xz
              fileq get -N -i nightly.txt --checksum-file https://example.org/SHA256SUMS
              fileq get --json https://example.org/disk.iso | jq .rate
            """
    )

    @Argument(
        help: ArgumentHelp("The URLs to download: http or https; or PLACE:path.", valueName: "url"),
        completion: .places)
    var urls: [String] = []

    @OptionGroup var destination: DestinationOptions

    @Flag(help: "Sync file and folder before a download completes. (the default)")
    var sync = false

    @Flag(help: "Do not sync downloads: faster, but a power cut may empty completed files.")
    var noSync = false

    @OptionGroup(title: "Files") var files: DownloadFileOptions
    @OptionGroup(title: "Request") var request: RequestOptions
    @OptionGroup(title: "Login") var login: LoginOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup(title: "Trust") var identity: IdentityOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Run") var runs: RunOptions
    @OptionGroup(title: "Run") var inputs: FileOptions
    @OptionGroup(title: "Output") var report: OutputOptions

    var arguments: DownloadArguments {
        DownloadArguments(
            urls: urls, destination: destination, sync: sync, noSync: noSync, files: files, shared: shared)
    }

    mutating func run() async throws { try await Self.run(arguments) }

    static func run(_ arguments: DownloadArguments) async throws {
        let fetched = try await PlanInputs.fetch(for: arguments, purpose: .foreground, .process)
        try await TransferRun.start(try arguments.plan(.process, with: fetched))
    }
}
