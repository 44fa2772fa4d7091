// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// What is typed after `a` in the interface: the words of `get` or `put`, with or without the command itself.
enum TypedTransfer {
    /// `URL…` downloads, `FILE… URL` uploads; `get …` and `put …` take the options they take on a command line,
    /// and what environment and configuration set for them.
    /// - Throws: a ``TransferError`` whose message says what to mend.
    static func parse(_ text: String) throws -> [Spec] {
        let words = try ShellWords.split(text)
        guard let first = words.first else { throw TransferError(.usage, "type a URL, or a file and a URL") }
        var surroundings = Surroundings.process
        // The screen is taken: nothing may be asked or said around it.
        surroundings.warn = { _ in }
        surroundings.writesToTerminal = { false }
        surroundings.askPassword = { _ throws(TransferError) in
            throw TransferError(.usage, "a password cannot be asked for here; use --password-file or netrc")
        }
        let named = ["get", "put"].contains(first) ? words : [isAddress(first) ? "get" : "put"] + words
        do {
            return try descriptions(
                Array(try Settings.settle(named).words.dropFirst()), isGet: named[0] == "get", surroundings)
        } catch let error as TransferError {
            throw error
        } catch {
            throw TransferError(
                .usage, GetCommand.message(for: error).split(whereSeparator: \.isNewline).joined(separator: " "))
        }
    }

    /// `--limit` holds for each of them: there is no run that they could share.
    private static func descriptions(
        _ words: [String], isGet: Bool,
        _ surroundings: Surroundings
    ) throws -> [Spec] {
        let plan: TransferPlan
        if isGet {
            let command = try GetCommand.parse(words)
            try check(command.shared.run.files)
            plan = try command.plan(surroundings)
        } else {
            let command = try PutCommand.parse(words)
            try check(command.shared.run.files)
            guard !command.items.contains("-") else { throw standardInput }
            plan = try command.plan(surroundings)
        }
        guard plan.settings.trustedKeys.isEmpty, plan.settings.minimumTLS == nil, plan.settings.maximumTLS == nil else {
            throw TransferError(
                .usage,
                "--trust, --tls-min and --tls-max belong to a whole run: on the screen a certificate is accepted "
                    + "with T when a transfer asks for it")
        }
        guard !plan.writesBytesToStandardOutput else {
            throw TransferError(.usage, "the screen has standard output: name a file instead of '-'")
        }
        guard let limit = plan.settings.download ?? plan.settings.upload else { return plan.descriptions }
        return plan.descriptions.map { description in
            var limited = description
            limited.options.rateLimit = limit
            return limited
        }
    }

    private static func check(_ files: FileOptions) throws(TransferError) {
        if files.input == "-" { throw standardInput }
        guard !files.dryRun else {
            throw TransferError(.usage, "--dry-run lists on standard output, which the screen has")
        }
    }

    private static let standardInput = TransferError(
        .usage, "the keyboard has standard input: name a file instead of '-'")

    private static func isAddress(_ word: String) -> Bool { word.contains("://") }
}

/// Splits a line into words as a shell does, without any of a shell's other powers.
enum ShellWords {
    /// Spaces part words; quotes of both kinds and a backslash keep them together.
    /// - Throws: code `usage` for a quote that is never closed.
    static func split(_ line: String) throws(TransferError) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil, !isEscaped else { throw TransferError(.usage, "a quote is not closed") }
        if let last = word { words.append(last) }
        return words
    }
}
