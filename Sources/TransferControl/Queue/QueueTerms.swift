// SPDX-License-Identifier: MIT

/// On what terms transfers are added to a queue: the same for all of one call.
public struct QueueTerms: Sendable, Hashable {
    /// Queue it without starting.
    public var paused = false
    /// Seconds since 1970; not to start before. `nil`: at once.
    public var earliestBegin: Double?
    /// Start only on a network without cost, while no other transfer runs.
    public var isDiscretionary = false
    /// The background session they belong to, which is told how they end; `nil`: nobody's but the user's.
    public var session: String?
    /// The client's own words, which come back in ``TransferModel/TransferSnapshot/taskDescription``; never read by the
    /// queue.
    public var taskDescription: String?

    public init(
        paused: Bool = false, earliestBegin: Double? = nil, isDiscretionary: Bool = false, session: String? = nil,
        taskDescription: String? = nil
    ) {
        self.paused = paused
        self.earliestBegin = earliestBegin
        self.isDiscretionary = isDiscretionary
        self.session = session
        self.taskDescription = taskDescription
    }
}
