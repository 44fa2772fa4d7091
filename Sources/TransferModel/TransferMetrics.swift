// SPDX-License-Identifier: MIT

/// Times and byte counts of one attempt, over all its exchanges.
public struct TransferMetrics: Sendable, Hashable, Codable {
    /// Seconds spent on each stage of the last exchange; `nil` where it was skipped (a reused connection has no
    /// connect).
    public var nameLookup: Double?
    public var connect: Double?
    public var tls: Double?
    /// Seconds from the end of the request to the first byte of the response.
    public var firstByte: Double?
    /// Seconds of the whole last exchange.
    public var total: Double = 0
    /// Body bytes over all exchanges, stored or not.
    public var bodyReceived: Int64 = 0
    public var bodySent: Int64 = 0
    /// The first byte requested by the last exchange; above 0 if it resumed.
    public var resumedFrom: Int64 = 0
    public var exchanges = 0
    public var redirects = 0
    /// `http/1.1`, `h2`, `h3`.
    public var protocolName: String?
    public var remoteAddress: String?
    public var isReusedConnection = false
    /// Seconds since 1970 when the task was made, and when it ended.
    public var taskStart: Double?
    public var taskEnd: Double?
    /// One for each exchange, in order; of very many the first and the last (see ``append(_:)``).
    public var transactions: [TransactionMetrics] = []

    /// Seconds from ``taskStart`` to ``taskEnd``; `nil` if either is unknown.
    public var duration: Double? { taskStart.flatMap { start in taskEnd.map { max(0, $0 - start) } } }

    /// How often a response led to another address (`URLSessionTaskMetrics.redirectCount`).
    public var redirectCount: Int { redirects }

    public init() {}
}
