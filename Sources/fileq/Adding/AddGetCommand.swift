// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import TransferModel

/// `fileq add get URL…`
struct AddGetCommand: QueueingCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Enqueue downloads in the background.",
        discussion: """
            As 'fileq get', but returns when the downloads are enqueued. --limit applies to each of them. Without \
            --retry they are retried as long as --resource-timeout allows. --concurrent, --plain and --verbose have \
            no effect: the queue has a number of its own ('fileq set --concurrent').

            With -i, a list may have options of aria2 below a URL, indented: out, dir, header, user-agent, referer, \
            checksum, http-user, http-passwd, load-cookies, max-download-limit, timeout, connect-timeout, max-tries, \
            allow-overwrite, split, follow-metalink, and pause=true, which enqueues that one paused. Others are \
            ignored with a warning, or rejected if ignoring them would change the result. Several URLs in one line, \
            separated by tabs, are addresses of one file.

            With --curl, URLs and options come from a curl command line, such as browsers copy. With '-' it is read \
            from standard input, where its cookies and passwords do not show in the process list.

            Examples:
              fileq add get -d ~/Downloads -i list.txt
              fileq add get --paused --priority low https://example.org/disk.iso
              xclip -o | fileq add --curl -
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

    @Option(
        help: ArgumentHelp(
            "Take URLs and options from a curl command line; '-' reads it from standard input.", valueName: "line"))
    var curl: String?

    @OptionGroup(title: "Files") var files: DownloadFileOptions
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
        let fetched = try await PlanInputs.fetch(for: download, purpose: .background, surroundings, of: client)
        try await AddRun.start(try plan(surroundings, with: fetched), output: shared.output, with: client)
    }

    /// - Parameters: as of `get`.
    /// - Throws: `usage`, `malformedURL`, or `cannotWrite` if the destination folder does not exist.
    func plan(
        _ surroundings: CommandEnvironment, with fetched: PlanInputs = PlanInputs()
    ) throws(TransferError) -> AddPlan {
        guard let curl else {
            return try shared.plan(surroundings) { surroundings throws(TransferError) in
                try download.plan(surroundings, for: .background, with: fetched)
            }
        }
        guard urls.isEmpty, destination.output == nil, shared.files.input.isEmpty else {
            throw TransferError(
                .usage, about: "curl", "--curl has its own URLs and names: omit URLs, -o and -i"
            )
        }
        let text = curl == "-" ? try TextFile.read(STDIN_FILENO, named: "-", option: "--curl", limit: 1 << 20) : curl
        let words = try naming("--curl") { () throws(TransferError) in try ShellLine.split(text) }
        guard words.contains(where: { $0.hasSuffix("curl") || $0.hasSuffix("curl.exe") }) else {
            throw TransferError(.usage, option: "--curl", "the line does not begin with 'curl'")
        }
        if curl != "-", try CurlLine(words).holdsSecrets,
            surroundings.arguments.contains(where: { $0.hasSuffix(curl) }), !shared.output.quiet
        {
            surroundings.warn(
                "--curl: other users can see the line's cookies and passwords in the process list; pass it on standard "
                    + "input, "
                    + "with --curl -")
        }
        return try plan(curl: words, surroundings, with: fetched)
    }

    /// - Parameter words: the arguments of a curl command line.
    func plan(
        curl words: [String], _ surroundings: CommandEnvironment, with fetched: PlanInputs = PlanInputs()
    ) throws(TransferError) -> AddPlan {
        let line = try CurlLine(words)
        return try shared.plan(surroundings) { surroundings throws(TransferError) in
            try CurlPlan(
                line: line, base: shared.group, directory: destination.directory, sync: (sync, noSync), files: files
            )
            .plan(surroundings, with: fetched)
        }
    }

    private var download: DownloadArguments {
        DownloadArguments(
            urls: urls, destination: destination, sync: sync, noSync: noSync, files: files, shared: shared.group)
    }
}

extension AddOptions {
    /// Applies the options to what `make` plans.
    func plan(
        _ surroundings: CommandEnvironment,
        _ make: (CommandEnvironment) throws(TransferError) -> TransferPlan
    ) throws(TransferError) -> AddPlan {
        var surroundings = surroundings
        if output.quiet { surroundings.warn = { _ in } }
        try refused.check(warn: surroundings.warn)
        let terms = try terms.terms(now: surroundings.now(), local: surroundings.localTime)
        let priority = try self.terms.rank()
        let made = try make(surroundings)
        let folder = try surroundings.workingFolder()
        var plan = try AddPlan(
            made, on: terms, priority: priority, workingFolder: folder, umask: surroundings.umask())
        plan.terms.batch = made.batch(AbsolutePaths(workingFolder: folder), now: surroundings.now())
        if surroundings.machine != nil { plan.folders = [] }
        return plan
    }
}
