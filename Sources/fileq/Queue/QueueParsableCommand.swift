// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import TransferModel

/// A command that asks something of the queue in the background.
protocol QueueParsableCommand: AsyncParsableCommand {
    func run(in context: QueueContext) async throws
}

extension QueueParsableCommand {
    mutating func run() async throws {
        // A reader that goes away ends the command, and not by a signal: what was begun is brought to its end.
        signal(SIGPIPE, SIG_IGN)
        try await run(in: .process)
    }
}

/// Which transfers a command is for.
struct SelectionOptions: ParsableArguments {
    static let help = """
        Transfers are named by ID (7), by range (3-7), by several of both with commas (1,3-7), or by filters, all of \
        which must hold:

          state:failed,paused   name:*.iso   file:*/backup/*   url:*mirror*
          host:*.example.org    kind:upload  error:28,login    'size>1G'
          'size<=10M'           'added<2d'   'ended>1w'

        Within one filter, commas part what will do; '!' in front, or != for :, turns it around (state!=completed). In \
        patterns * stands for anything and ? for one character. Ages are counted back from now: 'added<2d' is what was \
        added within two days. An ID that is not there is an error (2), and then nothing is done; a filter that fits \
        nothing is none, and a note says so.
        """

    @Argument(help: ArgumentHelp("IDs, ranges and filters.", valueName: "which"))
    var which: [String] = []

    @Flag(help: "All transfers for which it means something.")
    var all = false

    /// Whether everything is meant, without any condition.
    var meansWholeQueue: Bool { all && which.isEmpty }
}

/// For commands that look at everything unless told otherwise.
struct FilterOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("IDs, ranges and filters; all transfers where none are given.", valueName: "which"))
    var which: [String] = []
}

/// What a command that changes something says of it.
struct ActionOutputOptions: ParsableArguments {
    @Flag(help: "Write one JSON object for each transfer concerned, as it stands right after.")
    var json = false

    @Flag(name: [.customShort("v"), .long], help: "Print a line for each transfer concerned.")
    var verbose = false
}
