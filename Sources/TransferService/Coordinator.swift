// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import TransferControl
import TransferModel
import TransferStore

/// Executes the queue: starts transfers that have a slot, receives their events, decides what follows an end.
///
/// It is the session's delegate, and the session's delegate queue is that of ``EngineActor``.
@EngineActor final class Coordinator {
    let configuration: LocalQueue.Configuration
    let scheduler: any Scheduler
    /// Long work: hashing whole files, syncing, resolving names. Results return to ``EngineActor``.
    let background = DispatchQueue(label: "fileq.queue.background", attributes: .concurrent)
    /// Gives complete small downloads their names.
    let landing = DispatchQueue(label: "fileq.queue.landing")
    /// Writes the records of uploads, in order.
    lazy var recording = DispatchQueue(label: "fileq.queue.recording")
    /// Writes to the store, in order: ranks, sessions, settings.
    let keeping = DispatchQueue(label: "fileq.queue.keeping")
    /// Writes to ``keeping`` that have not succeeded yet. Each command that waits for its commit repeats them, and so
    /// does the end of the queue.
    let unstored = UnstoredPlaces()
    /// Maps paths to mounts; calls that might hang go through the mount's lane.
    let mounts: Mounts
    let lanes: FileLanes
    /// Receives what lanes report.
    let inbox: Inbox
    /// Pending calls on files, except on folders that do not respond.
    var fileWork: Set<Int> = []
    /// Files that are being synced, each with the work that waits for it.
    var fileSyncs: [ObjectIdentifier: [@EngineActor @Sendable () -> Void]] = [:]
    var lastFileWork = 0
    let backoff = Backoff()
    let claims: NameClaims
    let pathMonitor: (any NetworkPathMonitor)?
    var pathObservation: PathObservation?
    var session: TransferSession?
    var queue: TransferQueue
    /// The runs of transfers that have started and not ended.
    var runs: [TransferID: Run] = [:]
    let store: any QueueStore
    let policy: EnginePolicy
    var journal: QueueJournal
    /// State that earlier runs of this process left, for each transfer that has begun.
    var memories: [TransferID: RunMemory] = [:]
    var specCache: SpecCache
    /// Transfers whose partial files are being copied to another file system.
    var moves: [TransferID: Moving] = [:]
    /// The stored form of ``moves``, including copies of earlier processes that cannot be finished now.
    var copies: [TransferID: StoreCopy] = [:]
    /// Files of the user that are being changed in the background.
    var writesUnderWay = 0
    /// Ended transfers whose partial files are being deleted.
    var discarding: Set<TransferID> = []
    /// The transfers of ``discarding`` whose specs must be fetched from the store first.
    var undiscarded: [TransferID: PartialSharing] = [:]
    /// Downloads with partial bytes, by the name of the partial file. A cache for the current call; `nil` afterwards.
    var begun: [String: [TransferID]]?
    /// Transfers that completed in this process, oldest first.
    var completedInOrder: [TransferID] = []
    /// Time of the next check of the clock, on the scheduler's clock.
    var plannedCheck: Double?
    /// Whether rates are checked soon.
    var isRateCheckPlanned = false
    var timetable = LimitTimetable()
    /// The current rates, as the session has them.
    var rates: RateTimetable.Rates?
    /// Bytes per second of all transfers.
    var traffic: RateHistory
    /// Bytes per second of single transfers.
    var samplers = RateSamplers()
    var recentHeads = RecentHeads()
    var undoLog = UndoLog()
    /// `nil` without ``EnginePolicy/keepsLog``.
    var log: QueueLog?
    let hooks: HookPost?
    var hub = UpdateHub()
    /// `nil` without ``LocalQueue/Configuration/comparesLives``.
    private(set) var shadow: LifeShadow?
    var flushing = FlushPace()
    var isShuttingDown = false
    /// Whether nothing more is started.
    var isEnding: Bool { isShuttingDown }
    /// Nothing changes any more: late results are ignored; the next process finds the state as stored.
    var hasEnded = false
    /// Transfers are being started or restored; others are started when that is done.
    var isStarting = false
    /// While fewer transfers run than may: until when, on the scheduler's clock.
    var shortageEnds: Double?
    var suspends: Suspends
    /// A count of holds and releases of the whole queue, and of additions meanwhile. `isHoldUnfinished`: the store may
    /// lack some of the latest one's effect.
    var holds = 0
    var isHoldUnfinished = false
    /// Whether the store's settings have the latest hold or release. Transfers are added to the store only then.
    var isHoldStored = true
    /// Whether new transfers that are being stored are held.
    var addition: Bool?
    var whenEmpty: [() -> Void] = []
    var stopWaiters: [(ids: [TransferID], done: () -> Void)] = []
    var answers = ConsentAnswers()
    /// Complete downloads that are being synced and renamed.
    var placements: [TransferID: Placing] = [:]
    /// Completed transfers that the store has not committed yet; true if a commit has failed.
    var committing: [TransferID: Bool] = [:]
    /// The completions that were passed to the store, for the transfers of ``committing``.
    var completions: [TransferID: Completion] = [:]
    /// Groups of files that an earlier process recorded, until the completions of those that have their names end.
    var recovered: (placements: [Int64], completing: Set<TransferID>)?
    /// Rounds of syncs by mount, so that a hanging one blocks no other. All local file systems share the empty path.
    var rounds: [String: SyncRounds] = [:]
    /// Servers to which a password was sent in clear text, each warned of once.
    var serversWithClearPasswords: Set<String> = []
    /// Small downloads at the transport, without runs.
    var fetches = FetchStock()
    /// Fetched downloads that are complete and wait for their names.
    var landings: FetchLandings
    /// Receives reports about ``fetches``; `nil` if the transport has none.
    var fetchReceiver: FetchReceiver?
    var uploadSupport = UploadSupportTable()
    /// Folders that uploads have requested, by address, with the uploads that wait for the response. They are called
    /// with its status, or `nil`.
    var folderRequests: [String: [@EngineActor (Int?) -> Void]] = [:]
    /// The run of each session task, by the task's identifier.
    private var owners: [Int: TransferID] = [:]
    /// The run of each task beside a run's own, by its identifier.
    private var helpers: [Int: TransferID] = [:]
    /// Servers that take fewer connections.
    var connectionLimits = ConnectionLimits()

