// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import TransferControl
import TransferModel

/// Carries the queue out: starts transfers when they have a place, hears how they go, decides what an end means.
///
/// It is the session's delegate, and the session's delegate queue is that of ``EngineActor``.
@EngineActor final class Coordinator {
    let configuration: LocalQueue.Configuration
    let scheduler: any Scheduler
    /// For work that takes long: reading whole files for their sums, syncing, asking the resolver.
    let background = DispatchQueue(label: "fileq.queue.background", attributes: .concurrent)
    /// For what the store is to know, in order.
    let keeping = DispatchQueue(label: "fileq.queue.keeping")
    /// Where files are, and how calls on them are made that might hang.
    let mounts: Mounts
    let lanes: FileLanes
    /// What lanes report.
    let inbox: Inbox
    /// Calls under way on folders that respond as far as is known.
    var fileWork: Set<Int> = []
    var lastFileWork = 0
    let backoff = Backoff()
    /// Of uploads in the background that the server refused after the whole body: 1, 4, 16, 60 minutes.
    let costlyBackoff = Backoff(base: 60, ceiling: 3600, factor: 4)
    let claims = NameClaims()
    /// Who knows the network.
    let pathMonitor: (any NetworkPathMonitor)?
    var pathObservation: PathObservation?
    var session: TransferSession?
    var queue: TransferQueue
    /// Those alone that have begun and not ended.
    var runs: [TransferID: Run] = [:]
    let store: any QueueStore
    /// Whether unfinished transfers stay as they are when the queue ends, for the next process; else they end with it.
    let outlivesProcess: Bool
    var journal: QueueJournal
    var shelf: DescriptionShelf
    /// Of transfers that have ended, whose unfinished files are being deleted.
    var discarding: Set<TransferID> = []
    /// Of these, whose descriptions are to be fetched first.
    var undiscarded: [TransferID] = []
    /// Places of the queue's order as the store knows them.
    var ranks: [TransferID: Int64] = [:]
    /// Those of this process, oldest first.
    var completedInOrder: [TransferID] = []
    /// When the clock is looked at next, on the scheduler's clock.
    var plannedLook: Double?
    var timetable = LimitTimetable()
    /// The rates that hold now, for the session.
    var rates: RateTimetable.Rates?
    let hooks: HookPost?
    var hub = UpdateHub()
    var flushing = FlushPace()
    var isShuttingDown = false
    /// Whether nothing more is begun.
    var isEnding: Bool { isShuttingDown }
    /// Nothing changes any more: what still comes from elsewhere finds everything as the next opening will.
    var hasEnded = false
    private var isStarting = false
    var whenEmpty: [() -> Void] = []
    var stopWaiters: [(ids: [TransferID], done: () -> Void)] = []
    var answers = ConsentAnswers()
    /// Whole downloads that are being synced and named, and when.
    var placements: [TransferID: Placing] = [:]
    /// Completed as far as this process knows, and not yet in the store; true where that could not take it.
    var committing: [TransferID: Bool] = [:]
    /// By mount, so that one that hangs holds up no other; all local ones together under the empty path.
    var rounds: [String: SyncRounds] = [:]
    /// Whose passwords went out in clear text, as somebody was warned.
    var serversWithClearPasswords: Set<String> = []
    /// Small downloads at the transport, without runs.
    var fetches = FetchStock()
    /// Receives them; `nil` where the transport has no such fetches.
    var fetchReceiver: FetchReceiver?
    /// Which run a session's task belongs to.
    private var owners: [Int: TransferID] = [:]

    init(
        configuration: LocalQueue.Configuration, scheduler: any Scheduler,
        pathMonitor: (any NetworkPathMonitor)?,
        store: any QueueStore, pasts: [TransferID: TransferPast], crashes: CrashLedger?
    ) {
        self.configuration = configuration
        self.store = store
        outlivesProcess = store.promise != .none
        journal = QueueJournal(store: store, scheduler: scheduler, pasts: pasts, crashes: crashes)
        shelf = DescriptionShelf(keepsAll: store.promise == .none)
        hooks = configuration.hooks.map { HookPost($0, store: store, scheduler: scheduler) }
        self.pathMonitor = pathMonitor
        self.scheduler = scheduler
        mounts = Mounts(path: configuration.mountTable)
        lanes = FileLanes(scheduler: scheduler)
        inbox = Inbox()
        queue = TransferQueue(limits: configuration.limits)
    }

    func attach(_ session: TransferSession, _ timetable: LimitTimetable?) {
        self.session = session
        if let timetable { self.timetable = timetable }
        if session.hasPlainFetches { fetchReceiver = FetchReceiver(self) }
        applyRates()
    }

    // MARK: Asked from outside

    var snapshot: QueueSnapshot { queue.snapshot }

