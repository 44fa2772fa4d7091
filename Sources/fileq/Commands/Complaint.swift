// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import TransferModel

/// An error on its way to the user: one line on standard error that says what is wrong and what to do, and the exit code.
struct Complaint {
    /// Without the leading `fileq:`; `nil` where the error is a request for text (`--help`, `--version`).
    let line: String?
    /// Goes to standard output as it is.
    let text: String?
    let status: Int32

    init(_ error: any Error, about given: SettledArguments) {
        if let failure = error as? TransferError {
            line = failure.message + given.origin(namedIn: failure.message)
            text = nil
            status = Int32(failure.code.rawValue)
        } else if FileqCommand.exitCode(for: error) == .success {
            line = nil
            text = FileqCommand.fullMessage(for: error)
            status = 0
        } else {
            let path = HelpTopics.commandPath(of: given.words)
            let help = (["fileq"] + path + ["--help"]).joined(separator: " ")
            var message = Self.oneLine(FileqCommand.message(for: error))
            if path.isEmpty, let word = given.words.first, !word.hasPrefix("-") {
                message = "there is no command '\(word)'"
            }
            line = message + given.origin(namedIn: message) + " (see '\(help)')"
            text = nil
            status = Int32(TransferError.Code.usage.rawValue)
        }
    }

    /// Says it, and gives back the exit code.
    func deliver() -> Int32 {
        if let text { print(text) }
        if let line { StandardError.say(line) }
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
