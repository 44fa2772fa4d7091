// SPDX-License-Identifier: MIT

public import TransferModel

/// One transfer with its past.
public struct TransferInfo: Sendable, Hashable, Codable {
    public var transfer: TransferSnapshot
    /// Oldest first; the last is the present one while it runs. `nil` where the queue keeps no record of tries.
    public var attempts: [TransferAttempt]?

    public init(transfer: TransferSnapshot, attempts: [TransferAttempt]? = nil) {
        self.transfer = transfer
        self.attempts = attempts
    }
}

/// One try of a transfer, from its start to its end.
public struct TransferAttempt: Sendable, Hashable, Codable {
    /// 1 for the first.
    public var number: Int
    /// Seconds since 1970.
    public var startedAt: Double
    /// Seconds since 1970; `nil` while it runs.
    public var endedAt: Double?
    /// The address it asked, without user information.
    public var url: String
    /// Where it began: above 0 when it went on from kept bytes.
    public var firstByte: Int64
    /// Where it ended, or stands.
    public var lastByte: Int64
    /// Last final HTTP status.
    public var status: Int?
    /// Why it ended without success.
    public var error: TransferError?
    public var metrics: TransferMetrics?

    public init(number: Int, startedAt: Double, url: String, firstByte: Int64) {
        self.number = number
        self.startedAt = startedAt
        self.url = url
        self.firstByte = firstByte
        lastByte = firstByte
    }
}
