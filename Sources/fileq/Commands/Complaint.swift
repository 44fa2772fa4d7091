// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import TransferModel

/// An error on its way to the user: one line on standard error that says what is wrong and what to do, and the exit
/// code.
struct Complaint {
    /// Without the leading `fileq:`, several where several options have an answer of their own; `nil` where the error
    /// is a request for text (`--help`, `--version`).
    let line: String?
    /// Goes to standard output as it is.
    let text: String?
    let status: Int32

    init(_ error: any Error, about given: SettledArguments) {
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
                    ChecksumFetch.isAddress(word) ? "an address alone is no command" : "there is no command '\(word)'"
            }
            let hints =
                Self.takesHabits(path)
                ? Habits.hints(
                    for: Array(given.words.dropFirst(path.count)), of: CommandInventory.read().command(at: path)) : []
            if path.isEmpty, let word = given.words.first, let suggestion = Habits.suggestion(for: word) {
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

    /// The commands that people expect to understand what curl and wget do.
    private static func takesHabits(_ path: [String]) -> Bool {
        [["get"], ["put"], ["add", "get"], ["add", "put"]].contains(path)
    }

    /// Says it, and gives back the exit code.
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
