// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Makes log entries of the events of transfers.
struct EventText {
    /// Limits of events before the screen was opened: their age in seconds, as lines have no date, and their number.
    private static let earlierAge = 12 * 3600.0, mostEarlier = 200

    let words: InterfaceWords
    let clock: LocalClock
    let keys: InterfaceWords.Keys

    /// - Parameters:
    ///   - what: happened to it.
    ///   - kind: `nil`: by its state.
    func entry(
        of transfer: Transfer, _ what: String, _ kind: EventLog.Kind? = nil, at time: Double,
        source: EventLog.Source = .update
    ) -> EventLog.Entry {
        var entry = EventLog.Entry(
            time: time, kind: kind ?? (transfer.state == .failed ? .failure : .event), id: transfer.id,
            title: EventLog.Entry.title(of: transfer), text: what, source: source)
        entry.sign = StateGlyph(transfer, now: time)
        entry.isBeginning = transfer.state == .running
        if transfer.state == .retrying {
            entry.retry = .init(number: transfer.attempt, cause: words.brief(transfer).first ?? "")
        }
        return entry
    }

    /// A time in the record of a transfer.
    private struct EarlierEvent {
        var time: Double
        var id: TransferID
        var isEnd: Bool

        static func isBefore(_ one: EarlierEvent, _ other: EarlierEvent) -> Bool {
            (one.time, one.id, one.isEnd ? 1 : 0) < (other.time, other.id, other.isEnd ? 1 : 0)
        }
    }

    /// When the transfers of the first list were added, and when they ended.
    func earlier(_ list: ListState, now: Double) -> [EventLog.Entry] {
        var found: [EarlierEvent] = []
        var least = max(0, now - Self.earlierAge)
        // The latest are behind.
        for id in list.order.reversed() {
            guard let transfer = list.transfers[id] else { continue }
            for (time, isEnd) in [(transfer.addedAt, false), (transfer.endedAt ?? 0, true)]
            where time > least && time <= now {
                found.append(EarlierEvent(time: time, id: id, isEnd: isEnd))
            }
            // A long list is cut to its latest events on the way.
            guard found.count >= 2 * Self.mostEarlier else { continue }
            found.sort(by: EarlierEvent.isBefore)
            found.removeFirst(found.count - Self.mostEarlier)
            least = found[0].time
        }
        found.sort(by: EarlierEvent.isBefore)
        return found.suffix(Self.mostEarlier).compactMap { event in
            guard let transfer = list.transfers[event.id] else { return nil }
            guard !event.isEnd else {
                return entry(of: transfer, happened(transfer, isNew: false, at: now), at: event.time)
            }
            return EventLog.Entry(
                time: event.time, kind: .event, id: event.id, title: EventLog.Entry.title(of: transfer), text: "added",
                source: .update, sign: .added)
        }
    }

    /// The text of an entry, without number and name.
    /// - Parameters:
    ///   - name: of the event, if it is known.
    ///   - time: from which times to go count.
    func happened(
        _ transfer: Transfer, isNew: Bool, _ name: TransferEvent.Name? = nil, at time: Double
    ) -> String {
        let around = RowText.Surroundings(now: time, clock: clock, words: words, keys: keys)
        return switch transfer.state {
        case .running where name == .restarted: words.brief(transfer).first ?? "starts again"
        case .running where name == .resumed && transfer.bytes > 0:
            "continues from \(ByteCount.short(Double(transfer.bytes)))"
        case .running: transfer.attempt > 1 ? "started, attempt \(transfer.attempt)" : "started"
        case .queued where isNew: "added"
        case .queued: name == .queued ? "queued again" : "resumed"
        case .paused where isNew: "added, paused"
        // The line begins with the time.
        case .completed: words.brief(transfer).first ?? RowText.taken(transfer).map { "done in \($0)" } ?? "done"
        default: RowText(transfer, around)?.texts.first ?? transfer.state.rawValue
        }
    }

    func entry(of entry: LogEntry) -> EventLog.Entry {
        let what = happened(entry.transfer, isNew: entry.isNew == true, entry.name, at: entry.time)
        return self.entry(of: entry.transfer, what, at: entry.time, source: .queue(entry.sequence))
    }
}
