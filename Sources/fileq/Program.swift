// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import Platform
import TransferModel

/// Entry point: arguments in, exit code out.
@main
enum Program {
    static func main() async {
        let words: [String]
        do { words = try GivenWords.read() } catch {
            exit(ErrorReport(error, about: MergedArguments(words: [])).deliver())
        }
        exit(withOutput(await run(words)))
    }

    /// Writes what is left of the output.
    /// - Returns: the exit code: `status`, unless that is a success whose results could not be written. A closed pipe
    ///   has no reader, which is none of its writer's errors.
    private static func withOutput(_ status: Int32) -> Int32 {
        guard let code = StandardOutput.flush(), code != EPIPE else { return status }
        let error = FileOutput.failure(code)
        StandardError.say(MessageCatalog.text(error))
        return status == 0 ? ExitStatus.of(error) : status
    }

    /// Runs one command line.
    /// - Returns: the exit code; all output is written.
    static func run(_ words: [String]) async -> Int32 {
        if words.first == ShellCompletion.request { return await ShellCompletion.reply(to: words) }
        var given = MergedArguments(words: words)
        do {
            if let text = try HelpTopics.answer(to: words) {
                print(text)
                return 0
            }
            prepareTransport(for: words)
            given = try Settings.merge(words)
            if let run = UsualCommandLine.command(for: given.words) {
                try await run()
                return 0
            }
            var command = try parse(given.words)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return 0
        } catch let status as ExitCode {
            return status.rawValue
        } catch {
            return ErrorReport(error, about: given).deliver()
        }
    }

    /// A command without subcommands is parsed alone, which is quicker than the tree of all. Anything but that command
    /// is left to the tree: errors and help name the whole command.
    static func parse(_ words: [String]) throws -> any ParsableCommand {
        var (named, rest): (any ParsableCommand.Type, ArraySlice<String>) = (FileqCommand.self, words[...])
        while let name = rest.first,
            let next = named.configuration.subcommands.first(where: { $0.configuration.commandName == name })
        {
            (named, rest) = (next, rest.dropFirst())
        }
        if named.configuration.subcommands.isEmpty, let command = try? named.parseAsRoot(Array(rest)),
            type(of: command) == named
        {
            return command
        }
        return try FileqCommand.parseAsRoot(words)
    }
}
