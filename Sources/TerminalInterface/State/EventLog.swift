// SPDX-License-Identifier: MIT

import TransferModel

/// What happened, as the queue and this screen have it, and the commands that equal the keys pressed. Oldest first.
struct EventLog: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case event, note, command, failure, error }

    /// Who keeps an entry.
    enum Source: Hashable, Sendable {
        /// This screen alone.
        case screen
        /// The log of the queue has it, too; it stands here until that is loaded.
        case update
        /// The log of the queue, under this number.
        case queue(Int64)

        var number: Int64? { if case .queue(let number) = self { number } else { nil } }
    }

    struct Entry: Hashable, Sendable {
        /// Seconds since 1970.
        var time: Double
        var kind: Kind
        /// `nil`: not about one transfer.
        var id: TransferID?
        /// Number and name that the transfer had then, if it is what happened to one.
        var title: String?
        var text: String
        var source = Source.screen
        /// The state that it led to.
        var sign: StateGlyph?
        /// The next attempt, if it is about that.
        var retry: Retry?
        /// Whether it says that an attempt began.
        var isBeginning = false

        /// `1 a.iso: paused`
        var line: String { title.map { "\($0): \(text)" } ?? text }

        static func title(of transfer: Transfer) -> String { "\(transfer.id) \(DisplayName.of(transfer))" }
    }

    private struct Matches: Hashable, Sendable {
        var filter = ""
        var version = -1
        /// Folded.
        var entries: [Entry] = []
    }

    /// More than a queue keeps.
    static let capacity = 12_000
    private(set) var entries: [Entry] = [] { didSet { version += 1 } }
    /// Changes with ``entries``.
    private var version = 0
    /// What ``find(_:)`` found.
    private var found = Matches()
    /// Entries that were dropped.
    private(set) var dropped = 0
    /// What of the queue's log is loaded.
    var feed = LogFeed()

    mutating func add(
        _ kind: Kind, _ text: String, of id: TransferID? = nil, at time: Double, source: Source = .screen
    ) {
        add(Entry(time: time, kind: kind, id: id, text: text, source: source))
    }

    mutating func add(_ entry: Entry) {
        entries.append(entry)
        // In large steps, so that an entry costs no copy.
        if entries.count >= 2 * Self.capacity {
            dropped += entries.count - Self.capacity
            entries.removeFirst(entries.count - Self.capacity)
        }
    }

    /// Adds what happened before all others, oldest first.
    mutating func addEarlier(_ earlier: [Entry]) { entries = earlier + entries }

    /// A page of the queue's log takes the place of what updates reported since the queue began.
    /// - Parameters:
    ///   - page: each with its number.
    ///   - began: seconds since 1970.
    mutating func merge(_ page: [Entry], of began: Double) {
        var (own, numbered): ([Entry], [Entry]) = ([], [])
        for entry in entries {
            if entry.source.number != nil {
                numbered.append(entry)
            } else if entry.source == .screen || entry.time < began {
                own.append(entry)
            }
        }
        // The order of the queue holds, whatever its clock did.
        var rest = Self.union(numbered, page)[...]
        var merged: [Entry] = []
        merged.reserveCapacity(own.count + rest.count)
        for entry in own {
            while let next = rest.first, next.time < entry.time { merged.append(rest.removeFirst()) }
            merged.append(entry)
        }
        entries = merged + rest
    }

    /// Both by their numbers, each number once.
    private static func union(_ known: [Entry], _ page: [Entry]) -> [Entry] {
        guard let first = page.first?.source.number, let last = known.last?.source.number, first <= last else {
            return known + page
        }
        var all: [Int64: Entry] = [:]
        for entry in known + page { if let number = entry.source.number { all[number] = entry } }
        return all.keys.sorted().compactMap { all[$0] }
    }

    /// The numbers begin again. What is here of an earlier log stays.
    mutating func queueBegan(_ text: String, at time: Double) {
        for index in entries.indices where entries[index].source.number != nil { entries[index].source = .screen }
        let place = entries.firstIndex { $0.time >= time } ?? entries.endIndex
        entries.insert(Entry(time: time, kind: .note, id: nil, text: text), at: place)
    }

    /// Searches once for all calls of ``entries(matching:)`` until something happens: a frame makes several.
    mutating func find(_ filter: String) {
        found = Matches(filter: filter, version: version, entries: entries(matching: filter))
    }

    /// Those that contain every word of `filter`, ignoring case, with repetitions folded.
    func entries(matching filter: String) -> [Entry] {
        if found.version == version, found.filter == filter { return found.entries }
        let words = filter.lowercased().split(separator: " ").map(String.init)
        guard !words.isEmpty else { return Self.folded(entries) }
        return Self.folded(
            entries.filter { entry in
                let line = entry.line.lowercased()
                return words.allSatisfy { line.contains($0) }
            })
    }
}
