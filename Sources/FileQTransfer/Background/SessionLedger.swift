// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel

/// What a session wants of its transfers, what the service has been told of that, and which ends the delegate has been
/// told. Pure.
///
/// The worker asks for the ``next(isClosing:)`` step, does it, and says that it is done. What was under way when a
/// connection broke is done again: commands may come twice, and whether a transfer has been added its token tells.
struct SessionLedger {
    /// What to do next.
    enum Step: Equatable {
        case acknowledge(upTo: Int64)
        case fetchEvents
        case add(BackgroundOrder, token: String, paused: Bool)
        case perform(QueueCommand, TransferID, task: Int)
        /// Cancelled before the service has heard of it.
        case forget(task: Int)
    }

    private struct Entry {
        /// `nil` for a task of an earlier run.
        var order: BackgroundOrder?
        var token: String?
        /// `nil` until the service has it.
        var transfer: TransferID?
        /// It may have been added: the answer is not there, or never came.
        var isUncertain = false
        var startsPaused = false
        /// In the order in which they were asked for, one of a kind.
        var wishes: [QueueCommand] = []
    }

    private var entries: [Int: Entry] = [:]
    private var byTransfer: [TransferID: Int] = [:]
    /// Of those that are not known to be added.
    private var byToken: [String: Int] = [:]
    /// Tasks that have something to be done, in order; `first` is where it begins.
    private var line: [Int] = []
    private var first = 0
    private var inLine: Set<Int> = []

    private var toldUpTo: Int64 = 0
    private var acknowledgedUpTo: Int64 = 0
    /// Told, and the delegate has not returned; rising.
    private var outstanding: [Int64] = []
    /// They are not told: a later end, or a retry, has overtaken them.
    private var overtaken: Set<Int64> = []
    private var isFetchDue = true
    /// There are more events than one answer held.
    private var hasMore = false
    /// Transfers that have ended and whose event has not come.
    private var awaited: Set<TransferID> = []

    /// Whether an event is to come that is not recorded yet.
    var awaitsEvents: Bool { !awaited.isEmpty }

    /// Whether the service knows all that was said here.
    var isSettled: Bool { first == line.count && acknowledgeable <= acknowledgedUpTo }

    // MARK: What the session says

    mutating func handedOver(_ order: BackgroundOrder, token: String) {
        entries[order.task] = Entry(order: order, token: token)
        byToken[token] = order.task
        enqueue(order.task)
    }

    /// A task that an earlier run left.
    mutating func recovered(_ task: Int, _ transfer: TransferID) {
        entries[task] = Entry(transfer: transfer)
        byTransfer[transfer] = task
    }

    mutating func asked(_ command: BackgroundCommand, of task: Int) {
        guard var entry = entries[task] else { return }
        let wish = command.queueCommand
        entry.wishes.removeAll { $0.isOfKind(of: wish) }
        if command == .cancel { entry.wishes = [] }
        entry.wishes.append(wish)
        entries[task] = entry
        enqueue(task)
    }

    mutating func delivered(_ sequence: Int64) { outstanding.removeAll { $0 == sequence } }

    // MARK: What is to be done

