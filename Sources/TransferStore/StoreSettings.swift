// SPDX-License-Identifier: MIT

/// What a queue keeps to beyond its process.
package struct StoreSettings: Sendable, Hashable, Codable {
    /// How many transfers run at once.
    package var concurrent: Int
    /// How many of them to one host; `nil`: as many as run.
    package var perHost: Int?
    /// Bytes a second over all downloads; `nil`: unlimited.
    package var download: Int?
    /// Bytes a second over all uploads; `nil`: unlimited.
    package var upload: Int?
    /// The rate timetable, as it was written.
    package var timetable: String?

    package init(
        concurrent: Int, perHost: Int? = nil, download: Int? = nil, upload: Int? = nil, timetable: String? = nil
    ) {
        self.concurrent = concurrent
        self.perHost = perHost
        self.download = download
        self.upload = upload
        self.timetable = timetable
    }
}

/// How much of what has ended is remembered.
package struct HistoryLimits: Sendable, Hashable {
    /// The newest so many.
    package var count: Int
    /// Seconds since the end.
    package var age: Double

    package init(count: Int = 10_000, age: Double = 90 * 86_400) {
        self.count = count
        self.age = age
    }
}

/// What opening a store found.
package struct StoreReport: Sendable, Hashable {
    /// Where damaged files were put.
    package var setAside: [String] = []
    /// What was wrong with them, as SQLite or the reader says it.
    package var damage: String?

    /// One line for a person, where there is something to say.
    package var warning: String? {
        guard let damage, !setAside.isEmpty else { return nil }
        return "the queue's files were damaged (\(damage)); they were kept as \(setAside.joined(separator: ", "))"
    }
}
