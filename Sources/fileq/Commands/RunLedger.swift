// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The state of a run's transfers: takes queue updates, returns events and at the end an exit code. No I/O.
///
/// Every transfer ends exactly once, with `completed`, `failed` or `cancelled`, whatever the queue reports.
struct RunLedger {
    /// In command-line order.
    private let order: [TransferID]
    /// Those that have not ended.
    private var known: [TransferID: Transfer] = [:]
    /// How the others ended: 0, or the exit code.
    private var ended: [TransferID: Int32] = [:]

    init(order: [TransferID]) {
        self.order = order
        // Growing, a long list would be in memory twice.
        known.reserveCapacity(order.count)
        ended.reserveCapacity(order.count)
    }

    /// The code of transfers that end because the run is ended by a signal.
    var stopCode = TransferError.Code.interrupted

    var isFinished: Bool { ended.count == order.count }

    /// Whether every transfer has completed.
    var isSuccess: Bool { order.allSatisfy { ended[$0] == 0 } }

    /// - Parameters:
    ///   - now: seconds since 1970, for what the queue does not date.
    ///   - isStopping: whether the run is stopping; then a pause is part of stopping, not an end.
    mutating func take(_ update: QueueUpdate, now: Double, isStopping: Bool) -> [TransferEvent] {
        switch update {
        case .events(let events):
            return events.compactMap { note($0, isStopping: isStopping) }
        case .snapshot(let snapshot):
            return snapshot.transfers.compactMap { transfer in
                let name = eventName(for: transfer)
                return name.flatMap {
                    note(TransferEvent(time: now, name: $0, transfer: transfer), isStopping: isStopping)
                }
            }
        case .removed(let ids):
            return ids.compactMap { end($0, at: now, reason: "removed from the queue") }
        case .order, .limits:
            return []
        }
    }

    /// Ends all unfinished transfers, because the queue sends no more updates.
    mutating func close(now: Double, reason: String) -> [TransferEvent] {
        order.compactMap { end($0, at: now, reason: reason) }
    }

    /// The first transfer, in command-line order, that did not complete, and its code; `nil` if all have. One that has
    /// not ended, or of which nothing was ever reported, has not completed.
    var firstFailure: (position: Int, code: Int32)? {
        for (position, id) in order.enumerated() {
            let code = ended[id] ?? Self.interrupted
            if code != 0 { return (position, code) }
        }
        return nil
    }

    /// The code of ``firstFailure``, or 0.
    var exitCode: Int32 { firstFailure?.code ?? 0 }

    private static let interrupted = Int32(TransferError.Code.interrupted.rawValue)

    private static func exitCode(_ transfer: Transfer) -> Int32 {
        switch transfer.state {
        case .failed: Int32((transfer.error?.code ?? .other).rawValue)
        case .cancelled: interrupted
        default: 0
        }
    }

    private mutating func note(_ event: TransferEvent, isStopping: Bool) -> TransferEvent? {
        let id = event.transfer.id
        guard ended[id] == nil else { return nil }
        var event = event
        // It cannot be resumed here, so a transfer that the queue pauses for an error has failed.
        if event.transfer.state == .paused, let error = event.transfer.error, !isStopping {
            event.name = .failed
            event.transfer.status = .failed(.init(note: event.transfer.status.note), error)
        }
        // The queue does not know by what the run is ended.
        if stopCode != .interrupted, case .cancelled(let end, let error?, let origin) = event.transfer.status,
            error.code == .interrupted
        {
            event.transfer.status = .cancelled(end, TransferError(stopCode, "terminated", fields: error.fields), origin)
        }
        event.transfer = ConsentAdvice.added(to: event.transfer)
        guard event.transfer.state.isEnded else {
            known[id] = event.transfer
            return event
        }
        known[id] = nil
        ended[id] = Self.exitCode(event.transfer)
        // A table keeps its size otherwise.
        if known.capacity > 1024, known.count < known.capacity / 4 { known = known.filter { _ in true } }
        return event
    }

    private mutating func end(_ id: TransferID, at time: Double, reason: String) -> TransferEvent? {
        guard ended[id] == nil, var transfer = known[id] else { return nil }
        transfer.status = .cancelled(
            .init(at: transfer.endedAt, note: .text(reason), metrics: transfer.metrics), transfer.error)
        return note(TransferEvent(time: time, name: .cancelled, transfer: transfer), isStopping: true)
    }

    /// The event for the change of `transfer`; `nil` if at most its figures differ.
    private func eventName(for transfer: Transfer) -> TransferEvent.Name? {
        let before = known[transfer.id]
        guard before?.state != transfer.state else { return before == transfer ? nil : .progress }
        switch transfer.state {
        case .queued: return .queued
        case .running: return .started
        case .waiting: return .waiting
        case .retrying: return .retrying
        case .paused: return .paused
        case .verifying: return .verifying
        case .completed: return .completed
        case .failed: return .failed
        case .cancelled: return .cancelled
        }
    }
}
