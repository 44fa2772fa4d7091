// SPDX-License-Identifier: MIT

import ArgumentParser
import CurlTransport
import TerminalInterface
import TransferModel

/// `fileq help TOPIC` for topics that are not commands; ArgumentParser does the rest of `help`.
enum HelpTopics {
    /// The output of `help exit-codes` and `--version`; `nil` for other arguments.
    /// - Throws: code `usage` for an unknown topic.
    static func answer(to words: [String]) throws(TransferError) -> String? {
        // Frequent in scripts, so it avoids building the command tree.
        if words == ["--version"] { return version() }
        if let text = ShortHelp.answer(to: words) { return text }
        guard words.first == "help", words.count > 1, let topic = words.last, !topic.hasPrefix("-") else { return nil }
        if words.count == 2, topic == "exit-codes" { return exitCodes() }
        let path = Array(words.dropFirst())
        guard commandPath(of: path).count == path.count else {
            throw TransferError(
                .usage,
                "no help on '\(TextSanitizer.clean(path.joined(separator: " ")))': "
                    + "'fileq help' lists the commands, 'fileq help exit-codes' the exit codes")
        }
        return nil
    }

    /// The program's version on the first line, the loaded libcurl on the second.
    static func version() -> String {
        let features = CurlTransport.libraryFeatures.joined(separator: ", ")
        return "\(ProgramVersion.current)\nlibcurl \(CurlTransport.libraryVersion): \(features)"
    }

    /// One line per code: number, short name, meaning.
    static func exitCodes() -> String {
        let width = ExitStatus.table.map(\.name.count).max() ?? 0
        return ExitStatus.table.map { entry in
            let number = String(entry.number)
            return String(repeating: " ", count: 3 - number.count) + number + "  "
                + entry.name + String(repeating: " ", count: width - entry.name.count) + "  " + entry.meaning
        }.joined(separator: "\n")
    }

    /// The names of the command and subcommands that the leading arguments name, possibly by aliases.
    static func commandPath(of words: [String]) -> [String] {
        var path: [String] = []
        var command: any ParsableCommand.Type = FileqCommand.self
        for word in words {
            guard
                let next = command.configuration.subcommands.first(where: {
                    $0.configuration.commandName == word || $0.configuration.aliases.contains(word)
                })
            else { break }
            path.append(next.configuration.commandName ?? word)
            command = next
        }
        return path
    }
}
