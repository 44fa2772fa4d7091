// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel

/// The wanted state of a session's transfers, what the service knows of it, and which ends the delegate has received.
/// No I/O.
///
/// The worker takes the ``next(isClosing:)`` step, executes it, and reports completion. Steps interrupted by a broken
/// connection are repeated: commands are idempotent, and the token shows whether a transfer has been added.
struct SessionLedger {
    /// The next step.
    enum Step: Equatable {
        case acknowledge(upTo: Int64)
        case fetchEvents
        case add(BackgroundOrder, token: String, paused: Bool)
        case perform(QueueCommand, TransferID, task: Int)
        /// Cancelled before the service knew of it.
        case forget(task: Int)
    }

    private struct Entry {
        /// `nil` for a task of an earlier run.
        var order: BackgroundOrder?
        var token: String?
        /// `nil` until the service has added it.
        var transfer: TransferID?
        /// It may have been added: there is no reply.
        var isUncertain = false
        var startsPaused = false
        /// In request order, one of a kind.
        var pendingCommands: [QueueCommand] = []
    }

    private var entries: [Int: Entry] = [:]
    private var byTransfer: [TransferID: Int] = [:]
    /// Of those not known to be added.
    private var byToken: [String: Int] = [:]
    /// Tasks with pending steps, in order; `first` is the start index.
    private var line: [Int] = []
    private var first = 0
    private var inLine: Set<Int> = []

    private var deliveredUpTo: Int64 = 0
    private var acknowledgedUpTo: Int64 = 0
    /// Delivered, but the delegate has not returned; ascending.
    private var outstanding: [Int64] = []
    /// Not delivered: superseded by a later end, or a retry.
    private var overtaken: Set<Int64> = []
    private var isFetchDue = true
    /// There are more events than one reply contained.
    private var hasMore = false
    /// Finished transfers whose event is missing.
    private var awaited: Set<TransferID> = []

    /// Whether an event is expected that is not recorded yet.
    var awaitsEvents: Bool { !awaited.isEmpty }

    /// Whether the service is up to date.
    var isSynchronized: Bool { first == line.count && acknowledgeable <= acknowledgedUpTo }

    // MARK: Session

    mutating func handedOver(_ order: BackgroundOrder, token: String) {
        entries[order.task] = Entry(order: order, token: token)
        byToken[token] = order.task
        enqueue(order.task)
    }

    /// A task of an earlier run.
    mutating func recovered(_ task: Int, _ transfer: TransferID) {
        entries[task] = Entry(transfer: transfer)
        byTransfer[transfer] = task
    }

    mutating func asked(_ command: BackgroundCommand, of task: Int) {
        guard var entry = entries[task] else { return }
        let queueCommand = command.queueCommand
        entry.pendingCommands.removeAll { $0.isOfKind(of: queueCommand) }
        if command == .cancel { entry.pendingCommands = [] }
        entry.pendingCommands.append(queueCommand)
        entries[task] = entry
        enqueue(task)
    }

    mutating func delivered(_ sequence: Int64) { outstanding.removeAll { $0 == sequence } }

    // MARK: Steps

    /// - Parameter isClosing: only acknowledge deliveries.
    mutating func next(isClosing: Bool) -> Step? {
        if acknowledgeable > acknowledgedUpTo { return .acknowledge(upTo: acknowledgeable) }
        if isClosing { return nil }
        if isFetchDue { return .fetchEvents }
        while first < line.count {
            if let step = step(for: line[first]) { return step }
            inLine.remove(line[first])
            first += 1
        }
        (line, first) = ([], 0)
        return nil
    }

    private mutating func step(for task: Int) -> Step? {
        guard var entry = entries[task] else { return nil }
        if let transfer = entry.transfer {
            return entry.pendingCommands.first.map { .perform($0, transfer, task: task) }
        }
        guard let order = entry.order, let token = entry.token else { return nil }
        if !entry.isUncertain, entry.pendingCommands.contains(.cancel(deletingPartial: true)) {
            return .forget(task: task)
        }
        if let index = entry.pendingCommands.firstIndex(of: .pause) {
            entry.pendingCommands.remove(at: index)
            entry.startsPaused = true
        }
        entry.isUncertain = true
        entries[task] = entry
        return .add(order, token: token, paused: entry.startsPaused)
    }

    private var acknowledgeable: Int64 { (outstanding.first ?? deliveredUpTo + 1) - 1 }

    private mutating func enqueue(_ task: Int) {
        if inLine.insert(task).inserted { line.append(task) }
    }

    // MARK: Completed steps

    mutating func added(_ task: Int, _ transfer: TransferID) {
        guard var entry = entries[task] else { return }
        (entry.transfer, entry.isUncertain, entry.order) = (transfer, false, nil)
        if let token = entry.token { byToken[token] = nil }
        entries[task] = entry
        byTransfer[transfer] = task
    }