    init(
        configuration: LocalQueue.Configuration, policy: EnginePolicy, scheduler: any Scheduler,
        pathMonitor: (any NetworkPathMonitor)?,
        store: any QueueStore, checkpoints: [TransferID: Checkpoint], crashes: CrashLedger?
    ) {
        self.configuration = configuration
        self.store = store
        self.policy = policy
        claims = NameClaims(keepsCompleted: policy.keepsNamesOfCompleted)
        landings = FetchLandings(maximum: PlacementDisk.maximumLandings)
        journal = QueueJournal(store: store, scheduler: scheduler, checkpoints: checkpoints, crashes: crashes)
        specCache = SpecCache(keepsAll: policy.keepsSpecs)
        hooks = configuration.hooks.map { HookPost($0, store: store, scheduler: scheduler) }
        self.pathMonitor = pathMonitor
        self.scheduler = scheduler
        mounts = Mounts(path: configuration.mountTable)
        lanes = FileLanes(scheduler: scheduler)
        suspends = Suspends(total: configuration.timeSuspended())
        inbox = Inbox()
        traffic = RateHistory(now: scheduler.now)
        log = policy.keepsLog ? QueueLog(began: scheduler.wallNow) : nil
        queue = TransferQueue(limits: configuration.limits)
        shadow = configuration.comparesLives.map { LifeShadow(self, $0) }
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
        // Where transfers end with the queue, a command finds them ended.
        guard policy.interruptsAtEnd || !isShuttingDown else {
            throw TransferError(.interrupted, "the queue is ending", fields: .init(variant: .queueEnding))
        }
        if let unknown = ids.first(where: { queue[$0] == nil }) {
            throw TransferError.unknownTransfer(unknown)
        }
        if case .priority(let priority) = command, !(0...1).contains(priority) {
            throw TransferError(.usage, "a priority is a number from 0 to 1", fields: .init(variant: .invalidPriority))
        }
        try checkPredecessors(command, of: ids)
        let inverse = command.inverse(on: ids, in: queue)
        carryOut(command, on: ids)
        noteUndo(command, inverse)
    }

