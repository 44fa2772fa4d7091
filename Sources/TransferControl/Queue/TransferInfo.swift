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

    /// The stored ranges of an unfinished download; `nil` if they are in order from the first byte, or unknown.
    public var ranges: TransferRanges?

    /// The heads of its latest request and response; `nil` if it made none lately.
    public var heads: TransferHeads?

    /// When the server will drop an unfinished resumable upload, as it last stated, in seconds since 1970.
    public var uploadExpires: Double?

    public init(
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
public struct TransferRanges: Sendable, Hashable, Codable {
    /// Sorted, apart from one another.
    public var stored: [Range<Int64>]
    /// One for each connection, from its next byte on; empty unless it runs.
    public var requested: [Range<Int64>]

    /// More stored ranges are not reported.
    public static let maximumCount = 1024

    public init(stored: [Range<Int64>], requested: [Range<Int64>] = []) {
        (self.stored, self.requested) = (stored, requested)
    }
}
