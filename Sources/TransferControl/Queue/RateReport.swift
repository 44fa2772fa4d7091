// SPDX-License-Identifier: MIT

/// How many bytes of bodies moved lately, and the limits in force. The queue takes samples all the time, so that a new
/// screen has the whole graph.
public struct RateReport: Sendable, Hashable, Codable {
    /// The longest graph, in seconds.
    public static let maximumSeconds = 600

    /// Bytes received in each of the last full seconds, oldest first.
    public var received: [Int64]
    /// Bytes sent, for the same seconds.
    public var sent: [Int64]
    /// In force now, including the timetable.
    public var limits: QueueLimits
    /// Seconds since 1970 when the timetable changes the limits; `nil` if it does not.
    public var limitsEnd: Double?

    public init(received: [Int64], sent: [Int64], limits: QueueLimits, limitsEnd: Double? = nil) {
        self.received = received
        self.sent = sent
        self.limits = limits
        self.limitsEnd = limitsEnd
    }
}
