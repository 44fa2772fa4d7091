// SPDX-License-Identifier: MIT

/// What a queue keeps to beyond its process.
public struct StoreSettings: Sendable, Hashable, Codable {
    /// How many transfers run at once.
    public var concurrent: Int
    /// How many of them to one host; `nil`: as many as run.
    public var perHost: Int?
    /// Bytes a second over all downloads; `nil`: unlimited.
    public var download: Int?
    /// Bytes a second over all uploads; `nil`: unlimited.
    public var upload: Int?
    /// The rate timetable, as it was written.
    public var timetable: String?

    public init(concurrent: Int, perHost: Int? = nil, download: Int? = nil, upload: Int? = nil, timetable: String? = nil) {
        self.concurrent = concurrent
        self.perHost = perHost
        self.download = download
        self.upload = upload
        self.timetable = timetable
    }
}

/// How much of what has ended is remembered.
public struct HistoryLimits: Sendable, Hashable {
    /// The newest so many.
    public var count: Int
    /// Seconds since the end.
    public var age: Double

    public init(count: Int = 10_000, age: Double = 90 * 86_400) {
        self.count = count
        self.age = age
    }
}

/// What opening a store found.
public struct StoreReport: Sendable, Hashable {
    /// Where damaged files were put.
    public var setAside: [String] = []
    /// What was wrong with them, as SQLite or the reader says it.
    public var damage: String?

    /// One line for a person, where there is something to say.
    public var warning: String? {
        guard let damage, !setAside.isEmpty else { return nil }
        return "the queue's files were damaged (\(damage)); they were kept as \(setAside.joined(separator: ", "))"
    }
}
