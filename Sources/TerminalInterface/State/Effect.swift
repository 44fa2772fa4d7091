// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Requests of ``InterfaceState`` to the outside.
enum Effect: Hashable, Sendable {
    case perform(QueueCommand, [TransferID])
    /// Add the transfers that this text describes.
    case add(String)
    case setLimits(QueueLimits)
    /// Revert the latest command.
    case undo
    /// Execute a command line, without `fileq`.
    case run(String)
    /// Load finished transfers that ended before the place; `nil`: the latest ones.
    case history(before: HistoryEntry.Place?, limit: Int)
    /// Find out what became of transfers that have left the queue.
    case find([TransferID])
    /// Redraw the screen.
    case redraw
    case suspend
    /// Quit; `isConfirmed`: without asking.
    case quit(isConfirmed: Bool)
}
