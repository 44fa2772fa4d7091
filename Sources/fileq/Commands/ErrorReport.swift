// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import TransferModel

/// An error for the user: one line on standard error with cause and next step, and the exit code.
struct ErrorReport {
    /// Without the leading `fileq:`; several lines if several options have a hint of their own; `nil` if the error is a
    /// request for text (`--help`, `--version`).
    let line: String?
    /// Goes to standard output unchanged.
    let text: String?
    let status: Int32

    init(_ error: any Error, about given: MergedArguments) {
        if let failure = error as? TransferError {
            line = MessageCatalog.text(failure) + given.origin(of: failure)
            text = nil
            status = ExitStatus.of(failure)
        } else if FileqCommand.exitCode(for: error) == .success {
            line = nil
            text = FileqCommand.fullMessage(for: error)
            status = 0
        } else {
            let path = HelpTopics.commandPath(of: given.words)
            let help = (["fileq"] + path + ["--help"]).joined(separator: " ")
            var message = Self.oneLine(FileqCommand.message(for: error))
            if path.isEmpty, let word = given.words.first, !word.hasPrefix("-") {
                message =
                    ChecksumFetch.isAddress(word) ? "a URL is not a command" : "unknown command '\(word)'"
            }
            let hints =
                Self.hasOptionHints(path)
                ? OptionHints.hints(
                    for: Array(given.words.dropFirst(path.count)), of: CommandInventory.program.command(at: path)) : []
            if path.isEmpty, let word = given.words.first, let suggestion = OptionHints.suggestion(for: word) {
                line = "\(message); \(suggestion)"
            } else if hints.isEmpty {
                line = message + given.origin(inParserMessage: message) + " (see '\(help)')"
            } else {
                line = hints.joined(separator: "\n")
            }
            text = nil
            status = Int32(TransferError.Code.usage.rawValue)
        }
    }

    /// The commands that are expected to work like curl and wget.
    private static func hasOptionHints(_ path: [String]) -> Bool {
        [["get"], ["put"], ["add", "get"], ["add", "put"]].contains(path)
    }

    /// Prints it and returns the exit code.
    func deliver() -> Int32 {
        if let text { print(text) }
        for line in line?.split(separator: "\n") ?? [] { StandardError.say(String(line)) }
        return status
    }

    private static func oneLine(_ message: String) -> String {
        var text = message.split(whereSeparator: \.isNewline)
            .map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: " ")
        if text.hasSuffix(".") { text.removeLast() }
        guard let first = text.first, text.dropFirst().first?.isUppercase != true else { return text }
        return first.lowercased() + text.dropFirst()
    }
}