    /// Executes a command for transfers that are in the queue.
    func carryOut(_ command: QueueCommand, on ids: [TransferID]) {
        switch command {
        case .move, .priority: recallFetches()
        default: break
        }
        switch command {
        case .move(let move):
            let change = queue.move(ids, move)
            if change.isOrderChanged { keepPlaces(change.isRenumbered ? queue.order : ids) }
            report(change)
        case .priority(let priority): report(queue.setPriority(priority, of: ids))
        default: for id in ids { apply(command, to: id) }
        }
        startWhatMay()
    }

    /// Removes ended transfers from the queue.
    @discardableResult
    func forget(_ ids: [TransferID]) -> [TransferID] {
        let gone = queue.remove(ids)
        for id in gone { (runs[id], memories[id]) = (nil, nil) }
        samplers.forget(gone)
        specCache.forget(gone)
        journal.forget(gone)
        shadow?.removed(gone)
        if !gone.isEmpty { hub.post(.removed(gone)) }
        return gone
    }

    /// As ``forget(_:)``, for transfers that the history keeps.
    func dismiss(_ ids: [TransferID]) -> [TransferID] {
        let inverse = policy.hasHistory ? QueueCommand.dismiss.inverse(on: ids, in: queue) : []
        noteUndo(.dismiss, inverse)
        return forget(ids)
    }

    func setLimits(_ limits: QueueLimits) {
        let old = queue.limits
        applyLimits(limits)
        let hasChanged = old != queue.limits
        let release = limits.isHeld.map(changeHold) ?? []
        let word = hasChanged || release.isEmpty ? "limits.set" : limits.isHeld == true ? "hold" : "resume"
        noteUndo(word, (hasChanged ? [.limits(old)] : []) + release)
    }

    /// Holds the whole queue, or releases it, as one command.
    func hold(_ wanted: Bool) { noteUndo(wanted ? "hold" : "resume", changeHold(wanted)) }

    /// - Returns: what reverts it.
    private func changeHold(_ wanted: Bool) -> [UndoLog.Step] {
        guard wanted != isHeld else { return [] }
        let inverse = inverse(ofHold: wanted)
        setHeld(wanted)
        return inverse
    }

    func noteUndo(_ command: QueueCommand, _ inverse: [UndoLog.Step]) {
        if let word = command.undoWord { noteUndo(word, inverse) }
    }

    /// - Parameter word: of the control protocol.
    func noteUndo(_ word: String, _ inverse: [UndoLog.Step]) {
        undoLog.note(.init(command: word, performedAt: scheduler.wallNow, steps: inverse), at: scheduler.now)
    }

    /// All but the hold of the queue.
    func applyLimits(_ limits: QueueLimits) {
        var limits = limits
        limits.isHeld = queue.limits.isHeld
        recallFetches()
        queue.setLimits(limits)
        applyRates()
        hub.post(.limits(limits))
        storeSettings()
        startWhatMay()
    }

    // MARK: Starting

    /// Starts, in order, all transfers that have a slot.
    ///
    /// A start that fails immediately ends its transfer, which calls this again: that call returns, and the outer loop
    /// continues. Otherwise a long list of failures would recurse as deeply.
    func startWhatMay() {
        guard !isShuttingDown, !isStarting else { return }
        isStarting = true
        defer { isStarting = false }
        evaluateNetwork()
        stockFetches()
        // Transfers already handed to the transport precede queued ones.
        while fetches.waiting == 0, let id = queue.nextToStart(at: scheduler.wallNow) {
            shadow?.note(.slot, id)
            update(id) { $0.status = .running() }
            if let run = runs[id] ?? preparedRun(id) { begin(run) }
            evaluateNetwork()
            stockFetches()
        }
        divideSlots()
        scheduleClockCheck()
    }

    /// Starts a transfer that has a slot.
    func begin(_ run: Run) {
        let id = run.id
        if let task = run.task {
            run.meter.start(queue[id]?.bytes ?? 0, at: scheduler.now)
            update(id, .started)
            shadow?.note(.proceeds, id)
            run.resumeTask()
            // It was suspended while it waited, and does not report that wait again.
            if let wait = task.wait { waits(run, wait) }
            return
        }
        let isFirst = run.deadline == nil
        if isFirst { run.deadline = scheduler.now + run.resourceTimeout }
        run.generation += 1
        run.beganAt = 0
        update(id, .started, program: isFirst ? .of(.start) : .none) { $0.httpStatus = nil }
        attempt(run) { try run.begin() }
    }

