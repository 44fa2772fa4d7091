// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Requests of ``InterfaceState`` to the outside.
enum Effect: Hashable, Sendable {
    case perform(QueueCommand, [TransferID])
    case add(AddRequest)
    /// Find out what this would add; the number comes back with the result.
    case lookAhead(AddRequest, Int)
    case edit(EditRequest)
    /// Find out whether this can be changed; the number comes back with the result.
    case lookAheadOfEdit(EditRequest, Int)
    /// Read a folder; the number comes back with its entries.
    case list(String, Int)
    case setLimits(QueueLimits)
    /// Hold the whole queue, also what is added, or release it.
    case hold(Bool)
    /// Revert the latest command.
    case undo
    /// Execute a command line, without `fileq`.
    case run(String)
    /// Show the queue of another machine, which the command line named; empty: this machine's.
    case on(machine: String, line: String)
    /// Load finished transfers that ended before the place; `nil`: the latest ones.
    case history(before: HistoryEntry.Place?, limit: Int)
    /// Load a part of the queue's log.
    case log(LogQuery)
    /// Find out what became of transfers that have left the queue.
    case find([TransferID])
    /// Load the attempts of a transfer, and which of its bytes are where.
    case inform(TransferID)
    /// Open a file or a folder with the program for its kind.
    case open(String)
    /// Give a text to the terminal's clipboard.
    case copy(String)
    /// Redraw the screen.
    case redraw
    case suspend
    /// Quit; `isConfirmed`: without asking.
    case quit(isConfirmed: Bool)
}
