// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Finished transfers as a table for a terminal: local end time, then the columns of 'fileq list'. No I/O.
struct HistoryLayout {
    /// The minimum width that shows year and seconds.
    private static let roomForDate = 72

    private let list: ListLayout
    private let localTime: LocalTime
    private let isWide: Bool
    private var width: Int { isWide ? 19 : 11 }

    /// - Parameter entries: the first page; its IDs set the column width.
    init(screen: QueueScreen, entries: [HistoryEntry], now: Double, localTime: LocalTime) {
        isWide = screen.columns >= Self.roomForDate
        var rest = screen
        rest.columns = max(16, screen.columns - (isWide ? 20 : 12))
        list = ListLayout(screen: rest, transfers: entries.map(\.transfer), now: now, showsMotion: false)
        self.localTime = localTime
    }

    var heads: String { padded("ENDED") + list.heads }

    /// One or two lines.
    func lines(of entry: HistoryEntry) -> [String] {
        let time = localTime.text(entry.endedAt)
        let shown = isWide ? time : String(time.dropFirst(5).dropLast(3))
        return list.lines(of: entry.transfer).enumerated().map { padded($0.offset == 0 ? shown : "") + $0.element }
    }

    private func padded(_ text: String) -> String {
        text + String(repeating: " ", count: max(0, width - text.utf8.count) + 1)
    }
}
