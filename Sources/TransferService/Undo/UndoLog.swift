// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The last commands that can be reverted, with their inverses. Pure.
struct UndoLog: Sendable {
    /// A part of an inverse, in the order in which the parts apply.
    enum Step: Sendable, Hashable {
        /// Only for the transfers in one of these states: those that the command changed, and nothing since.
        case perform(QueueCommand, [TransferID], in: Set<TransferState>)
        /// Back into the history.
        case unclear([TransferID])
        /// Back into the list, from the history.
        case relist([TransferID])
        case places([TransferQueue.OldPlace])
        case limits(QueueLimits)
        case timetable(LimitTimetable)
        /// The whole queue, and what is added: see ``TransferControl/QueueLimits/isHeld``.
        case held(Bool)
        /// As it was described before, and of one that had failed where it stood: a retry followed on the change.
        case describe(TransferID, Spec, OldStanding?)
        /// Only of the transfers in one of these states, as in ``perform(_:_:in:)``.
        case standings([OldStanding], in: Set<TransferState>)

        var isHold: Bool {
            if case .held = self { true } else { false }
        }
    }

    /// Where a transfer stood that no command of its own leads back to.
    struct OldStanding: Sendable, Hashable {
        var id: TransferID
        var status: TransferStatus
        var attempt: Int

        init(_ transfer: Transfer) { (id, status, attempt) = (transfer.id, transfer.status, transfer.attempt) }
    }

    struct Entry: Sendable, Hashable {
        /// The word of the control protocol.
        var command: String
        /// Seconds since 1970.
        var performedAt: Double
        var steps: [Step]
        /// See ``TransferControl/Relocation/group``.
        var group: String?
        /// Why the first step could not be reverted when it was last tried.
        var failure: TransferError?
    }

    private var entries: [(entry: Entry, until: Double)] = []

    /// - Parameters:
    ///   - entry: without steps, the command changed nothing that could be reverted.
    ///   - now: monotonic seconds.
    mutating func note(_ entry: Entry, at now: Double) {
        guard !entry.steps.isEmpty else { return }
        var entry = entry
        if let group = entry.group, let last = entries.last?.entry, last.group == group {
            entry.steps += last.steps
            entries.removeLast()
        }
        entries.append((entry, now + UndoneCommand.lifetime))
        if entries.count > UndoneCommand.capacity { entries.removeFirst() }
    }

    /// Transfers that were cleared and can come back after `now`.
    func cleared(after now: Double) -> Set<TransferID> {
        entries.filter { $0.until > now }.reduce(into: []) { ids, known in
            for case .unclear(let cleared) in known.entry.steps { ids.formUnion(cleared) }
        }
    }

    /// Removes and returns the latest entry; `nil` if there is none that is recent enough.
    mutating func take(at now: Double) -> Entry? {
        entries.removeAll { $0.until < now }
        return entries.popLast()?.entry
    }
}

extension QueueCommand {
    /// What reverts it for `ids`, given the queue before it; empty if it changes nothing or cannot be reverted.
    func inverse(on ids: [TransferID], in queue: TransferQueue) -> [UndoLog.Step] {
        let transfers = ids.compactMap { queue[$0] }
        func those(_ fits: (Transfer) -> Bool) -> [TransferID] { transfers.filter(fits).map(\.id) }
        let stoppable = Set(TransferState.allCases.filter(\.isPausable))
        /// A command for those that it stopped, but where they stood for those that awaited their next attempt.
        func restart(_ command: QueueCommand, _ stopped: [Transfer], in states: Set<TransferState>) -> [UndoLog.Step] {
            let retrying = stopped.filter { $0.state == .retrying }.map(UndoLog.OldStanding.init)
            let others = stopped.filter { $0.state != .retrying }.map(\.id)
            return (others.isEmpty ? [] : [.perform(command, others, in: states)])
                + (retrying.isEmpty ? [] : [.standings(retrying, in: states)])
        }
        /// One that is being verified obeys at the end of it.
        func recall(_ command: QueueCommand, _ state: TransferState) -> [UndoLog.Step] {
            let verifying = those { $0.state == .verifying }
            return verifying.isEmpty ? [] : [.perform(command, verifying, in: [.verifying, state])]
        }
        switch self {
        case .pause, .hold:
            // Those that were paused otherwise count as paused like this from now on.
            let other: PauseOrigin = self == .pause ? .queue : .transfer
            let paused = transfers.filter { $0.status == .paused(.by(other)) }.map(UndoLog.OldStanding.init)
            return restart(.resume, transfers.filter(\.state.isPausable), in: [.paused])
                + recall(.resume, .paused)
                + (paused.isEmpty ? [] : [.standings(paused, in: [.paused])])
        case .resume:
            return PauseOrigin.allCases.compactMap { origin in
                let resumed = those { $0.state == .paused && $0.pausedBy == origin }
                if resumed.isEmpty { return nil }
                if origin == .queue { return .perform(.hold, resumed, in: stoppable) }
                // An answer in a queue that is held has paused it with the queue.
                return .perform(.pause, resumed, in: stoppable.union([.paused]))
            }
        case .cancel(deletingPartial: false):
            let open = transfers.filter { !$0.state.isEnded && $0.state != .verifying }
            return restart(.retry, open, in: [.cancelled]) + recall(.retry, .cancelled)
        case .move, .priority:
            let places = queue.places(of: ids)
            return places.isEmpty ? [] : [.places(places)]
        case .limit:
            let limits = Dictionary(grouping: transfers, by: \.rateLimit)
            let states = Set(TransferState.allCases)
            return limits.map { .perform(.limit($0.key), $0.value.map(\.id), in: states) }
        case .schedule:
            let times = Dictionary(
                grouping: transfers.filter { Self.schedulable.contains($0.state) }, by: \.earliestBegin)
            return times.map { .perform(.schedule($0.key), $0.value.map(\.id), in: Self.schedulable) }
        case .after:
            let lists = Dictionary(grouping: transfers.filter { Self.schedulable.contains($0.state) }, by: \.after)
            return lists.map { .perform(.after($0.key ?? []), $0.value.map(\.id), in: Self.schedulable) }
        case .dismiss:
            let listed = those(\.state.isEnded)
            return listed.isEmpty ? [] : [.relist(listed), .places(queue.places(of: listed))]
        case .cancel, .retry, .liftRestrictions, .remove, .trust, .login, .decline: return []
        }
    }
}
