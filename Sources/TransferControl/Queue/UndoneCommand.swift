// SPDX-License-Identifier: MIT

package import TransferModel

/// A command that ``QueueClient/undo()`` has reverted.
package struct UndoneCommand: Sendable, Hashable, Codable {
    /// Seconds for which a command can be reverted, and of how many the queue keeps the inverses.
    package static let lifetime = 600.0
    package static let capacity = 50

    /// The word of the control protocol for the command: `pause`, `hold`, `resume`, `cancel`, `dismiss`, `clear`,
    /// `move`, `priority`, `limit`, `schedule`, `after`, `relocate`, `limits.set`, or `timetable.set`. A newer service
    /// may use others.
    package var command: String
    /// When the command was given, in seconds since 1970.
    package var performedAt: Double
    /// The transfers that are as before.
    package var ids: [TransferID]
    /// How many of the command's transfers have changed since and stay as they are.
    package var skipped: Int
    /// The limits of the queue that are set again, if the command was `limits.set`; `nil` from an older service.
    package var limits: QueueLimits?
    /// Whether the whole queue is held now, if the command held or released it; `nil` also from an older service.
    package var isHeld: Bool?

    package init(
        command: String, performedAt: Double, ids: [TransferID] = [], skipped: Int = 0, limits: QueueLimits? = nil,
        isHeld: Bool? = nil
    ) {
        self.command = command
        self.performedAt = performedAt
        self.ids = ids
        self.skipped = skipped
        self.limits = limits
        self.isHeld = isHeld
    }
}
