// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// A checked `get` or `put`, ready to run.
struct TransferPlan {
    /// Whether it only lists what would be done: nothing is transferred, changed or enqueued.
    var isDry = false
    var descriptions: [Spec] = []
    var settings = QueueSettings()
    var output: OutputOptions
    /// Whether the user can be asked during the run: on a terminal that is not read otherwise, without `--json` and
    /// `-q`.
    var leavesTerminalFree: Bool {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1, !output.json, !output.quiet else { return false }
        return !descriptions.contains { description in
            guard case .upload(let upload) = description.operation, case .stream = upload.source else { return false }
            return true
        }
    }

    /// Standard output carries a download.
    var writesBytesToStandardOutput = false
    /// Indexes in ``descriptions`` of those that the list adds paused.
    var held: [Int] = []
    /// Skipped lines of a list; with any, the exit code is at least 2.
    var skipped = 0
    /// The first of them.
    var firstSkipped: SkippedLine?
    /// The folders and lists that ``descriptions`` come from, by their paths.
    var origins: [String] = []
    /// Files in folders that cannot be uploaded, in order; with any, the exit code is not 0.
    var failures: [Failure] = []
    /// The folders of `--create-dirs`, which ``makeFolders()`` creates; each once, as the destinations name them.
    var folders: [String] = []

    /// What has failed before the plan begins.
    struct Failure: Equatable {
        /// The number of transfers before it.
        var position: Int
        var error: TransferError
    }

    /// Whether there is nothing to do: the lists of the command are empty, and it names nothing else.
    var isEmpty: Bool { descriptions.isEmpty && failures.isEmpty }

    /// What a list made by a program may be, of a night without files. Lines that are skipped are no part of it.
    /// - Parameter lists: those without a line, by their paths.
    static func note(empty lists: [String], isAll: Bool) -> String {
        lists.map { "'\($0)'" }.joined(separator: ", ") + (lists.count > 1 ? " are empty" : " is empty")
            + (isAll ? ": nothing to do" : "")
    }

    /// For `get`, `put` and `add`.
    /// - Throws: code `usage` for contradicting options.
    init(_ options: TransferOptionGroup) throws(TransferError) {
        try self.init(output: options.output)
        isDry = options.isDry
    }

    init(output: OutputOptions) throws(TransferError) {
        guard !(output.quiet && output.verbose) else {
            throw TransferError(.usage, about: "quiet", "--quiet and --verbose exclude each other: use one of them")
        }
        self.output = output
    }

    /// `nil` for what is neither a folder nor a list, or has one transfer.
    /// - Parameter now: seconds since 1970.
    func batch(_ paths: AbsolutePaths, now: Double) -> TransferBatch? {
        guard descriptions.count > 1, !origins.isEmpty else { return nil }
        let names = origins.map { $0 == "-" ? "standard input" : paths.path($0).lastPathPart.map(String.init) ?? "/" }
        let shown = names.prefix(3).joined(separator: ", ")
        return TransferBatch(name: names.count > 3 ? "\(shown), …" : shown, now: now)
    }

    /// The first step of a plan that is carried out.
    /// - Throws: code `cannotWrite`.
    func makeFolders() throws(TransferError) { try DownloadDestination.makeFolders(folders) }
}

/// A line of a list that is no transfer.
struct SkippedLine: Equatable {
    var origin: DownloadRequest.Origin
    /// Begins with the place of the line.
    var error: TransferError

    /// `line 17 is skipped: the URL names no valid host`
    /// - Parameter others: how many more lines are skipped.
    func words(besides others: Int) -> String {
        let (text, place) = (MessageCatalog.text(error), "\(origin.words): ")
        let cause = text.hasPrefix(place) ? String(text.dropFirst(place.count)) : text
        let line = origin.line > 0 ? "line \(origin.line)" : origin.words
        return others > 0 ? "\(line) and \(others) more are skipped: \(cause)" : "\(line) is skipped: \(cause)"
    }
}

extension [TransferPlan.Failure] {
    /// One line each.
    func report(_ say: (String) -> Void = StandardError.say) {
        for failure in self { say(MessageCatalog.text(failure.error)) }
    }

    /// Of the first; `nil` without any.
    var exitCode: Int32? { first.map { ExitStatus.of($0.error) } }
}
