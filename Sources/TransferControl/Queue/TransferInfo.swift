// SPDX-License-Identifier: MIT

public import TransferModel

/// One transfer with its past.
public struct TransferInfo: Sendable, Hashable, Codable {
    public var transfer: Transfer
    /// Oldest first; the last is the present one while it runs. `nil` where the queue keeps no record of attempts.
    public var attempts: [TransferAttempt]?

    public init(transfer: Transfer, attempts: [TransferAttempt]? = nil) {
        self.transfer = transfer
        self.attempts = attempts
    }
}
