// SPDX-License-Identifier: MIT

import TransferModel

/// Where the log is scrolled to.
struct LogScroll: Hashable, Sendable {
    /// Entries below the screen; 0: follows the end.
    var back = 0
    /// The last entry on the screen where it does not follow: what happens meanwhile moves nothing.
    var anchor: EventLog.Entry?
}

/// Entries of the log in a window.
struct LogWindow {
    let entries: [EventLog.Entry]
    let clock: LocalClock
    let columns: Int
    let rows: Int

    /// The entries below the anchor, so that the screen is full if there are entries enough.
    func back(_ scroll: LogScroll) -> Int {
        guard scroll.back > 0 else { return 0 }
        let back = place(of: scroll.anchor).map { entries.count - 1 - $0 } ?? scroll.back
        return min(back, max(0, entries.count - max(1, countThatFit(entries[...]))))
    }

    /// The place of the same entry; if the queue's log replaced it, or a filter hides it, of the last one before it.
    private func place(of anchor: EventLog.Entry?) -> Int? {
        guard let anchor else { return nil }
        return entries.lastIndex(of: anchor) ?? entries.lastIndex { $0.time <= anchor.time }
    }

    func scrolled(_ scroll: LogScroll, by lines: Int) -> LogScroll {
        let new = LogScroll(back: back(LogScroll(back: back(scroll) - lines)))
        return LogScroll(back: new.back, anchor: new.back > 0 ? entries[entries.count - 1 - new.back] : nil)
    }

    /// The number of leading entries that fit into the window.
    private func countThatFit(_ entries: some Sequence<EventLog.Entry>) -> Int {
        var (room, count) = (rows, 0)
        for entry in entries {
            room -= LogView.lines(of: entry, clock, width: columns, rows: rows, .unicode).count
            guard room >= 0 else { break }
            count += 1
        }
        return count
    }

    /// Whether all entries are on the screen.
    var isWhole: Bool { countThatFit(entries[...]) >= entries.count }

    /// Lines to the next page, or to the one before; no entry is left out.
    /// - Parameters:
    ///   - step: -1 or 1.
    ///   - most: the most lines.
    func page(_ step: Int, from scroll: LogScroll, most: Int) -> Int {
        let end = entries.count - back(scroll)
        let count = step < 0 ? countThatFit(entries[..<end].reversed()) - 1 : countThatFit(entries[end...])
        return step * max(1, min(count, most))
    }
}
