// SPDX-License-Identifier: MIT

/// One attempt of a transfer, from its start to its end.
package struct TransferAttempt: Sendable, Hashable, Codable {
    /// 1 for the first. A later record of the same number replaces the earlier one.
    package var number: Int
    /// Seconds since 1970.
    package var startedAt: Double
    /// Seconds since 1970; `nil` while it runs.
    package var endedAt: Double?
    /// The address it asked, without user information.
    package var url: String
    /// Where it began: above 0 if it resumed from kept bytes.
    package var firstByte: Int64
    /// Where it ended, or stands.
    package var lastByte: Int64
    /// Last final HTTP status.
    package var status: Int?
    /// Why it ended without success.
    package var error: TransferError?
    package var metrics: TransferMetrics?

    package init(
        number: Int, startedAt: Double, endedAt: Double? = nil, url: String = "", firstByte: Int64 = 0,
        lastByte: Int64? = nil, status: Int? = nil, error: TransferError? = nil, metrics: TransferMetrics? = nil
    ) {
        self.number = number
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.url = url
        self.firstByte = firstByte
        self.lastByte = lastByte ?? firstByte
        self.status = status
        self.error = error
        self.metrics = metrics
    }
}