    func perform(_ command: QueueCommand, on ids: [TransferID]) throws {
        guard !outlivesProcess || !isShuttingDown else {
            throw TransferError(.interrupted, "the queue is ending; ask again in a moment")
        }
        if let unknown = ids.first(where: { queue[$0] == nil }) {
            throw TransferError(.usage, "no transfer has the id \(unknown)")
        }
        if case .priority(let priority) = command, !(0...1).contains(priority) {
            throw TransferError(.usage, "a priority is a number from 0 to 1")
        }
        switch command {
        case .move, .priority: recallFetches()
        default: break
        }
        switch command {
        case .move(let move):
            let change = queue.move(ids, move)
            if change.isOrderChanged { rank(ids) }
            tell(change)
        case .priority(let priority): tell(queue.setPriority(priority, of: ids))
        default: for id in ids { try apply(command, to: id) }
        }
        startWhatMay()
    }

    /// Forgets those that have ended.
    @discardableResult
    func forget(_ ids: [TransferID]) -> [TransferID] {
        let gone = queue.remove(ids)
        for id in gone {
            runs[id] = nil
            ranks[id] = nil
        }
        shelf.forget(gone)
        journal.forget(gone)
        if !gone.isEmpty { hub.post(.removed(gone)) }
        return gone
    }

    func setLimits(_ limits: QueueLimits) {
        recallFetches()
        queue.setLimits(limits)
        applyRates()
        hub.post(.limits(limits))
        keepSettings()
        startWhatMay()
    }

    // MARK: Starting

    /// Starts, in order, all that have a place.
    ///
    /// A start that fails at once ends its transfer, which asks for the next start: that one is left to the loop that
    /// is under way, or a long list of failures would be as many calls deep.
    func startWhatMay() {
        guard !isShuttingDown, !isStarting else { return }
        isStarting = true
        defer { isStarting = false }
        weighNetwork()
        stockFetches()
        // Those at the transport are before all that stand in line.
        while fetches.waiting == 0, let id = queue.nextToStart(at: scheduler.wallNow) {
            update(id) { $0.status = .running() }
            if let run = runs[id] ?? takenUp(id) { begin(run) }
            weighNetwork()
            stockFetches()
        }
        divideSlots()
        watchClock()
    }

    /// Starts what has been given a place.
    func begin(_ run: Run) {
        let id = run.id
        if let task = run.task {
            run.meter.start(queue[id]?.bytes ?? 0, at: scheduler.now)
            update(id, .started)
            task.resume()
            // It was suspended while it waited: it tells of that no second time.
            if let wait = task.wait { waits(run, wait) }
            return
        }
        let isFirst = run.deadline == nil
        if isFirst { run.deadline = scheduler.now + run.resourceTimeout }
        run.generation += 1
        run.beganAt = 0
        update(id, .started, program: isFirst ? .of(.start) : .none)
        attempt(run) { try run.begin() }
    }

    /// The request of one try: what is left of the resource timeout goes along.
    func request(for run: Run, method: HTTPMethod) -> TransferRequest {
        var options = run.description.options
        options.rateLimit = queue[run.id]?.rateLimit
        if queue[run.id]?.isDiscretionary == true {
            (options.allowsExpensive, options.allowsConstrained) = (false, false)
        }
        if journal.past(of: run.id)?.isUnrestricted == true { options.liftsRestrictions = true }
        logIn(run, &options)
        if let deadline = run.deadline { options.resourceTimeout = max(0.001, deadline - scheduler.now) }
        return TransferRequest(url: run.description.url, method: method, options: options)
    }

    func launch(_ task: TransferTask, for run: Run) {
        run.task = task
        run.launched()
        run.didMove = false
        run.hasProgressed = false
        run.earlier = run.metrics
        run.consent.beginTry()
        owners[task.identifier] = run.id
        run.meter.start(queue[run.id]?.bytes ?? 0, at: scheduler.now)
        if isShuttingDown {
            run.stop = .shutDown
            task.cancel()
        } else {
            task.resume()
        }
    }

    /// The run a task works for, as long as it is that run's present one.
    func owner(of task: TransferTask) -> Run? {
        guard let id = owners[task.identifier], let run = runs[id], run.task === task else { return nil }
        return run
    }

    func release(_ task: TransferTask, of run: Run) {
        owners[task.identifier] = nil
        run.task = nil
    }

    // MARK: Away from the queue

    /// Computes something that takes long elsewhere, and goes on here with the result, unless the run was stopped or
    /// started anew meanwhile.
    func runInBackground<Value: Sendable>(
        for run: Run, _ compute: @escaping @Sendable () -> Value,
        then goOn: @escaping @EngineActor @Sendable (Value) throws -> Void
    ) {
        let generation = run.generation
        background.async { [self] in
            let value = compute()
            EngineActor.async { [self] in
                guard !hasEnded, run.generation == generation, queue[run.id]?.state.isEnded == false else { return }
                attempt(run) { try goOn(value) }
            }
        }
    }

    /// Runs a piece of a start; what it throws is how the try failed.
    func attempt(_ run: Run, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            let error = error as? TransferError ?? TransferError(.other, "\(error)")
            // Room can be made, and a folder may respond again; anything else that keeps an attempt from starting stays
            // as it is.
            if FailurePolicy.verdict(error).next == .pause || error.code == .folderNotResponding {
                judge(run, error, retryAfter: nil)
            } else {
                failed(run, error)
            }
        }
    }
}
