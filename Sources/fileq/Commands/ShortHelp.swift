// SPDX-License-Identifier: MIT

/// `-h`: what is needed most, on one screen. `--help` and `fileq help COMMAND` tell everything.
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

    /// `nil` where `words` do not ask for it, or ask about a command whose whole help is short.
    static func answer(to words: [String]) -> String? {
        guard words.prefix(while: { $0 != "--" }).contains("-h") else { return nil }
        let path = HelpTopics.commandPath(of: words)
        if path.isEmpty { return words.first == "-h" ? program : nil }
        guard let options = chosen[path] else { return nil }
        return text(of: CommandInventory.read().command(at: path), path, options)
    }

    /// Of the program as a whole.
    static let program = """
        fileq: downloads and uploads over HTTP that finish, and keep what has arrived

          fileq get URL...                 download; goes on where an earlier run stopped
          fileq put FILE... URL            upload
          fileq add get URL...             queue downloads in the background; also add put, add curl
          fileq                            the queue on the terminal
          fileq list, info ID, watch       what the queue does
          fileq pause, resume, cancel, retry ID...
          fileq wait ID...                 until they have ended, with their exit code
          fileq history, clear             what has ended; forget it
          fileq serve [DIR]                receive and hand out files
          fileq demo                       see it all at once

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

    /// As much of it as one line holds.
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
