// SPDX-License-Identifier: MIT

/// The open connections, their addresses, and which of them may be closed for new ones. A value: it closes nothing
/// itself.
///
/// A connection is busy during a request. An idle one waits for a request head or its TLS handshake: when the table is
/// full, the longest idle one is closed, so that clients that never finish a head cannot block others.
struct ConnectionTable<ID: Hashable> {
    /// The result of a new connection.
    enum Admission: Equatable {
        case admitted
        /// Admitted; close this other one.
        case replaces(ID)
        /// Rejected: all connections of its address are busy.
        case refused
    }

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

    mutating func open(_ id: ID, from address: String) -> Admission {
        events += 1
        let isOverAddressLimit = perAddress[address, default: 0] >= limitPerAddress
        let evicted =
            isOverAddressLimit
            ? oldestWaiting { $0.address == address }
            : entries.count + 1 >= limit ? oldestWaiting { _ in true } : nil
        if isOverAddressLimit, evicted == nil { return .refused }
        if let evicted { close(evicted) }
        entries[id] = Entry(address: address, since: events)
        perAddress[address, default: 0] += 1
        return evicted.map { .replaces($0) } ?? .admitted
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

    private func oldestWaiting(_ counts: (Entry) -> Bool) -> ID? {
        entries.filter { !$0.value.isBusy && counts($0.value) }.min { $0.value.since < $1.value.since }?.key
    }
}
