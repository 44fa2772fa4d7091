// SPDX-License-Identifier: MIT

/// Settings of a queue that outlive its process.
package struct StoreSettings: Sendable, Hashable, Codable {
    /// The number of transfers that run concurrently.
    package var concurrent: Int
    /// How many of them to one host; `nil`: unlimited.
    package var perHost: Int?
    /// Bytes per second over all downloads; `nil`: unlimited.
    package var download: Int?
    /// Bytes per second over all uploads; `nil`: unlimited.
    package var upload: Int?
    /// The rate timetable, as the user wrote it.
    package var timetable: String?
    /// Whether the whole queue is held, and what is added to it; `nil`: it is not.
    package var isHeld: Bool?
    /// Whether transfers may not stand as `isHeld` demands; `nil`: they do.
    package var isHoldUnfinished: Bool?
    /// The copies under way, by the ID of the transfer; `nil`: none.
    package var copies: [Int: StoreCopy]?

    package init(
        concurrent: Int, perHost: Int? = nil, download: Int? = nil, upload: Int? = nil, timetable: String? = nil,
        isHeld: Bool? = nil, isHoldUnfinished: Bool? = nil, copies: [Int: StoreCopy]? = nil
    ) {
        self.concurrent = concurrent
        self.perHost = perHost
        self.download = download
        self.upload = upload
        self.timetable = timetable
        self.isHeld = isHeld
        self.isHoldUnfinished = isHoldUnfinished
        self.copies = copies
    }
}

/// The copy of a transfer's partial files to another file system.
package struct StoreCopy: Sendable, Hashable, Codable {
    /// Paths of the partial file.
    package var old: String
    package var new: String

    package init(from old: String, to new: String) { (self.old, self.new) = (old, new) }
}

/// The size of the history.
package struct HistoryLimits: Sendable, Hashable {
    /// The number of finished transfers kept, the newest ones.
    package var count: Int
    /// Seconds since the end.
    package var age: Double

    package init(count: Int = 10_000, age: Double = 90 * 86_400) {
        self.count = count
        self.age = age
    }
}

/// Damage that was found while a store was opened.
package struct StoreReport: Sendable, Hashable {
    /// The new paths of damaged files.
    package var setAside: [String] = []
    /// The damage, as SQLite or the decoder describes it.
    package var damage: String?

    /// One line for the user, if there is damage.
    package var warning: String? {
        guard let damage, !setAside.isEmpty else { return nil }
        return "the queue's files were damaged (\(damage)); they were kept as \(setAside.joined(separator: ", "))"
    }
}
