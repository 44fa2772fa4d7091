// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Which numbers of the queue's log are loaded, and what to ask for next. Pure.
///
/// Asks for nothing while no log is on the screen. A new screen begins with the latest events; then come those that
/// follow, and earlier ones as the user scrolls back or looks for words.
struct LogFeed: Hashable, Sendable {
    static let page = 500

    /// What the screen shows.
    struct Demand: Hashable, Sendable {
        /// Whether it shows a log.
        var isShown = false
        /// Whether the oldest loaded line is near, or lines are searched.
        var needsEarlier = false
        /// The transfer whose own log is shown.
        var item: TransferID?
    }

    /// When the queue began, in seconds since 1970; `nil`: nothing is loaded.
    private(set) var began: Double?
    /// All events from this number on are loaded, up to ``last``. The two say so of none if `last` is lower.
    private var first: Int64 = 1
    private var last: Int64 = 0
    /// The oldest that the queue keeps.
    private var oldest: Int64 = 1
    /// Transfers of which all earlier events are loaded.
    private var items: Set<TransferID> = []
    private var wasShown = false
    private var isStale = true
    private var isAsked = false
    /// The last request failed: the next one waits for a reason.
    private var hasFailed = false
    /// The queue keeps no log.
    private var isRefused = false

    private var isComplete: Bool { first <= oldest }

    /// Something happened that the queue logs.
    mutating func becomesStale() { (isStale, hasFailed) = (true, false) }

    /// Perhaps to another service, which has a log.
    mutating func reconnected() {
        becomesStale()
        (isAsked, isRefused) = (false, false)
    }

    /// The request to send now; it then counts as sent.
    mutating func request(_ demand: Demand) -> LogQuery? {
        if demand.isShown, !wasShown { becomesStale() }
        wasShown = demand.isShown
        guard demand.isShown, !isAsked, !hasFailed, !isRefused else { return nil }
        guard let query = next(demand) else { return nil }
        isAsked = true
        return query
    }

    private mutating func next(_ demand: Demand) -> LogQuery? {
        if isStale {
            isStale = false
            return last == 0 ? LogQuery(limit: Self.page) : LogQuery(after: last, limit: LogQuery.maximumLimit)
        }
        guard began != nil, !isComplete else { return nil }
        if let item = demand.item, !items.contains(item) {
            return LogQuery(before: first, id: item, limit: LogQuery.maximumLimit)
        }
        return demand.needsEarlier ? LogQuery(before: first, limit: Self.page) : nil
    }

    enum Reception: Hashable {
        /// The numbers follow on those that are loaded.
        case continues
        /// Another process has the queue: its numbers begin again.
        case begins
        /// The numbers of the request were those of another process: it is sent again.
        case outdated
    }

    mutating func receive(_ page: LogPage, of query: LogQuery) -> Reception {
        isAsked = false
        let isOther = began != page.began
        if isOther {
            (began, first, last, items) = (page.began, 1, 0, [])
            if query.after != nil || query.before != nil {
                began = nil
                isStale = true
                return .outdated
            }
        }
        oldest = page.oldest
        // Those of one transfer leave gaps.
        if let item = query.id {
            items.insert(item)
            return .continues
        }
        let least = page.entries.first?.sequence
        if query.after != nil {
            last = page.entries.last?.sequence ?? max(last, page.latest)
            if last < page.latest { isStale = true }
        } else if query.before != nil {
            first = page.entries.count < query.limit ? oldest : least ?? oldest
        } else {
            (first, last) = (least ?? page.latest + 1, page.latest)
        }
        return isOther ? .begins : .continues
    }

    /// - Parameter isFinal: there is no log; otherwise the next event, or showing it again, asks again.
    mutating func failed(isFinal: Bool) {
        // What it would have loaded may be missing at the end.
        (isAsked, isStale, hasFailed) = (false, true, true)
        isRefused = isFinal
    }
}
