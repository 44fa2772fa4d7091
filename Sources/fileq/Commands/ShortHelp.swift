// SPDX-License-Identifier: MIT

/// `-h`: the common options on one screen. `--help` and `fileq help COMMAND` show all.
enum ShortHelp {
    /// Options by their long names, in the order in which they are shown.
    static let chosen: [[String]: [String]] = [
        ["get"]: [
            "output", "directory", "input", "overwrite", "skip-existing", "if-newer", "checksum", "checksum-file",
            "header", "cookie", "user",
            "limit", "concurrent", "retry", "json", "quiet", "verbose",
        ],
        ["put"]: [
            "recursive", "method", "header", "cookie", "sid", "meta", "user", "checksum", "limit", "concurrent",
            "retry", "json", "quiet", "verbose",
        ],
        ["add", "get"]: [
            "output", "directory", "input", "curl", "paused", "at", "priority", "overwrite", "skip-existing",
            "if-newer", "checksum",
            "header", "cookie", "user", "limit", "json",
        ],
        ["add", "put"]: [
            "recursive", "paused", "at", "priority", "method", "header", "cookie", "sid", "user", "limit", "json",
        ],
    ]

    /// `nil` if `words` do not request it, or for a command with short help.
    static func answer(to words: [String]) -> String? {
        guard words.prefix(while: { $0 != "--" }).contains("-h") else { return nil }
        let path = HelpTopics.commandPath(of: words)
        if path.isEmpty { return words.first == "-h" ? program : nil }
        guard let options = chosen[path] else { return nil }
        return text(of: CommandInventory.program.command(at: path), path, options)
    }

    /// Of the program as a whole.
    static let program = """
        fileq: transfer files over HTTP, and resume what was interrupted

          fileq get URL...                 download; resumes an interrupted download
          fileq put FILE... URL            upload
          fileq ls URL                     list a folder of a server
          fileq add get URL...             enqueue downloads in the background; also add put, add curl
          fileq                            the queue on the terminal
          fileq list, info ID, watch       show the queue
          fileq pause, resume, cancel, retry ID...
          fileq wait ID...                 wait until they finish, with their exit code
          fileq history, clear             show, remove finished transfers
          fileq serve [DIR]                serve a folder, receive uploads
          fileq demo                       show a demonstration

        All commands: fileq --help. One of them: fileq get -h, fileq help get. Exit codes: fileq help exit-codes.
        """

    private static func text(of command: CommandInventory, _ path: [String], _ names: [String]) -> String {
        let positional = (command.arguments ?? []).filter { $0.kind == .positional && $0.shouldDisplay }
            .map {
                ($0.valueName ?? "value").uppercased().replacing(" ", with: " ")
                    + ($0.isRepeating && $0.valueName?.contains("...") != true ? "..." : "")
            }
        let call = (["fileq"] + path + positional + ["[OPTION...]"]).joined(separator: " ")
        var rows: [(String, String)] = []
        for name in names {
            guard let option = command.arguments?.first(where: { $0.longName == name }) else { continue }
            let short = option.names?.first { $0.kind == .short }.map { "-\($0.name), " } ?? "    "
            let value = option.kind == .option ? " \((option.valueName ?? "value").uppercased())" : ""
            rows.append(("  \(short)--\(name)\(value)", firstSentence(option.abstract ?? "")))
        }
        let width = min(34, (rows.map(\.0.count).max() ?? 0) + 2)
        let lines = rows.map { head, tail in
            head + String(repeating: " ", count: max(2, width - head.count)) + tail
        }
        let help = (["fileq", "help"] + path).joined(separator: " ")
        return "\(call)\n\(command.abstract ?? "")\n\n" + lines.joined(separator: "\n") + "\n\nAll options: \(help)"
    }

    /// Truncated to one line.
    private static func firstSentence(_ text: String) -> String {
        let whole = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        let end = [". ", "; "].compactMap { whole.firstRange(of: $0)?.lowerBound }.min()
        var line = end.map { whole[..<$0] } ?? (whole.hasSuffix(".") ? whole.dropLast() : whole[...])
        while line.count > 84, let cut = [": ", ", "].compactMap({ line.ranges(of: $0).last?.lowerBound }).max() {
            line = line[..<cut]
        }
        return String(line)
    }
}
