// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// What a key asks of the world outside ``InterfaceState``.
enum Effect: Hashable, Sendable {
    case perform(QueueCommand, [TransferID])
    /// Queue what these words describe.
    case add(String)
    case setLimits(QueueLimits)
    /// Paint the screen from nothing.
    case redraw
    case suspend
    /// Leave; `isConfirmed` when nothing more is to be asked.
    case quit(isConfirmed: Bool)
}
