// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferControl
import TransferModel

/// `fileq logs`
struct LogsCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs",
        abstract: "Print the log of the background service.",
        discussion: """
            The service need not run, and is not started. If there is no log, a note says so. Times are local on a \
            terminal, elsewhere UTC, as in the file.

            Examples:
              fileq logs -n 100
              fileq logs -f
            """
    )

    @Option(
        name: [.customShort("n"), .customLong("number")],
        help: ArgumentHelp("Print the last n lines. (default: all)", valueName: "n"))
    var number: Int?

    @Flag(name: [.customShort("f"), .long], help: "Keep printing new lines until Ctrl-C.")
    var follow = false

    var machine: MachineOptions { .here }

    func run(in context: QueueContext) async throws {
        if let number, number < 0 { throw TransferError(.usage, option: "--number", "use a number from 0") }
        let path = Places(environment: context.surroundings.environment).service.log
        if follow { context.interruption.listen() }
        var tail = LogTail(path: path)
        var output = ResultOutput(context.output)
        let local = context.screen == nil ? nil : context.surroundings.localTime
        func shown(_ line: String) -> String { local?.localized(line) ?? line }
        if try !tail.open(lastLines: number) { context.say("there is no log yet: '\(path)'") }
        repeat {
            while let lines = try tail.next() { for line in lines { try output.write(line: shown(line)) } }
            try output.flush()
            if follow { await context.pause(0.25) }
        } while follow && context.interruption.signalNumber == nil
        if !follow, let rest = tail.rest { try output.write(line: shown(rest)) }
        try output.flush()
        if let number = context.interruption.signalNumber { throw ExitCode(Interruption.exitCode(for: number)) }
    }
}
