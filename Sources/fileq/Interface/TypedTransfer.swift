// SPDX-License-Identifier: MIT

import ArgumentParser
import TerminalInterface
import TransferModel

/// Arguments typed after `a` in the interface, with or without `get` or `put`.
enum TypedTransfer {
    /// `URL…` downloads, `FILE… URL` uploads; `get …` and `put …` take their command-line options and settings.
    /// - Throws: a ``TransferError`` whose message says what to correct.
    /// - Parameter keyMap: messages name its keys.
    static func parse(_ text: String, _ keyMap: KeyMap = .standard) throws -> [Spec] {
        let words = try ShellArguments.split(text)
        guard let first = words.first else { throw TransferError(.usage, "type a URL, or a file and a URL") }
        var surroundings = CommandEnvironment.process
        // The screen is in use: no prompts, no output.
        surroundings.warn = { _ in }
        surroundings.writesToTerminal = { false }
        surroundings.askPassword = { _ throws(TransferError) in
            throw TransferError(.usage, "no password prompt here; use --password-file or netrc")
        }
        let named = ["get", "put"].contains(first) ? words : [isAddress(first) ? "get" : "put"] + words
        do {
            return try descriptions(
                Array(try Settings.merge(named).words.dropFirst()), isGet: named[0] == "get", surroundings, keyMap)
        } catch let error as TransferError {
            throw error
        } catch {
            throw TransferError(
                .usage, GetCommand.message(for: error).split(whereSeparator: \.isNewline).joined(separator: " "))
        }
    }

    /// `--limit` applies to each transfer: there is no run to share it.
    private static func descriptions(
        _ words: [String], isGet: Bool,
        _ surroundings: CommandEnvironment, _ keyMap: KeyMap
    ) throws -> [Spec] {
        let plan: TransferPlan
        if isGet {
            let command = try GetCommand.parse(words)
            try check(command.shared.files)
            plan = try command.plan(surroundings)
        } else {
            let command = try PutCommand.parse(words)
            try check(command.shared.files)
            guard !command.items.contains("-") else { throw standardInput }
            plan = try command.plan(surroundings)
        }
        guard plan.settings.trustedKeys.isEmpty, plan.settings.minimumTLS == nil, plan.settings.maximumTLS == nil else {
            throw TransferError(
                .usage,
                "--trust, --tls-min and --tls-max apply to a whole run: on the screen, accept a certificate "
                    + "with \(keyMap.trustLabel) when a transfer asks for it")
        }
        guard !plan.writesBytesToStandardOutput else {
            throw TransferError(.usage, "the screen uses standard output: pass a file instead of '-'")
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
            throw TransferError(.usage, "--dry-run needs standard output, which the screen uses")
        }
    }

    private static let standardInput = TransferError(
        .usage, "the keyboard uses standard input: pass a file instead of '-'")

    private static func isAddress(_ word: String) -> Bool { word.contains("://") }
}

/// Splits a line into arguments as a shell does, without expansions.
enum ShellArguments {
    /// Spaces separate arguments; quotes of both kinds and backslashes group them.
    /// - Throws: code `usage` for an unclosed quote.
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
