// SPDX-License-Identifier: MIT

import TransferControl
package import TransferModel

/// Why a queued or running transfer does not move, as far as its record does not say so.
package enum Holdup: Sendable, Hashable {
    /// It starts at a time, in so long.
    case time(String, in: String)
    /// It starts next. All of so many slots are taken; `nil`: one is free.
    case next(taken: Int?)
    /// Others are before it, and all of so many slots are taken.
    case slots(Int)
    /// The host has all of so many slots that it may have.
    case host(String, Int)
    /// It starts after these transfers.
    case predecessors([TransferID])
    /// It starts when no other transfer runs.
    case others
    /// All bytes are sent; no response for so long.
    case response(String)
    /// No byte for so long.
    case silence(String, isUpload: Bool)
}

extension Transfer {
    /// While it runs, when its last byte moved, in seconds since 1970: as the queue reports it, else when an update had
    /// others than `known`, which was updated at `time`.
    func lastMoved(since known: Transfer?, at time: Double?, now: Double) -> Double? {
        guard state == .running else { return nil }
        if let silentSince = pace?.silentSince { return min(now, silentSince) }
        guard let time, known?.bytes == bytes, known?.attempt == attempt else { return now }
        return time
    }
}

extension RowText.Surroundings {
    func holdup(of transfer: Transfer) -> Holdup? {
        switch transfer.state {
        case .queued: queued(transfer)
        case .running: running(transfer)
        case .waiting, .retrying, .paused, .verifying, .completed, .failed, .cancelled: nil
        }
    }

    private func running(_ transfer: Transfer) -> Holdup? {
        guard let moved = lastMoved[transfer.id] else { return nil }
        let isUpload = transfer.kind == .upload
        if isUpload, let total = transfer.total, total > 0, transfer.bytes >= total {
            // Most servers respond sooner.
            return now - moved < 1 ? nil : .response(TimeText.clock(now - moved))
        }
        guard now - moved >= RowText.silence else { return nil }
        return .silence(TimeText.clock(now - moved), isUpload: isUpload)
    }

    private func queued(_ transfer: Transfer) -> Holdup? {
        if let begin = transfer.earliestBegin, begin > now {
            return .time(clock.text(begin, now: now), in: TimeText.clock(begin - now))
        }
        if let after = transfer.after { return .predecessors(after) }
        let isFull = takenSlots >= slots
        if transfer.id == next { return .next(taken: isFull ? slots : nil) }
        if let perHost, let host = DisplayName.host(of: transfer), fullHosts.contains(host) {
            return .host(host, perHost)
        }
        if transfer.isDiscretionary { return .others }
        return isFull ? .slots(slots) : nil
    }

    /// Takes from a queue which transfer starts next, and which slots are taken.
    /// - Parameters:
    ///   - order: of the queue; of the queued ones alone is enough.
    ///   - occupying: those that have slots.
    ///   - taken: slots.
    mutating func read(
        _ order: [TransferID], occupying: some Sequence<Transfer>, _ limits: QueueLimits, taken: Int,
        transfer: (TransferID) -> Transfer?
    ) {
        (takenSlots, slots, perHost) = (taken, limits.concurrent, limits.perHost)
        var running: [String: Int] = [:]
        if limits.perHost != nil {
            for transfer in occupying {
                if let host = DisplayName.host(of: transfer) { running[host, default: 0] += 1 }
            }
        }
        let full = Set(running.filter { $0.value >= limits.perHost ?? .max }.keys)
        let now = now
        fullHosts = full
        next = order.first { id in
            guard let candidate = transfer(id), candidate.state == .queued, !candidate.isDiscretionary,
                candidate.earliestBegin ?? 0 <= now, candidate.after == nil
            else { return false }
            return full.isEmpty || !(DisplayName.host(of: candidate).map(full.contains) ?? false)
        }
    }
}

extension InterfaceState {
    /// Why a transfer does not move, as far as its record does not say so, in words.
    func held(_ transfer: Transfer) -> InterfaceWords.Held? {
        // Others depend on nothing else in the queue.
        let around =
            transfer.state == .queued
            ? surroundings
            : RowText.Surroundings(now: now, clock: setup.clock, words: setup.words, lastMoved: list.lastMoved)
        return around.holdup(of: transfer).flatMap { setup.words.held($0, setup.keyMap.words) }
    }
}
