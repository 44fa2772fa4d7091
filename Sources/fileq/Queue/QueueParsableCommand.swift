// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import TransferModel

/// A command that uses the background queue.
protocol QueueParsableCommand: AsyncParsableCommand {
    var machine: MachineOptions { get }
    func run(in context: QueueContext) async throws
}

extension QueueParsableCommand {
    mutating func run() async throws {
        // A closed standard output ends the command without a signal, so that it completes what it began.
        signal(SIGPIPE, SIG_IGN)
        try await run(in: try await machine.context())
    }
}

/// The transfers that a command applies to.
struct SelectionOptions: ParsableArguments {
    static let help = """
        Select transfers by ID (7), by range (3-7), by several of both with commas (1,3-7), or by filters, all of \
        which must match:

          state:failed,paused   name:*.iso   file:*/backup/*   url:*mirror*
          host:*.example.org    kind:upload  error:28,login    'size>1G'
          'size<=10M'           'added<2d'   'ended>1w'

        Within one filter, commas separate alternatives; '!' in front, or != for :, negates it (state!=completed). \
        In patterns * matches any text and ? one character. Ages count back from now: 'added<2d' means added within \
        two days. An unknown ID, or a range without any, is an error (2), and then nothing is done; a filter without \
        matches is no error, and a note says so.
        """

    @Argument(help: ArgumentHelp("IDs, ranges and filters.", valueName: "which"), completion: .transfers)
    var which: [String] = []

    @Flag(help: "All transfers to which it applies.")
    var all = false

    /// Whether all transfers are selected without condition.
    var meansWholeQueue: Bool { all && which.isEmpty }
}

/// For commands that default to all transfers.
struct FilterOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("IDs, ranges and filters. (default: all transfers)", valueName: "which"),
        completion: .transfers)
    var which: [String] = []
}

/// The output of a command that changes transfers.
struct ActionOutputOptions: ParsableArguments {
    @Flag(help: "Write one JSON object per affected transfer, with its new state.")
    var json = false

    @Flag(name: [.customShort("v"), .long], help: "Print a line per affected transfer.")
    var verbose = false
}
