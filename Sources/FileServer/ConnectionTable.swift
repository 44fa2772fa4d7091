// SPDX-License-Identifier: MIT

/// The open connections, their addresses, and which of them may be closed for new ones. A value: it closes nothing
/// itself.
///
/// A connection is busy during a request. An idle one waits for a request head or its TLS handshake: when the table is
/// full, the longest idle one is closed, so that clients that never finish a head cannot block others. If all are busy,
/// it is the slowest of those that are too slow, so that neither can clients that never finish a request. Times are
/// seconds since any fixed moment.
struct ConnectionTable<ID: Hashable> {
    /// The result of a new connection.
    enum Admission: Equatable {
        case admitted
        /// Admitted; close this other one.
        case replaces(ID)
        /// Rejected: all connections of its address are busy.
        case refused
    }

    /// Bytes per second of a busy connection that is too slow, else `nil`.
    typealias Slowness = (ID) -> Double?

    private struct Entry {
        var address: String
        var isBusy = false
        /// When it was opened or finished its last request, as a sequence number.
        var since: UInt64
        /// The time of ``since``.
        var time: Double
    }

    /// Seconds for which an idle connection is not closed unless another one has arrived.
    static var leastIdleSeconds: Double { 5 }

    /// Maximum connections. The last slot stays free, since a connection in the backlog is not visible.
    let limit: Int
    let limitPerAddress: Int
    private var entries: [ID: Entry] = [:]
    private var perAddress: [String: Int] = [:]
    private var events: UInt64 = 0

    init(limit: Int, limitPerAddress: Int) {
        self.limit = limit
        self.limitPerAddress = limitPerAddress
    }

    var ids: [ID] { Array(entries.keys) }

    /// No slot is free, so that the listener accepts nothing.
    var isFull: Bool { entries.count >= limit }

    mutating func open(
        _ id: ID, from address: String, at now: Double = 0, slowness: Slowness = { _ in nil }
    ) -> Admission {
        events += 1
        let isOverAddressLimit = perAddress[address, default: 0] >= limitPerAddress
        let evicted =
            isOverAddressLimit
            ? replaceable(slowness, idleUntil: now) { $0.address == address }
            : entries.count + 1 >= limit ? replaceable(slowness, idleUntil: now) { _ in true } : nil
        if isOverAddressLimit, evicted == nil { return .refused }
        if let evicted { close(evicted) }
        entries[id] = Entry(address: address, since: events, time: now)
        perAddress[address, default: 0] += 1
        return evicted.map { .replaces($0) } ?? .admitted
    }

    /// Frees the last slot of a full table, if a connection may be closed. No other one has arrived, as far as can be
    /// seen, so one that has just become idle stays for ``leastIdleSeconds``: its request may be under way.
    /// - Returns: the one to close.
    mutating func makeRoom(at now: Double, slowness: Slowness) -> ID? {
        guard isFull, let evicted = replaceable(slowness, idleUntil: now - Self.leastIdleSeconds, { _ in true }) else {
            return nil
        }
        close(evicted)
        return evicted
    }

    /// A request head was received, or its response sent.
    mutating func setBusy(_ id: ID, _ isBusy: Bool, at now: Double = 0) {
        events += 1
        entries[id]?.isBusy = isBusy
        entries[id]?.since = events
        entries[id]?.time = now
    }

    /// Ignores unknown IDs, such as replaced connections.
    mutating func close(_ id: ID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        perAddress[entry.address] = perAddress[entry.address].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    /// - Parameter end: when a connection must have become idle at the latest.
    private func replaceable(
        _ slowness: Slowness, idleUntil end: Double, _ counts: (Entry) -> Bool
    ) -> ID? {
        let candidates = entries.filter { counts($0.value) }
        let idle = candidates.filter { !$0.value.isBusy && $0.value.time <= end }
        if let longest = idle.min(by: { $0.value.since < $1.value.since }) { return longest.key }
        var slowest: (id: ID, rate: Double)?
        for id in candidates.keys {
            guard let rate = slowness(id), rate < slowest?.rate ?? .infinity else { continue }
            slowest = (id, rate)
        }
        return slowest?.id
    }
}
