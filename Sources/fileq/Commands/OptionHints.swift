// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// Hints for users of curl, wget and other programs: the fileq equivalent of an option, or why it is not needed.
enum OptionHints {
    /// By letter: options of curl and wget that `get`, `put` and related commands lack.
    private static let letters: [Character: String] = [
        "L": "fileq always follows redirects; omit it",
        "O": "fileq names the file after its URL; omit it, or use -o NAME",
        "J": "fileq always uses the server's file name; omit it",
        "C": "fileq resumes automatically; omit it",
        "c": "fileq resumes automatically; omit it (--cookie-jar FILE stores cookies)",
        "k": "fileq always verifies certificates; --trust accepts one server's key, --cacert other authorities",
        "u": "use --user NAME; the password comes from --password-file, netrc or a prompt",
        "x": "set http_proxy, https_proxy and no_proxy in the environment",
        "s": "use -q for errors only, or --plain for lines instead of bars",
        "S": "fileq always shows errors; omit it",
        "f": "a status of 400 or above is always a failure; omit it",
        "P": "use -d FOLDER to save into a folder",
        "U": "use -H 'User-Agent: TEXT'",
        "T": "use 'fileq put FILE URL' to upload, --request-timeout SECONDS for a timeout",
        "R": "fileq always keeps the server's time; omit it",
        "z": "use -N (--if-newer)",
        "m": "use --resource-timeout SECONDS",
        "w": "use -v for the metrics of a transfer, --json in programs",
        "E": "use --cert FILE",
        "F": noForms,
        "I": "a HEAD request transfers no file; use curl",
        "g": "fileq never expands braces and brackets in URLs; omit it",
        "t": "use --retry N",
        "4": bothFamilies, "6": bothFamilies, "n": "fileq always reads netrc; omit it", "Z": inParallel,
    ]

    private static let bothFamilies = "fileq tries IPv6 and IPv4 and uses what connects first; omit it"
    private static let inParallel = "fileq runs transfers in parallel; omit it, or use -j N"
    private static let noFolders = "fileq cannot download folders; list the files with -i, or use 'wget -r'"
    private static let noForms = "fileq sends no forms; 'fileq put FILE URL' sends a file as it is"

    private static let long: [String: String] = [
        "location": "fileq always follows redirects; omit it",
        "remote-name": "fileq names the file after its URL; omit it",
        "continue": "fileq resumes automatically; omit it",
        "continue-at": "fileq resumes automatically; omit it",
        "insecure": "fileq always verifies certificates; --trust accepts one server's key, --cacert other authorities",
        "no-check-certificate":
            "fileq always verifies certificates; --trust accepts one server's key, --cacert other authorities",
        "silent": "use -q for errors only, or --plain for lines instead of bars",
        "fail": "a status of 400 or above is always a failure; omit it",
        "output-document": "use -o FILE",
        "directory-prefix": "use -d FOLDER",
        "upload-file": "use 'fileq put FILE URL' to upload",
        "remote-time": "fileq always keeps the server's time; omit it",
        "timestamping": "use -N (--if-newer)",
        "no-clobber":
            "get keeps existing files without --overwrite; with --skip-existing they are no failure. "
            + "put: use --no-overwrite",
        "tries": "use --retry N",
        "max-time": "use --resource-timeout SECONDS",
        "retry-max-time": "use --resource-timeout SECONDS, or --retry-max-wait SECONDS",
        "limit-rate": "use --limit RATE",
        "compressed": "fileq transfers files unchanged; omit it",
        "proxy": "set http_proxy, https_proxy and no_proxy in the environment",
        "recursive": noFolders, "dir": "use -d FOLDER", "output-dir": "use -d FOLDER", "out": "use -o FILE",
        "data": noForms, "form": noForms, "netrc": "fileq always reads netrc; omit it",
        "head": "a HEAD request transfers no file; use curl", "parallel": inParallel, "transfers": "use -j N",
        "timeout": "use --request-timeout SECONDS", "oauth2-bearer": "use --token-file FILE",
    ]

    /// Options of aria2 that take a number.
    private static func ofAria(_ letter: Character, _ value: Substring) -> String? {
        "xs".contains(letter) && Int(value) != nil ? "use --split N for several connections for a file" : nil
    }

    /// One line for each option in `words` with a hint, unless `command` has that option.
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
            if word == "-nc" {
                add(word, long["no-clobber"])
                continue
            }
            letters: for index in word.indices.dropFirst() {
                let letter = word[index]
                if let option = known["-\(letter)"] {
                    guard option.kind == .option else { continue }
                    if word.index(after: index) == word.endIndex { _ = rest.popFirst() }
                    break letters
                }
                let after = word[word.index(after: index)...]
                if let hint = ofAria(letter, after.isEmpty ? rest.first.map { $0[...] } ?? "" : after) {
                    add("-\(letter)", hint)
                    break letters
                }
                // wget's recursive download; put has its own -r.
                add("-\(letter)", letter == "r" ? noFolders : letters[letter])
            }
        }
        return hints
    }

    // MARK: Commands

    private static let commands: [String: String] = [
        "status": "fileq service status", "rm": "fileq clear' or 'fileq cancel",
        "start": "fileq resume",
        "stop": "fileq pause' or 'fileq service stop", "ps": "fileq list", "top": "fileq", "download": "fileq get",
        "upload": "fileq put",
        "fetch": "fileq get", "send": "fileq put", "queue": "fileq list", "log": "fileq logs", "config": "fileq help",
        "delete": "fileq cancel",
        "remove": "fileq clear' or 'fileq cancel", "server": "fileq serve", "restart": "fileq retry",
        "curl": "fileq add curl", "version": "fileq --version", "show": "fileq info", "edit": "fileq relocate",
        "limit": "fileq set",
    ]

    /// The command meant by an unknown `word`, as the rest of a sentence; `nil` if unclear.
    static func suggestion(for word: String) -> String? {
        if ["http://", "https://"].contains(where: { word.lowercased().hasPrefix($0) }) {
            return "to download it: fileq get URL"
        }
        if word == "lab" { return "the lab is a separate program: fileq-lab" }
        if let command = commands[word.lowercased()] { return "did you mean '\(command)'?" }
        let names = FileqCommand.configuration.subcommands.filter { $0.configuration.shouldDisplay }.compactMap {
            $0.configuration.commandName
        }
        let near = names.map { ($0, distance(word.lowercased(), $0)) }.filter { $0.1 <= ($0.0.count > 4 ? 2 : 1) }.min {
            $0.1 < $1.1
        }
        return near.map { "did you mean 'fileq \($0.0)'?" }
    }

    /// The number of letters to change, insert, delete or swap (optimal string alignment distance).
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