    /// The request of one attempt, with the remainder of the resource timeout.
    /// - Parameter url: of a mirror, which gets no secret of the transfer's own address.
    func request(for run: Run, method: HTTPMethod, at url: TransferURL? = nil) -> TransferRequest {
        let url = url ?? run.address
        var options = run.description.options
        if url.origin != run.description.url.origin { _ = options.leaveOrigin() }
        options.rateLimit = queue[run.id]?.rateLimit
        if queue[run.id]?.isDiscretionary == true {
            (options.allowsExpensive, options.allowsConstrained) = (false, false)
        }
        if memories[run.id]?.isUnrestricted == true { options.liftsRestrictions = true }
        logIn(run, at: url, &options)
        if let deadline = run.deadline { options.resourceTimeout = max(0.001, deadline - scheduler.now) }
        return TransferRequest(url: url, method: method, options: options)
    }

    func launch(_ task: TransferTask, for run: Run) {
        // Clear the previous request's status, e.g. that of the discovery `OPTIONS`.
        if queue[run.id]?.httpStatus != nil { update(run.id) { $0.httpStatus = nil } }
        run.task = task
        run.launched()
        shadow?.note(.proceeds, run.id)
        run.didMove = false
        run.hasProgressed = false
        noticeSuspend()
        run.suspendedBefore = suspends.total
        run.earlier = run.metrics
        run.consent.beginAttempt(at: run.address)
        journal.noteAddress(run.address.string, of: run.id)
        owners[task.identifier] = run.id
        run.meter.start(queue[run.id]?.bytes ?? 0, at: scheduler.now)
        if isShuttingDown {
            run.stop = .shutDown
            task.cancel()
        } else {
            task.resume()
        }
    }

    /// The run of a task, if the task is that run's current one.
    func owner(of task: TransferTask) -> Run? {
        guard let id = owners[task.identifier], let run = runs[id], run.task === task else { return nil }
        return run
    }

    /// Starts a task that moves a part of the file of `run`, beside that run's own task.
    func launch(helper task: TransferTask, for run: Run) {
        helpers[task.identifier] = run.id
        task.resume()
    }

    /// The run of a task that is not the run's own.
    func ownerOfHelper(_ task: TransferTask) -> Run? { helpers[task.identifier].flatMap { runs[$0] } }

    func release(helper task: TransferTask) { helpers[task.identifier] = nil }

    /// Makes a helper the run's own task, whose end is the end of the attempt.
    func promote(helper task: TransferTask, of run: Run) {
        if let old = run.task { release(old, of: run) }
        helpers[task.identifier] = nil
        owners[task.identifier] = run.id
        run.earlier = run.metrics
        run.task = task
    }

    func release(_ task: TransferTask, of run: Run) {
        owners[task.identifier] = nil
        run.task = nil
    }

    // MARK: Away from the queue

    /// Computes something that takes long on another thread, then continues here with the result, unless the run was
    /// stopped or restarted meanwhile.
    func runInBackground<Value: Sendable>(
        for run: Run, _ compute: @escaping @Sendable () -> Value,
        then proceed: @escaping @EngineActor @Sendable (Value) throws -> Void
    ) {
        let generation = run.generation
        background.async { [self] in
            let value = compute()
            EngineActor.async { [self] in
                guard !hasEnded, run.generation == generation, queue[run.id]?.state.isEnded == false else { return }
                attempt(run) { try proceed(value) }
            }
        }
    }

    /// Runs a step of a start; an error it throws is the error of the attempt.
    func attempt(_ run: Run, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            let error = error as? TransferError ?? TransferError(.other, "\(error)")
            run.ticket = nil
            // A full disk, a shortage of the system and a folder that does not respond are transient. Every other error
            // of a start is permanent.
            let verdict = FailurePolicy.verdict(error)
            if verdict.next == .pause || verdict.isShortage || error.code == .folderNotResponding {
                handleFailure(run, error, retryAfter: nil)
            } else {
                failed(run, error)
            }
        }
    }
}
