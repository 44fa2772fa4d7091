// SPDX-License-Identifier: MIT

package import TransferModel

/// One transfer with its attempts.
package struct TransferInfo: Sendable, Hashable, Codable {
    package var transfer: Transfer
    /// Oldest first; the last is the current one while it runs. `nil` if the queue does not record attempts.
    package var attempts: [TransferAttempt]?

    /// Further addresses of the file, without user information; `nil` without any, and if the queue does not record
    /// them.
    package var mirrors: [String]?

    /// The stored ranges of an unfinished download; `nil` if they are in order from the first byte, or unknown.
    package var ranges: TransferRanges?

    /// The heads of its latest request and response; `nil` if it made none lately.
    package var heads: TransferHeads?

    /// When the server will drop an unfinished resumable upload, as it last stated, in seconds since 1970.
    package var uploadExpires: Double?

    package init(
        transfer: Transfer, attempts: [TransferAttempt]? = nil, mirrors: [String]? = nil, ranges: TransferRanges? = nil,
        heads: TransferHeads? = nil, uploadExpires: Double? = nil
    ) {
        self.transfer = transfer
        self.attempts = attempts
        self.mirrors = mirrors
        self.ranges = ranges
        self.heads = heads
        self.uploadExpires = uploadExpires
    }
}

/// Which bytes of a file a download has, and which it is asking for. Half-open, on the wire as `[first, end]`.
package struct TransferRanges: Sendable, Hashable, Codable {
    /// Sorted, apart from one another.
    package var stored: [Range<Int64>]
    /// One for each connection, from its next byte on; empty unless it runs.
    package var requested: [Range<Int64>]

    /// More stored ranges are not reported.
    package static let maximumCount = 1024

    package init(stored: [Range<Int64>], requested: [Range<Int64>] = []) {
        (self.stored, self.requested) = (stored, requested)
    }
}
