// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import TransferModel

/// `fileq add get URL…`
struct AddGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Queue downloads in the background.",
        discussion: """
            As 'fileq get', except that it returns when the downloads are queued. --limit holds for each of them. \
            Without --retry they are tried again as long as --resource-timeout allows.

            With -i, a list may have options of aria2 below a URL, indented: out, dir, header, user-agent, referer, \
            checksum, http-user, http-passwd, load-cookies, max-download-limit, timeout, connect-timeout, max-tries, \
            allow-overwrite, and pause=true, which queues that one without starting it. Others are passed over with a \
            word, or refused where that would do something else than what was asked for. Of several addresses in one \
            line the first is used.

            With --curl, URLs and options come from a line for curl, such as browsers copy. Given as '-' it is read \
            from standard input, where its cookies and passwords do not show in the process list.

            Examples:
              fileq add get -d ~/Downloads -i list.txt
              fileq add get --paused --priority low https://example.org/disk.iso
              xclip -o | fileq add --curl -
            """
    )

    @Argument(help: ArgumentHelp("What to download: http or https.", valueName: "url"))
    var urls: [String] = []

    @Option(
        name: [.short, .long], help: ArgumentHelp("Save the one file as this.", valueName: "file"), completion: .file())
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

    @Option(
        help: ArgumentHelp(
            "Take URLs and options from a line for curl; '-' reads it from standard input.", valueName: "line"))
    var curl: String?

    @OptionGroup(title: "Files") var files: DownloadFileOptions
    @OptionGroup var shared: AddOptions

    mutating func run() async throws {
        let checksums = try await ChecksumFetch.list(for: download, .process)
        let plan = try plan(.process, checksums: checksums)
        try await AddRun.start(plan, output: shared.output, isDry: shared.files.dryRun)
    }

    /// - Parameter checksums: the list behind `--checksum-file`, where that is an address.
    /// - Throws: `usage`, `malformedURL`, or `cannotWrite` where the place to write to does not exist.
    func plan(_ surroundings: Surroundings, checksums: ChecksumList? = nil) throws(TransferError) -> AddPlan {
        guard let curl else {
            return try shared.plan(surroundings) { surroundings throws(TransferError) in
                try download.plan(surroundings, for: .background, checksums: checksums)
            }
        }
        guard urls.isEmpty, output == nil, shared.files.input == nil else {
            throw TransferError(
                .usage, about: "curl", "--curl brings its own URLs and names: give neither URLs nor -o nor -i beside it"
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
                "--curl: other users can see the line's cookies and passwords in the process list; give it to standard "
                    + "input, "
                    + "with --curl -")
        }
        return try plan(curl: words, surroundings, checksums: checksums)
    }

    /// - Parameter words: a line for curl.
    func plan(
        curl words: [String], _ surroundings: Surroundings, checksums: ChecksumList? = nil
    ) throws(TransferError) -> AddPlan {
        let line = try CurlLine(words)
        return try shared.plan(surroundings) { surroundings throws(TransferError) in
            try CurlPlan(line: line, base: shared.group, directory: directory, sync: (sync, noSync), files: files)
                .plan(surroundings, checksums: checksums)
        }
    }

    private var download: GetCommand {
        var get = GetCommand()
        (get.urls, get.output, get.directory, get.shared) = (urls, output, directory, shared.group)
        (get.sync, get.noSync) = (sync, noSync)
        get.files = files
        return get
    }
}

extension AddOptions {
    /// Puts what `make` plans on the terms that the options state.
    func plan(
        _ surroundings: Surroundings,
        _ make: (Surroundings) throws(TransferError) -> TransferPlan
    ) throws(TransferError) -> AddPlan {
        try refused.refuse()
        let terms = try terms.terms(now: surroundings.now(), local: surroundings.localTime)
        let priority = try self.terms.rank()
        var surroundings = surroundings
        if output.quiet { surroundings.warn = { _ in } }
        return try AddPlan(
            try make(surroundings), on: terms, priority: priority, workingFolder: try surroundings.workingFolder())
    }
}