    mutating func performed(_ command: QueueCommand, on task: Int) {
        // A newer request of its kind may have replaced it.
        if entries[task]?.pendingCommands.first == command { entries[task]?.pendingCommands.removeFirst() }
    }

    /// The session has forgotten this task.
    mutating func forget(_ task: Int) {
        guard let entry = entries.removeValue(forKey: task) else { return }
        if let transfer = entry.transfer { byTransfer[transfer] = nil }
        if let token = entry.token { byToken[token] = nil }
    }

    mutating func acknowledged(upTo sequence: Int64) {
        acknowledgedUpTo = max(acknowledgedUpTo, sequence)
        if hasMore, outstanding.isEmpty { isFetchDue = true }
    }

    // MARK: Service

    mutating func fetchIsDue() { isFetchDue = true }

    /// Existing events that must not be delivered.
    mutating func overtook(_ sequences: Set<Int64>) { overtaken.formUnion(sequences) }

    /// Events arrived, oldest first.
    /// - Parameter isPage: there may be more.
    /// - Returns: those to deliver, each with its task if this run knows it.
    mutating func fetched(_ events: [SessionEvent], isPage: Bool) -> [(event: SessionEvent, task: Int?)] {
        (isFetchDue, hasMore) = (false, isPage)
        var reported: [(event: SessionEvent, task: Int?)] = []
        for event in events where event.sequence > deliveredUpTo {
            deliveredUpTo = event.sequence
            awaited.remove(event.transfer.id)
            guard overtaken.remove(event.sequence) == nil else { continue }
            let task = find(event.transfer)
            if let task { forget(task) }
            outstanding.append(event.sequence)
            reported.append((event, task))
        }
        return reported
    }

    /// A transfer of the session has changed.
    /// - Returns: the task to notify.
    mutating func changed(_ transfer: Transfer) -> Int? {
        guard let task = find(transfer) else { return nil }
        guard transfer.state.isEnded else { return task }
        // Its event has the result, and is acknowledged.
        awaited.insert(transfer.id)
        isFetchDue = true
        return nil
    }

    /// The task of a transfer, also if it was added without a reply.
    private mutating func find(_ transfer: Transfer) -> Int? {
        if let task = byTransfer[transfer.id] { return task }
        guard !byToken.isEmpty, let words = TaskDescription(transfer.taskDescription), let task = byToken[words.token]
        else {
            return nil
        }
        added(task, transfer.id)
        return task
    }

    /// After a new connection or an error: reconciles with the service's state.
    /// - Parameters:
    ///   - events: queried before `transfers`.
    ///   - transfers: all of the session.
    ///   - isPage: there may be more events.
    /// - Returns: tasks that the service no longer has.
    mutating func compare(_ events: [SessionEvent], _ transfers: [Transfer], isPage: Bool) -> [Int] {
        for event in events { _ = find(event.transfer) }
        for transfer in transfers { _ = changed(transfer) }
        isFetchDue = true
        let present = Set(transfers.map(\.id)).union(events.map(\.transfer.id))
        var lost: [Int] = []
        for (task, entry) in entries {
            if let transfer = entry.transfer {
                if !present.contains(transfer), !isPage { lost.append(task) }
                if !entry.pendingCommands.isEmpty { enqueue(task) }
            } else {
                entries[task]?.isUncertain = false
                enqueue(task)
            }
        }
        return lost.sorted()
    }

    /// Whether the service has this task.
    func has(_ task: Int) -> Bool { entries[task]?.transfer != nil }

    /// Of several events of a transfer the last counts; none does if it was restarted since.
    /// - Parameter transfers: queried after `events`.
    static func overtaken(_ events: [SessionEvent], _ transfers: [Transfer]) -> Set<Int64> {
        let going = Set(transfers.filter { !$0.state.isEnded }.map(\.id))
        var last: [TransferID: Int64] = [:]
        for event in events { last[event.transfer.id] = event.sequence }
        return Set(
            events.filter { going.contains($0.transfer.id) || last[$0.transfer.id] != $0.sequence }.map(\.sequence))
    }
}

extension BackgroundCommand {
    fileprivate var queueCommand: QueueCommand {
        switch self {
        case .pause: .pause
        case .resume: .resume
        // The partial file has no other owner.
        case .cancel: .cancel(deletingPartial: true)
        case .liftRestrictions: .liftRestrictions
        case .priority(let priority): .priority(priority)
        case .rateLimit(let rate): .limit(rate)
        }
    }
}

extension QueueCommand {
    /// Whether the later of the two supersedes the earlier one.
    fileprivate func isOfKind(of other: QueueCommand) -> Bool {
        switch (self, other) {
        case (.pause, .pause), (.pause, .resume), (.resume, .resume), (.resume, .pause), (.limit, .limit),
            (.priority, .priority):
            true
        default: self == other
        }
    }
}
