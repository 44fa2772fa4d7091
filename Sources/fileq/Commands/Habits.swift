// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// Answers to what people type who come from curl, wget and other programs: what it is called here, or why it is not
/// needed.
enum Habits {
    /// By letter: options of curl and wget that `get`, `put` and their like do not have.
    private static let letters: [Character: String] = [
        "L": "redirects are followed anyway; leave it out",
        "O": "the file is named by its URL anyway; leave it out, or name it with -o",
        "J": "the server's name for a file is used anyway; leave it out",
        "C": "fileq goes on by itself where an earlier run stopped; leave it out",
        "c": "fileq resumes by itself; leave it out (cookies are kept by --cookie-jar FILE)",
        "k": "certificates are always checked; --trust accepts one server's key, --cacert other authorities",
        "u": "write --user NAME; the password comes from --password-file, netrc or a prompt",
        "x": "a proxy comes from http_proxy, https_proxy and no_proxy in the environment",
        "s": "write -q for silence, or --plain for lines instead of bars",
        "S": "errors are always shown; leave it out",
        "f": "a status of 400 and above is a failure anyway; leave it out",
        "P": "write -d FOLDER to save into a folder",
        "A": "write -H 'User-Agent: TEXT'",
        "U": "write -H 'User-Agent: TEXT'",
        "T": "uploads are 'fileq put FILE URL'; a timeout is --request-timeout SECONDS",
        "R": "the server's time is kept anyway; leave it out",
        "z": "write -N (--if-newer)",
        "m": "write --resource-timeout SECONDS",
        "w": "what a transfer cost is shown by -v, for programs by --json",
        "E": "write --cert FILE",
        "F": "forms are not sent; 'fileq put FILE URL' sends a file as it is",
        "I": "a question for the head alone moves no file; ask it with curl",
        "g": "braces and brackets in URLs are themselves anyway; leave it out",
        "t": "write --retry N",
    ]

    private static let long: [String: String] = [
        "location": "redirects are followed anyway; leave it out",
        "remote-name": "the file is named by its URL anyway; leave it out",
        "continue": "fileq goes on by itself where an earlier run stopped; leave it out",
        "continue-at": "fileq goes on by itself where an earlier run stopped; leave it out",
        "insecure": "certificates are always checked; --trust accepts one server's key, --cacert other authorities",
        "no-check-certificate":
            "certificates are always checked; --trust accepts one server's key, --cacert other authorities",
        "silent": "write -q for silence, or --plain for lines instead of bars",
        "fail": "a status of 400 and above is a failure anyway; leave it out",
        "output-document": "write -o FILE",
        "directory-prefix": "write -d FOLDER",
        "upload-file": "uploads are 'fileq put FILE URL'",
        "user-agent": "write -H 'User-Agent: TEXT'",
        "remote-time": "the server's time is kept anyway; leave it out",
        "timestamping": "write -N (--if-newer)",
        "no-clobber": "what exists is never replaced without --overwrite; --skip-existing makes it no failure",
        "tries": "write --retry N",
        "max-time": "write --resource-timeout SECONDS",
        "limit-rate": "write --limit RATE",
        "compressed": "files are moved as they are; leave it out",
        "proxy": "a proxy comes from http_proxy, https_proxy and no_proxy in the environment",
    ]

    /// One line for each option in `words` that has an answer, as far as `command` has no such option itself.
    static func hints(for words: [String], of command: CommandInventory) -> [String] {
        let options = (command.arguments ?? []).filter { $0.kind != .positional }
        var known: [String: CommandInventory.Argument] = [:]
        for option in options {
            for name in option.names ?? [] { known[(name.kind == .short ? "-" : "--") + name.name] = option }
        }
        var hints: [String] = []
        func add(_ name: String, _ hint: String?) {
            guard let hint, !hints.contains("\(name): \(hint)") else { return }
            hints.append("\(name): \(hint)")
        }
        var rest = words.prefix { $0 != "--" }
        while let word = rest.popFirst() {
            if word.hasPrefix("--") {
                let name = String(word.prefix { $0 != "=" })
                if let option = known[name] {
                    if option.kind == .option, !word.contains("=") { _ = rest.popFirst() }
                } else {
                    add(name, long[String(name.dropFirst(2))])
                }
                continue
            }
            guard word.hasPrefix("-"), word.count > 1 else { continue }
            letters: for index in word.indices.dropFirst() {
                let letter = word[index]
                if let option = known["-\(letter)"] {
                    guard option.kind == .option else { continue }
                    if word.index(after: index) == word.endIndex { _ = rest.popFirst() }
                    break letters
                }
                // wget's recursion; put has an -r of its own.
                add(
                    "-\(letter)",
                    letter == "r"
                        ? "folders cannot be fetched; list the files with -i, or use 'wget -r'" : letters[letter])
            }
        }
        return hints
    }

    // MARK: Commands

    private static let commands: [String: String] = [
        "status": "fileq service status", "ls": "fileq list", "rm": "fileq clear' or 'fileq cancel",
        "start": "fileq resume",
        "stop": "fileq pause' or 'fileq service stop", "ps": "fileq list", "top": "fileq", "download": "fileq get",
        "upload": "fileq put",
        "fetch": "fileq get", "send": "fileq put", "queue": "fileq list", "log": "fileq logs", "config": "fileq help",
        "delete": "fileq cancel",
        "remove": "fileq clear' or 'fileq cancel", "server": "fileq serve", "restart": "fileq retry",
        "curl": "fileq add curl", "version": "fileq --version",
    ]

    /// What was meant by a `word` that is no command, as the rest of a sentence; `nil`: nobody knows.
    static func suggestion(for word: String) -> String? {
        if ["http://", "https://"].contains(where: { word.lowercased().hasPrefix($0) }) {
            return "to download it: fileq get URL"
        }
        if word == "lab" { return "the lab is a program of its own: fileq-lab" }
        if let command = commands[word.lowercased()] { return "did you mean '\(command)'?" }
        let names = FileqCommand.configuration.subcommands.filter { $0.configuration.shouldDisplay }.compactMap {
            $0.configuration.commandName
        }
        let near = names.map { ($0, distance(word.lowercased(), $0)) }.filter { $0.1 <= ($0.0.count > 4 ? 2 : 1) }.min {
            $0.1 < $1.1
        }
        return near.map { "did you mean 'fileq \($0.0)'?" }
    }

    /// How many letters must be changed, put in, left out or swapped with their neighbour (optimal string alignment).
    static func distance(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first), Array(second))
        guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
        var rows = [[Int]](repeating: [Int](repeating: 0, count: second.count + 1), count: first.count + 1)
        for row in 0...first.count { rows[row][0] = row }
        for column in 0...second.count { rows[0][column] = column }
        for row in 1...first.count {
            for column in 1...second.count {
                let change = rows[row - 1][column - 1] + (first[row - 1] == second[column - 1] ? 0 : 1)
                rows[row][column] = min(rows[row - 1][column] + 1, rows[row][column - 1] + 1, change)
                if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
                    rows[row][column] = min(rows[row][column], rows[row - 2][column - 2] + 1)
                }
            }
        }
        return rows[first.count][second.count]
    }
}