    /// - Parameter isClosing: only what was delivered is still said.
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
        if let transfer = entry.transfer { return entry.wishes.first.map { .perform($0, transfer, task: task) } }
        guard let order = entry.order, let token = entry.token else { return nil }
        if !entry.isUncertain, entry.wishes.contains(.cancel(deletingPartial: true)) { return .forget(task: task) }
        if let index = entry.wishes.firstIndex(of: .pause) {
            entry.wishes.remove(at: index)
            entry.startsPaused = true
        }
        entry.isUncertain = true
        entries[task] = entry
        return .add(order, token: token, paused: entry.startsPaused)
    }

    private var acknowledgeable: Int64 { (outstanding.first ?? toldUpTo + 1) - 1 }

    private mutating func enqueue(_ task: Int) {
        if inLine.insert(task).inserted { line.append(task) }
    }

    // MARK: What has been done

    mutating func added(_ task: Int, _ transfer: TransferID) {
        guard var entry = entries[task] else { return }
        (entry.transfer, entry.isUncertain, entry.order) = (transfer, false, nil)
        if let token = entry.token { byToken[token] = nil }
        entries[task] = entry
        byTransfer[transfer] = task
    }

    mutating func performed(_ command: QueueCommand, on task: Int) {
        // Another wish of its kind may have replaced it meanwhile.
        if entries[task]?.wishes.first == command { entries[task]?.wishes.removeFirst() }
    }

    /// The session knows nothing of this task any more.
    mutating func forget(_ task: Int) {
        guard let entry = entries.removeValue(forKey: task) else { return }
        if let transfer = entry.transfer { byTransfer[transfer] = nil }
        if let token = entry.token { byToken[token] = nil }
    }

    mutating func acknowledged(upTo sequence: Int64) {
        acknowledgedUpTo = max(acknowledgedUpTo, sequence)
        if hasMore, outstanding.isEmpty { isFetchDue = true }
    }

    // MARK: What the service says

    mutating func fetchIsDue() { isFetchDue = true }

    /// Events that are there already and are not to be told.
    mutating func overtook(_ sequences: Set<Int64>) { overtaken.formUnion(sequences) }

    /// Events have come, oldest first.
    /// - Parameter isPage: there may be more.
    /// - Returns: those to be told now, each with its task where this run knows it.
    mutating func fetched(_ events: [SessionEvent], isPage: Bool) -> [(event: SessionEvent, task: Int?)] {
        (isFetchDue, hasMore) = (false, isPage)
        var told: [(event: SessionEvent, task: Int?)] = []
        for event in events where event.sequence > toldUpTo {
            toldUpTo = event.sequence
            awaited.remove(event.transfer.id)
            guard overtaken.remove(event.sequence) == nil else { continue }
            let task = find(event.transfer)
            if let task { forget(task) }
            outstanding.append(event.sequence)
            told.append((event, task))
        }
        return told
    }

    /// A transfer of the session has changed.
    /// - Returns: the task to tell of it.
    mutating func changed(_ transfer: TransferSnapshot) -> Int? {
        guard let task = find(transfer) else { return nil }
        guard transfer.state.isEnded else { return task }
        // Its event says how, and is acknowledged.
        awaited.insert(transfer.id)
        isFetchDue = true
        return nil
    }

    /// The task of a transfer, also where it was added and the answer has not come.
    private mutating func find(_ transfer: TransferSnapshot) -> Int? {
        if let task = byTransfer[transfer.id] { return task }
        guard !byToken.isEmpty, let words = TaskWords(transfer.taskDescription), let task = byToken[words.token] else {
            return nil
        }
        added(task, transfer.id)
        return task
    }

    /// There is a new connection, or something was refused: what the service has is compared with what it should have.
    /// - Parameters:
    ///   - events: those that were there before `transfers` were asked for.
    ///   - transfers: all of the session.
    ///   - isPage: there may be more events.
    /// - Returns: tasks that the service had and has no more.
    mutating func compare(_ events: [SessionEvent], _ transfers: [TransferSnapshot], isPage: Bool) -> [Int] {
        for event in events { _ = find(event.transfer) }
        for transfer in transfers { _ = changed(transfer) }
        isFetchDue = true
        let present = Set(transfers.map(\.id)).union(events.map(\.transfer.id))
        var lost: [Int] = []
        for (task, entry) in entries {
            if let transfer = entry.transfer {
                if !present.contains(transfer), !isPage { lost.append(task) }
                if !entry.wishes.isEmpty { enqueue(task) }
            } else {
                entries[task]?.isUncertain = false
                enqueue(task)
            }
        }
        return lost.sorted()
    }

    /// Whether the service has this task.
    func has(_ task: Int) -> Bool { entries[task]?.transfer != nil }

    /// Of events of one transfer the last counts; none does of a transfer that has been started again since.
    /// - Parameter transfers: asked for after `events`.
    static func overtaken(_ events: [SessionEvent], _ transfers: [TransferSnapshot]) -> Set<Int64> {
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
        // Nobody else knows of the partial file.
        case .cancel: .cancel(deletingPartial: true)
        case .liftRestrictions: .liftRestrictions
        case .priority(let priority): .priority(priority)
        case .rateLimit(let rate): .limit(rate)
        }
    }
}

extension QueueCommand {
    /// Whether the later of the two makes the earlier one pointless.
    fileprivate func isOfKind(of other: QueueCommand) -> Bool {
        switch (self, other) {
        case (.pause, .pause), (.pause, .resume), (.resume, .resume), (.resume, .pause), (.limit, .limit),
            (.priority, .priority):
            true
        default: self == other
        }
    }
}
