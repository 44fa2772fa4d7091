// SPDX-License-Identifier: MIT

/// Which connections stand, from where, and which of them may be ended for others. A value: it closes nothing itself.
///
/// A connection is busy while a request of it is carried out. One that is not waits for a head, or for its TLS
/// handshake: where no room is left, the one that has waited longest goes, so that clients that never finish a head
/// cannot keep others out.
struct ConnectionTable<ID: Hashable> {
    /// What a new connection leads to.
    enum Admission: Equatable {
        case admitted
        /// It is admitted; this other one is to be closed.
        case replaces(ID)
        /// It is to be closed: all that its address may have are busy.
        case refused
    }

    private struct Entry {
        var address: String
        var isBusy = false
        /// When it was opened or ended its last request, as a count of such events.
        var since: UInt64
    }

    /// Connections in all. The last place is kept free, as the one who waits outside is not seen.
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

    /// A request's head is here, or its response has been sent.
    mutating func setBusy(_ id: ID, _ isBusy: Bool) {
        events += 1
        entries[id]?.isBusy = isBusy
        entries[id]?.since = events
    }

    /// Unknown ids, as of connections that were replaced, are left alone.
    mutating func close(_ id: ID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        perAddress[entry.address] = perAddress[entry.address].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    private func oldestWaiting(_ counts: (Entry) -> Bool) -> ID? {
        entries.filter { !$0.value.isBusy && counts($0.value) }.min { $0.value.since < $1.value.since }?.key
    }
}
