// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Requests of ``InterfaceState`` to the outside.
enum Effect: Hashable, Sendable {
    case perform(QueueCommand, [TransferID])
    /// Add the transfers that this text describes.
    case add(String)
    case setLimits(QueueLimits)
    /// Redraw the screen.
    case redraw
    case suspend
    /// Quit; `isConfirmed`: without asking.
    case quit(isConfirmed: Bool)
}
