// SPDX-License-Identifier: MIT

import TransferModel

/// What happened, from before the screen was opened what records have of it, and the commands that equal the keys
/// pressed. Oldest first.
struct EventLog: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case event, note, command, failure, error }

    struct Entry: Hashable, Sendable {
        /// Seconds since 1970.
        var time: Double
        var kind: Kind
        /// `nil`: not about one transfer.
        var id: TransferID?
        var text: String
    }

    static let capacity = 2000
    private(set) var entries: [Entry] = []
    /// Entries that were dropped.
    private(set) var dropped = 0

    mutating func add(_ kind: Kind, _ text: String, of id: TransferID? = nil, at time: Double) {
        entries.append(Entry(time: time, kind: kind, id: id, text: text))
        // In large steps, so that an entry costs no copy.
        if entries.count >= 2 * Self.capacity {
            dropped += entries.count - Self.capacity
            entries.removeFirst(entries.count - Self.capacity)
        }
    }

    /// Adds what happened before all others, oldest first.
    mutating func addEarlier(_ earlier: [Entry]) { entries = earlier + entries }

    /// Those that contain every word of `filter`, ignoring case.
    func entries(matching filter: String) -> [Entry] {
        let words = filter.lowercased().split(separator: " ").map(String.init)
        guard !words.isEmpty else { return entries }
        return entries.filter { entry in
            let text = entry.text.lowercased()
            return words.allSatisfy { text.contains($0) }
        }
    }
}
