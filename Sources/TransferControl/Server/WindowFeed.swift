// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel

/// When the changes of a window are sent: the first immediately, later ones at most four a second. Pure.
struct WindowPace {
    static let interval = 0.25
    private var last = -Double.infinity
    private var planned: Double?

    /// - Parameter due: the message is not needed before this time.
    /// - Returns: when the next message is sent; `nil` if one is planned early enough.
    mutating func plan(at now: Double, due: Double = -.infinity) -> Double? {
        let time = max(now, last + Self.interval, due)
        if let planned, planned <= time { return nil }
        planned = time
        return time
    }

    /// Whether the message of that time is still to be sent: an earlier one may have taken its place.
    func isPlanned(for time: Double) -> Bool { planned == time }

    mutating func sent(at now: Double) {
        last = now
        planned = nil
    }
}

/// The window of a subscription: follows the queue, and says what the client lacks.
final class WindowFeed: Sendable {
    private struct State {
        var request: WindowRequest
        var listing: QueueListing
        var transfers = TransferTable()
        /// The window as the client has it.
        var sent: QueueWindow?
        var pace = WindowPace()
        /// When a sorted list was sorted last, and when ages were counted: monotonic seconds.
        var sortedAt = -Double.infinity
        var agedAt = 0.0
        var isLoaded = false
    }

    /// Seconds between two orders of a sorted list, and between two counts of ages.
    private static let sortPeriod = 1.0, agePeriod = 10.0

    /// An element when there may be something to ``take()``; ends with the queue.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let state: Mutex<State>
    private let clock: CallClock
    /// Seconds since 1970.
    private let wallClock: @Sendable () -> Double

    init(
        _ request: WindowRequest, reason: @escaping @Sendable (Transfer) -> String?, clock: CallClock = .system,
        wallClock: @escaping @Sendable () -> Double
    ) {
        (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        var listing = QueueListing(reason: reason)
        listing.show(request.spec, agesFrom: wallClock()) { _ in nil }
        state = Mutex(State(request: request, listing: listing, agedAt: clock.now()))
        self.clock = clock
        self.wallClock = wallClock
    }

    /// Follows `queue` until it ends, or the task is cancelled.
    func follow(_ queue: any QueueClient) async {
        for await update in queue.updates() { receive(update) }
        signal.finish()
    }

    func receive(_ update: QueueUpdate) {
        let now = clock.now()
        let time = state.withLock { state -> Double? in
            switch update {
            case .snapshot(let snapshot):
                state.transfers = TransferTable(snapshot.transfers)
                state.listing.replaceAll(snapshot.transfers)
                state.isLoaded = true
            case .events(let events):
                for event in events {
                    state.transfers[event.transfer.id] = event.transfer
                    _ = state.listing.note(event.transfer)
                }
                state.listing.layOut()
            case .order(let order): state.listing.setOrder(order)
            case .removed(let ids):
                for id in ids { state.transfers[id] = nil }
                state.listing.remove(Set(ids))
            case .limits: return nil
            }
            return state.pace.plan(at: now)
        }
        if let time { signal(at: time, now) }
    }

    /// Another window takes the place of this one, and is sent immediately.
    func move(to request: WindowRequest) {
        state.withLock { state in
            state.request = request
            let transfers = state.transfers
            state.listing.show(request.spec, agesFrom: wallClock()) { transfers[$0] }
            state.listing.reorder()
            state.sortedAt = clock.now()
        }
        signal.yield()
    }

    /// Returns the changes that the client lacks, and treats them as sent; `nil` if there are none.
    func take() -> WindowUpdate? {
        let now = clock.now()
        let (update, time) = state.withLock { state -> (WindowUpdate?, Double?) in
            guard state.isLoaded else { return (nil, nil) }
            state.pace.sent(at: now)
            var due: Double?
            if state.listing.isOutdated {
                let next = state.sortedAt + Self.sortPeriod
                if next <= now {
                    state.listing.reorder()
                    state.sortedAt = now
                } else {
                    due = next
                }
            }
            if state.listing.hasAges {
                if now - state.agedAt >= Self.agePeriod {
                    state.agedAt = now
                    let transfers = state.transfers
                    state.listing.show(state.request.spec, agesFrom: wallClock()) { transfers[$0] }
                }
                due = min(due ?? .infinity, state.agedAt + Self.agePeriod)
            }
            let transfers = state.transfers
            let window = state.listing.window(state.request) { transfers[$0] }
            defer { state.sent = window }
            // From now on the row that has taken the anchor's place is meant.
            if let anchor = window.anchor {
                state.request.index = anchor
                state.request.anchor = state.request.anchor == nil ? nil : state.listing.row(anchor)
            }
            var time: Double?
            if let due { time = state.pace.plan(at: now, due: due) }
            return (window.update(since: state.sent), time)
        }
        if let time { signal(at: time, now) }
        return update
    }

    private func signal(at time: Double, _ now: Double) {
        guard time > now else {
            signal.yield()
            return
        }
        clock.schedule(time - now) { [weak self] in self?.signal(ifPlannedFor: time) }
    }

    private func signal(ifPlannedFor time: Double) {
        if state.withLock({ $0.pace.isPlanned(for: time) }) { signal.yield() }
    }
}
