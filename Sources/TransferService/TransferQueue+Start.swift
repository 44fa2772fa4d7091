// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
package import TransferModel

/// Who may start.
extension TransferQueue {
    /// How many may wait for the network before no more are started: enough for several hosts, of which some can be
    /// reached, and few enough for each to try now and then.
    static let maximumWaiting = 64

    /// The next transfer that has a place: of those whose time has come and whose host has a place, the first in order.
    ///
    /// A paused or retrying one never holds up those behind it, nor does one that waits, but for very many of them. A
    /// discretionary one starts while no other runs or is in line to; then it goes on whatever is added.
    /// - Parameter now: seconds since 1970.
    package mutating func nextToStart(at now: Double) -> TransferID? {
        admitDue(now)
        guard hasPlace, waiting < Self.maximumWaiting else { return nil }
        if let id = ordinary.first { return id }
        return isNetworkFree ? heldForFreeNetwork : nil
    }

    /// The next transfer whose time has come, whether it has a place or not; no discretionary one.
    package mutating func nextInLine(at now: Double) -> TransferID? {
        admitDue(now)
        return waiting < Self.maximumWaiting ? ordinary.first : nil
    }

    /// Its path, where nothing has happened to it yet and nothing is special about it but its address and its file.
    package func fileIfFresh(_ id: TransferID) -> String? {
        guard let index = entries.index(forKey: id) else { return nil }
        return entries.values[index].transfer.fileIfFresh
    }

    /// Drops what is known of a finished transfer beyond its result.
    mutating func dropMetrics(of id: TransferID) {
        guard let index = entries.index(forKey: id) else { return }
        entries.values[index].transfer.dropMetrics()
    }

    /// Takes a queued transfer out of its line: the transport starts it when there is a slot.
    package mutating func reserve(_ id: TransferID) {
        guard let index = entries.index(forKey: id), entries.values[index].mayStart else { return }
        leaveLine(id)
        entries.values[index].isReserved = true
        reserved += 1
    }

    /// Puts it back in line.
    package mutating func unreserve(_ id: TransferID) {
        guard let index = entries.index(forKey: id), entries.values[index].isReserved else { return }
        entries.values[index].isReserved = false
        reserved -= 1
        lineUp(id)
    }

    /// About those that start next, at most so many: for what is prepared ahead.
    package func upcoming(_ count: Int) -> [TransferID] {
        Array((ordinary.leading(count) + discretionary.leading(count)).prefix(count))
    }

    /// Seconds since 1970: when to ask ``nextToStart(at:)`` again although nothing has happened.
    package var nextWake: Double? { later.first?.rank }

    /// Whoever would start now if the network cost nothing.
    package var heldForFreeNetwork: TransferID? {
        guard ordinary.isEmpty, reserved == 0, occupiedByOrdinary == 0, hasPlace, waiting < Self.maximumWaiting else {
            return nil
        }
        return discretionary.first
    }

    /// Whether one more may run.
    var hasPlace: Bool { occupied < limits.concurrent }

    /// Whether this one may run now, as far as places go.
    func hasPlace(for id: TransferID) -> Bool {
        guard hasPlace, let transfer = self[id] else { return false }
        return occupiedByHost[lineName(of: transfer), default: 0] < limits.perHost ?? .max
    }

    // MARK: Lines

    mutating func lineUp(_ id: TransferID) {
        guard let index = entries.index(forKey: id), entries.values[index].mayStart,
            !isSuspectRunning || !suspects.contains(id)
        else { return }
        if let time = entries.values[index].transfer.earliestBegin {
            later.set(id, time)
            entries.values[index].line = .later
        } else {
            joinHosts(id, index)
        }
    }

    private mutating func joinHosts(_ id: TransferID, _ index: Dictionary<TransferID, Entry>.Index) {
        let host = lineName(ofEntryAt: index)
        if entries.values[index].transfer.isDiscretionary {
            discretionary.add(id, entries.values[index].rank, host: host)
            entries.values[index].line = .discretionary
        } else {
            ordinary.add(id, entries.values[index].rank, host: host)
            entries.values[index].line = .ordinary
        }
    }

    mutating func leaveLine(_ id: TransferID) {
        guard let index = entries.index(forKey: id) else { return }
        switch entries.values[index].line {
        case .none: return
        case .later: later.remove(id)
        case .ordinary: ordinary.remove(id, host: lineName(ofEntryAt: index))
        case .discretionary: discretionary.remove(id, host: lineName(ofEntryAt: index))
        }
        entries.values[index].line = .none
    }

    private func lineName(ofEntryAt index: Dictionary<TransferID, Entry>.Index) -> String {
        limits.perHost == nil ? "" : Self.host(of: entries.values[index].transfer.url)
    }

    private mutating func admitDue(_ now: Double) {
        while let (id, time) = later.first, time <= now, let index = entries.index(forKey: id) {
            later.remove(id)
            joinHosts(id, index)
        }
    }

    /// What lines and places by host are kept under has changed.
    mutating func lineUpAnew() {
        (ordinary, discretionary, later, occupiedByHost) = (.init(), .init(), .init(), [:])
        (occupied, occupiedByOrdinary) = (0, 0)
        for (id, entry) in entries {
            entries[id]?.line = .none
            if entry.occupiesPlace { occupy(entry.transfer, 1) }
            lineUp(id)
        }
    }

    // MARK: Places

    mutating func occupy(_ transfer: Transfer, _ change: Int) {
        occupied += change
        if !transfer.isDiscretionary { occupiedByOrdinary += change }
        guard let limit = limits.perHost else { return }
        let host = lineName(of: transfer)
        let count = occupiedByHost[host, default: 0] + change
        occupiedByHost[host] = count == 0 ? nil : count
        ordinary.setFull(count >= limit, host: host)
        discretionary.setFull(count >= limit, host: host)
    }

    /// One line for all where hosts are not limited.
    private func lineName(of transfer: Transfer) -> String {
        limits.perHost == nil ? "" : Self.host(of: transfer.url)
    }

    /// The host of an address, in lower case and without its port; what has none is a host of its own.
    static func host(of url: String) -> String {
        // As TransferURL prints it: no user information, a slash behind the authority.
        let bytes = url.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return url }
        let authority = bytes[colon...].dropFirst(3).prefix { $0 != UInt8(ascii: "/") }
        // A literal IPv6 address has colons of its own, in brackets.
        let port = authority.last == UInt8(ascii: "]") ? nil : authority.lastIndex(of: UInt8(ascii: ":"))
        return String(Substring(authority[..<(port ?? authority.endIndex)])).lowercased()
    }
}

extension Transfer {
    fileprivate var fileIfFresh: String? {
        attempt == 1 && progress.bytes == 0 && rateLimit == nil && terms == nil ? file : nil
    }

    fileprivate mutating func dropMetrics() {
        guard case .completed(var end) = status else { return }
        end.metrics = nil
        status = .completed(end)
    }
}
