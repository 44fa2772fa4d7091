// SPDX-License-Identifier: MIT

/// The open connections, their addresses, and which of them may be closed for new ones. A value: it closes nothing
/// itself.
///
/// A connection is busy during a request. An idle one waits for a request head or its TLS handshake: when the table is
/// full, the longest idle one is closed, so that clients that never finish a head cannot block others. If all are busy,
/// it is the slowest of those that are too slow, so that neither can clients that never finish a request.
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
    }

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

    mutating func open(_ id: ID, from address: String, slowness: Slowness = { _ in nil }) -> Admission {
        events += 1
        let isOverAddressLimit = perAddress[address, default: 0] >= limitPerAddress
        let evicted =
            isOverAddressLimit
            ? replaceable(slowness) { $0.address == address }
            : entries.count + 1 >= limit ? replaceable(slowness) { _ in true } : nil
        if isOverAddressLimit, evicted == nil { return .refused }
        if let evicted { close(evicted) }
        entries[id] = Entry(address: address, since: events)
        perAddress[address, default: 0] += 1
        return evicted.map { .replaces($0) } ?? .admitted
    }

    /// Frees the last slot of a full table, if a connection may be closed.
    /// - Returns: the one to close.
    mutating func makeRoom(slowness: Slowness) -> ID? {
        guard isFull, let evicted = replaceable(slowness, { _ in true }) else { return nil }
        close(evicted)
        return evicted
    }

    /// A request head was received, or its response sent.
    mutating func setBusy(_ id: ID, _ isBusy: Bool) {
        events += 1
        entries[id]?.isBusy = isBusy
        entries[id]?.since = events
    }

    /// Ignores unknown IDs, such as replaced connections.
    mutating func close(_ id: ID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        perAddress[entry.address] = perAddress[entry.address].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    private func replaceable(_ slowness: Slowness, _ counts: (Entry) -> Bool) -> ID? {
        let candidates = entries.filter { counts($0.value) }
        if let idle = candidates.filter({ !$0.value.isBusy }).min(by: { $0.value.since < $1.value.since }) {
            return idle.key
        }
        var slowest: (id: ID, rate: Double)?
        for id in candidates.keys {
            guard let rate = slowness(id), rate < slowest?.rate ?? .infinity else { continue }
            slowest = (id, rate)
        }
        return slowest?.id
    }
}
