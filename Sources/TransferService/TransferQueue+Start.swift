// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
package import TransferModel

/// Which transfers may start.
extension TransferQueue {
    /// The number of transfers waiting for the network above which no more are started: enough for several hosts, some
    /// of which are reachable, and few enough for each to attempt now and then.
    static let maximumWaiting = 64

    /// The next transfer with a slot: the first in order whose start time has come and whose host has a slot.
    ///
    /// A paused or retrying transfer never blocks those behind it, nor does a waiting one, up to ``maximumWaiting``. A
    /// discretionary one starts while no other runs or is queued; then it continues whatever is added.
    /// - Parameter now: seconds since 1970.
    package mutating func nextToStart(at now: Double) -> TransferID? {
        admitDue(now)
        guard hasSlot, waiting < Self.maximumWaiting else { return nil }
        if let id = ordinary.first { return id }
        return isNetworkFree ? heldForFreeNetwork : nil
    }

    /// The next transfer whose time has come, whether it has a place or not; no discretionary one.
    package mutating func nextInLine(at now: Double) -> TransferID? {
        admitDue(now)
        return waiting < Self.maximumWaiting ? ordinary.first : nil
    }

    /// Its path, where nothing has happened to it yet and nothing is special about it but its address and its file.
    @inline(__always) package func fileIfFresh(_ id: TransferID) -> String? {
        guard let index = entries.index(forKey: id) else { return nil }
        return entries[at: index].transfer.fileIfFresh
    }

    /// Drops what is known of a finished transfer beyond its result.
    mutating func dropMetrics(of id: TransferID) {
        guard let index = entries.index(forKey: id) else { return }
        entries[at: index].transfer.dropMetrics()
    }

    /// Takes a queued transfer out of its line: the transport starts it when there is a slot.
    package mutating func reserve(_ id: TransferID) {
        guard let index = entries.index(forKey: id), entries[at: index].mayStart else { return }
        dequeue(id)
        entries[at: index].isReserved = true
        reserved += 1
    }

    /// Puts it back in line.
    package mutating func unreserve(_ id: TransferID) {
        guard let index = entries.index(forKey: id), entries[at: index].isReserved else { return }
        entries[at: index].isReserved = false
        reserved -= 1
        enqueue(id)
    }

    /// About the next `count` transfers to start, for prefetching.
    package func upcoming(_ count: Int) -> [TransferID] {
        Array((ordinary.leading(count) + discretionary.leading(count)).prefix(count))
    }

    /// Seconds since 1970: when to call ``nextToStart(at:)`` again although nothing has happened.
    package var nextWake: Double? { later.first?.rank }

    /// The transfer that would start now if the network were free of cost.
    package var heldForFreeNetwork: TransferID? {
        guard ordinary.isEmpty, reserved == 0, occupiedByOrdinary == 0, hasSlot, waiting < Self.maximumWaiting else {
            return nil
        }
        return discretionary.first
    }

    /// Whether a slot is free.
    var hasSlot: Bool { occupied < slots }

    /// How many may run at the same time now.
    var slots: Int { min(limits.concurrent, ceiling ?? .max) }

    /// Whether a slot is free for this transfer.
    func hasSlot(for id: TransferID) -> Bool {
        guard hasSlot, let transfer = self[id] else { return false }
        return occupiedByHost[hostKey(of: transfer), default: 0] < limits.perHost ?? .max
    }

    // MARK: Lines

    mutating func enqueue(_ id: TransferID) {
        guard let index = entries.index(forKey: id), entries[at: index].mayStart,
            !isSuspectRunning || !suspects.contains(id)
        else { return }
        if let time = entries[at: index].transfer.earliestBegin {
            later.set(id, time)
            entries[at: index].line = .later
        } else {
            joinHosts(id, index)
        }
    }

    private mutating func joinHosts(_ id: TransferID, _ index: Int) {
        let host = hostKey(ofEntryAt: index)
        if entries[at: index].transfer.isDiscretionary {
            discretionary.add(id, entries[at: index].rank, host: host)
            entries[at: index].line = .discretionary
        } else {
            ordinary.add(id, entries[at: index].rank, host: host)
            entries[at: index].line = .ordinary
        }
    }

    mutating func dequeue(_ id: TransferID) {
        guard let index = entries.index(forKey: id) else { return }
        switch entries[at: index].line {
        case .none: return
        case .later: later.remove(id)
        case .ordinary: ordinary.remove(id, host: hostKey(ofEntryAt: index))
        case .discretionary: discretionary.remove(id, host: hostKey(ofEntryAt: index))
        }
        entries[at: index].line = .none
    }

    private func hostKey(ofEntryAt index: Int) -> String {
        limits.perHost == nil ? "" : Self.host(of: entries[at: index].transfer.url)
    }

    private mutating func admitDue(_ now: Double) {
        while let (id, time) = later.first, time <= now, let index = entries.index(forKey: id) {
            later.remove(id)
            joinHosts(id, index)
        }
    }

    /// Rebuilds the queues and counts after the key of hosts has changed.
    mutating func rebuildQueues() {
        (ordinary, discretionary, later, occupiedByHost) = (.init(), .init(), .init(), [:])
        (occupied, occupiedByOrdinary) = (0, 0)
        for id in entries.allKeys {
            guard let index = entries.index(forKey: id) else { continue }
            entries[at: index].line = .none
            let entry = entries[at: index]
            if entry.occupiesSlot { occupy(entry.transfer, 1) }
            enqueue(id)
        }
    }

    // MARK: Places

    mutating func occupy(_ transfer: Transfer, _ change: Int) {
        occupied += change
        if !transfer.isDiscretionary { occupiedByOrdinary += change }
        guard let limit = limits.perHost else { return }
        let host = hostKey(of: transfer)
        let count = occupiedByHost[host, default: 0] + change
        occupiedByHost[host] = count == 0 ? nil : count
        ordinary.setFull(count >= limit, host: host)
        discretionary.setFull(count >= limit, host: host)
    }

    /// One name for all if hosts are not limited.
    private func hostKey(of transfer: Transfer) -> String {
        limits.perHost == nil ? "" : Self.host(of: transfer.url)
    }

    /// The host of a URL, in lower case and without its port; a URL without one counts as its own host.
    static func host(of url: String) -> String {
        // In the form that TransferURL prints: no user information, a slash after the authority.
        let bytes = url.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return url }
        let authority = bytes[colon...].dropFirst(3).prefix { $0 != UInt8(ascii: "/") }
        // An IPv6 literal has colons, in brackets.
        let port = authority.last == UInt8(ascii: "]") ? nil : authority.lastIndex(of: UInt8(ascii: ":"))
        return String(Substring(authority[..<(port ?? authority.endIndex)])).lowercased()
    }
}

extension Transfer {
    fileprivate var fileIfFresh: String? {
        attempt == 1 && progress.bytes == 0 && rateLimit == nil && terms?.areUsual ?? true ? file : nil
    }

    /// Not by reading them, which would copy them.
    mutating func dropMetrics() {
        switch status {
        case .completed(var end):
            end.metrics = nil
            status = .completed(end)
        case .failed(var end, let error, let question):
            end.metrics = nil
            status = .failed(end, error, question)
        case .cancelled(var end, let error, let origin):
            end.metrics = nil
            status = .cancelled(end, error, origin)
        default: break
        }
    }
}
