// SPDX-License-Identifier: MIT

public import TransferModel

/// One transfer with its attempts.
public struct TransferInfo: Sendable, Hashable, Codable {
    public var transfer: Transfer
    /// Oldest first; the last is the current one while it runs. `nil` if the queue does not record attempts.
    public var attempts: [TransferAttempt]?

    /// Further addresses of the file, without user information; `nil` without any, and if the queue does not record
    /// them.
    public var mirrors: [String]?

    public init(transfer: Transfer, attempts: [TransferAttempt]? = nil, mirrors: [String]? = nil) {
        self.transfer = transfer
        self.attempts = attempts
        self.mirrors = mirrors
    }
}
