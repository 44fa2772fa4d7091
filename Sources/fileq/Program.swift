// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import TransferModel

/// Where the process begins and ends: arguments in, exit code out.
@main
enum Program {
    static func main() async {
        let status = await run(Array(CommandLine.arguments.dropFirst()))
        // Text for a closed pipe has nobody to read it; the exit code still tells the truth.
        fflush(nil)
        exit(status)
    }

    /// Carries out one command line.
    /// - Returns: the exit code; everything there was to say has been said.
    static func run(_ words: [String]) async -> Int32 {
        var given = SettledArguments(words: words)
        do {
            if let text = try HelpTopics.answer(to: words) {
                print(text)
                return 0
            }
            given = try Settings.settle(words)
            var command = try FileqCommand.parseAsRoot(given.words)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return 0
        } catch let status as ExitCode {
            return status.rawValue
        } catch {
            return Complaint(error, about: given).deliver()
        }
    }
}
