// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The last events of a queue, numbered from 1. Pure.
///
/// An entry takes at most 280 bytes and shares its texts with the queue: 2.8 MB for all. Of transfers that the queue no
/// longer has, the texts stay as long as their entries, 300 bytes each: at most 6 MB in all, whatever has happened.
struct QueueLog: Sendable {
    static let capacity = 10_000

    /// Seconds since 1970.
    let began: Double
    /// A ring: the entry with the number n is at (n - 1) modulo ``capacity``.
    private var entries: [LogEntry] = []
    /// The number of the last one.
    private var latest: Int64 = 0

    init(began: Double) { self.began = began }

    private var oldest: Int64 { latest - Int64(entries.count) + 1 }

    /// - Parameters:
    ///   - name: progress and changes of single fields are not kept.
    ///   - isNew: whether the transfer was added.
    ///   - time: seconds since 1970.
    mutating func note(_ name: TransferEvent.Name, _ transfer: Transfer, isNew: Bool, at time: Double) {
        guard name != .progress, name != .changed else { return }
        // One that has ended and returns from the history; what happens to it follows.
        guard name != .queued || !transfer.state.isEnded else { return }
        latest += 1
        let entry = LogEntry(
            sequence: latest, time: time, name: name, isNew: isNew ? true : nil, transfer: transfer.forLog)
        guard entries.count == Self.capacity else {
            // Not in doublings: untouched memory is not there.
            if entries.isEmpty { entries.reserveCapacity(Self.capacity) }
            return entries.append(entry)
        }
        entries[Self.place(of: latest)] = entry
    }

    func page(_ query: LogQuery) -> LogPage {
        var page = LogPage(began: began, oldest: oldest, latest: latest, entries: [])
        let limit = min(max(1, query.limit), LogQuery.maximumLimit)
        // Both are in the range of the numbers, whatever was asked.
        let first = query.after.map { max(oldest, min($0, latest) + 1) } ?? oldest
        let last = query.before.map { min(latest, max($0, 1) - 1) } ?? latest
        guard first <= last else { return page }
        if query.after != nil {
            take(stride(from: first, through: last, by: 1), of: query.id, limit, into: &page)
        } else {
            take(stride(from: last, through: first, by: -1), of: query.id, limit, into: &page)
            page.entries.reverse()
        }
        return page
    }

    private func take(
        _ numbers: StrideThrough<Int64>, of id: TransferID?, _ limit: Int, into page: inout LogPage
    ) {
        for number in numbers {
            let place = Self.place(of: number)
            if let id, entries[place].transfer.id != id { continue }
            page.entries.append(entries[place])
            if page.entries.count == limit { return }
        }
    }

    private static func place(of number: Int64) -> Int { Int((number - 1) % Int64(capacity)) }
}

extension Transfer {
    /// Without what is large, and of no use to a reader of the log.
    fileprivate var forLog: Transfer {
        var kept = self
        kept.checkpoint = nil
        kept.dropMetrics()
        return kept
    }
}

extension QueueCore {
    func log(_ query: LogQuery) async throws -> LogPage {
        guard let page = await run({ $0.log?.page(query) }) else {
            throw TransferError(.usage, "this queue keeps no log", fields: .init(variant: .noLog))
        }
        return page
    }
}
