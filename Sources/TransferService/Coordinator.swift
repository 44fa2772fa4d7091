// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import TransferControl
import TransferModel

/// Carries the queue out: starts transfers when they have a place, hears how they go, decides what an end means.
///
/// It is the session's delegate, and the session's delegate queue is its own, so that everything here happens one after
/// the other on `work`.
final class Coordinator: @unchecked Sendable {
    // Sendable: every member is used on `work` alone, which each entry point below asserts.

    let configuration: LocalQueue.Configuration
    let work: DispatchQueue
    let scheduler: any Scheduler
    /// For work that takes long: reading whole files for their sums, syncing, asking the resolver.
    let background = DispatchQueue(label: "fileq.queue.background", attributes: .concurrent)
    /// For what the store is to know, in order.
    let keeping = DispatchQueue(label: "fileq.queue.keeping")
    let backoff = Backoff()
    /// Of uploads in the background that the server refused after the whole body: 1, 4, 16, 60 minutes.
    let costlyBackoff = Backoff(base: 60, ceiling: 3600, factor: 4)
    let claims = NameClaims()
    /// Who knows the network.
    let pathMonitor: (any NetworkPathMonitor)?
    var pathObservation: PathObservation?
    private(set) var session: TransferSession?
    var queue: TransferQueue
    /// Where there is a journal, those alone that have begun and not ended.
    var jobs: [TransferID: Job] = [:]
    let isDurable: Bool
    /// Where it is written down; `nil` for a queue that ends with its process, and once this one has ended.
    private(set) var journal: QueueJournal?
    var shelf = DescriptionShelf()
    /// Places of the queue's order as the store knows them.
    var ranks: [TransferID: Int64] = [:]
    /// Those of this process, oldest first.
    var completedInOrder: [TransferID] = []
    /// When the clock is looked at next, on the scheduler's clock.
    var plannedLook: Double?
    var timetable = LimitTimetable()
    /// The rates that hold now, for the session.
    var rates: RateTimetable.Rates?
    /// Hears what is to be remembered.
    var settingsChanged: ((QueueLimits, LimitTimetable) -> Void)?
    private var hub = UpdateHub()
    private var flushing = FlushPace()
    private var isShuttingDown = false
    /// Whether nothing more is begun.
    var isEnding: Bool { isShuttingDown }
    private var isStarting = false
    private var whenEmpty: [() -> Void] = []
    private var stopWaiters: [(ids: [TransferID], done: () -> Void)] = []
    var answers = ConsentAnswers()
    /// Whole downloads that are being synced and named, and when.
    var placements: [TransferID: Placing] = [:]
    var rounds = SyncRounds(maximumWaiting: PlacementDisk.maximumWaiting)
    /// Whose passwords went out in clear text, as somebody was warned.
    var serversWithClearPasswords: Set<String> = []
    /// Which job a session's task belongs to.
    private var owners: [Int: TransferID] = [:]

    init(configuration: LocalQueue.Configuration, work: DispatchQueue, scheduler: any Scheduler,
         pathMonitor: (any NetworkPathMonitor)? = nil, journal: QueueJournal? = nil) {
        self.configuration = configuration
        self.journal = journal
        isDurable = journal != nil
        self.pathMonitor = pathMonitor
        self.work = work
        self.scheduler = scheduler
        queue = TransferQueue(limits: configuration.limits)
    }

    func attach(_ session: TransferSession) {
        self.session = session
        applyRates()
    }

    // MARK: Asked from outside

    var snapshot: QueueSnapshot { queue.snapshot }

    func add(_ descriptions: [Spec], on terms: QueueTerms) -> [TransferID] {
        dispatchPrecondition(condition: .onQueue(work))
        let ids = descriptions.map { description in
            let now = scheduler.wallNow
            var made: Job?
            let id = queue.add { id in
                let job = Job(id: id, description: description)
                made = job
                var transfer = TransferSnapshot(id: id, kind: description.kind, url: description.url.string, file: job.file,
                                                state: terms.paused ? .paused : .queued)
                transfer.pausedBy = terms.paused ? .transfer : nil
                transfer.addedAt = now
                terms.apply(to: &transfer, options: description.options)
                return transfer
            }
            jobs[id] = made
            tell(terms.paused ? .paused : .queued, id)
            // A long list need not be taken down to its end before its first transfers start.
            if id.rawValue % 64 == 0 { startWhatMay() }
            return id
        }
        startWhatMay()
        return ids
    }

    func perform(_ command: QueueCommand, on ids: [TransferID]) throws {
        dispatchPrecondition(condition: .onQueue(work))
        guard !isDurable || !isShuttingDown else {
            throw TransferError(.interrupted, "the queue is ending; ask again in a moment")
        }
        if let unknown = ids.first(where: { queue[$0] == nil }) {
            throw TransferError(.usage, "no transfer has the id \(unknown)")
        }
        if case .priority(let priority) = command, !(0...1).contains(priority) {
            throw TransferError(.usage, "a priority is a number from 0 to 1")
        }
        if command == .remove || command == .dismiss {
            forget(ids)
            return
        }
        switch command {
        case .move(let move):
            let change = queue.move(ids, move)
            if change.isOrderChanged { rank(ids) }
            tell(change)
        case .priority(let priority): tell(queue.setPriority(priority, of: ids))
        default: for id in ids { try obey(command, id) }
        }
        startWhatMay()
    }

    /// Forgets those that have ended.
    @discardableResult
    func forget(_ ids: [TransferID]) -> [TransferID] {
        let gone = queue.remove(ids)
        for id in gone {
            jobs[id] = nil
            ranks[id] = nil
        }
        shelf.forget(gone)
        journal?.forget(gone)
        if !gone.isEmpty { hub.post(.removed(gone)) }
        return gone
    }

    func setLimits(_ limits: QueueLimits) {
        queue.setLimits(limits)
        applyRates()
        hub.post(.limits(limits))
        settingsChanged?(limits, timetable)
        startWhatMay()
    }

    func listen(_ listener: AsyncStream<QueueUpdate>.Continuation) -> Int {
        if isShuttingDown { listener.finish() }
        return hub.add(listener, first: queue.snapshot)
    }

    func stopListening(_ key: Int) { hub.remove(key) }

    /// - Parameter done: called on `work` when no task runs any more.
    func shutDown(_ done: @escaping () -> Void) {
        dispatchPrecondition(condition: .onQueue(work))
        isShuttingDown = true
        whenEmpty.append(done)
        for id in queue.order {
            guard let job = jobs[id], let transfer = queue[id], !transfer.state.isEnded else { continue }
            if let task = job.task {
                // One that is being cancelled is not to go on in the next process.
                if !job.isBeingCancelled { job.stop = .shutDown }
                task.cancel()
            } else if transfer.state != .verifying, journal == nil {
                end(job, .cancelled, TransferError(.interrupted, "interrupted"))
            }
        }
        hurryPlacements()
        finishShuttingDown()
    }

    // MARK: Starting

    /// Starts, in order, all that have a place.
    ///
    /// A start that fails at once ends its transfer, which asks for the next start: that one is left to the loop that is
    /// under way, or a long list of failures would be as many calls deep.
    func startWhatMay() {
        guard !isShuttingDown, !isStarting else { return }
        isStarting = true
        defer { isStarting = false }
        weighNetwork()
        while let id = queue.nextToStart(at: scheduler.wallNow) {
            queue.update(id) { $0.state = .running; $0.reason = nil; $0.retryAt = nil; $0.question = nil }
            if let job = jobs[id] ?? takenUp(id) { begin(job) }
            weighNetwork()
        }
        watchClock()
    }

    /// Starts what has been given a place.
    func begin(_ job: Job) {
        let id = job.id
        if let task = job.task {
            job.meter.start(queue[id]?.bytes ?? 0, at: scheduler.now)
            tell(.started, id)
            task.resume()
            // It was suspended while it waited: it tells of that no second time.
            if let wait = task.wait { waits(job, wait) }
            return
        }
        let isFirst = job.deadline == nil
        if isFirst { job.deadline = scheduler.now + job.resourceTimeout }
        job.generation += 1
        job.beganAt = 0
        tell(.started, id)
        if isFirst { runHook(.start, id) }
        start(job)
    }

    private func start(_ job: Job) {
        attempt(job) {
            switch job.description.operation {
            case .download(let download): try startDownload(job, download)
            case .upload(let upload): try startUpload(job, upload)
            }
        }
    }

    /// The request of one try: what is left of the resource timeout goes along.
    func request(for job: Job, method: HTTPMethod) -> TransferRequest {
        var options = job.description.options
        options.rateLimit = queue[job.id]?.rateLimit
        if queue[job.id]?.isDiscretionary == true { (options.allowsExpensive, options.allowsConstrained) = (false, false) }
        if job.isUnrestricted { options.liftsRestrictions = true }
        logIn(job, &options)
        if let deadline = job.deadline { options.resourceTimeout = max(0.001, deadline - scheduler.now) }
        return TransferRequest(url: job.description.url, method: method, options: options)
    }

    func run(_ task: TransferTask, for job: Job) {
        job.task = task
        // What is received within the first interval is checked when it is named.
        job.checkedAt = scheduler.now
        job.didMove = false
        job.hasProgressed = false
        job.earlier = job.metrics
        job.consent.beginTry()
        owners[task.identifier] = job.id
        job.meter.start(queue[job.id]?.bytes ?? 0, at: scheduler.now)
        if isShuttingDown {
            job.stop = .shutDown
            task.cancel()
        } else {
            task.resume()
        }
    }

    /// The job a task works for, as long as it is that job's present one.
    func owner(of task: TransferTask) -> Job? {
        guard let id = owners[task.identifier], let job = jobs[id], job.task === task else { return nil }
        return job
    }

    func release(_ task: TransferTask, of job: Job) {
        owners[task.identifier] = nil
        job.task = nil
    }

    // MARK: Ending

    /// Takes note of a final state, lets go of everything, and lets the next one start.
    /// - Parameter note: what is to be known of a success beside that it is one.
    func end(_ job: Job, _ name: TransferEvent.Name, _ error: TransferError?, note: String? = nil) {
        let state: TransferState = switch name {
        case .completed: .completed
        case .failed: .failed
        default: .cancelled
        }
        job.dropPartial(isPlaced: state == .completed)
        // A queue that lives on may be asked for the same file again; whether it may be replaced, its description says.
        if state != .completed || journal != nil, let path = job.admission?.path { claims.release(path, by: job.id) }
        job.admission = nil
        job.answer = []
        var error = error
        if state == .failed, let left = job.leftBehind { error?.message += "; \(left)" }
        job.leftBehind = nil
        change(job.id, name) { transfer in
            transfer.state = state
            transfer.error = error
            transfer.rate = nil
            transfer.eta = nil
            transfer.retryAt = nil
            transfer.endedAt = scheduler.wallNow
            transfer.metrics = job.metrics
            if state == .completed { transfer.reason = note ?? job.notice }
            if state != .failed { transfer.question = nil }
        }
        if journal != nil { letGo(job) }
        tellStopped()
        startWhatMay()
        if !isShuttingDown, queue.isSettled { runHook(.idle, nil) }
        finishShuttingDown()
    }

    /// - Parameter done: called on `work` when none of these is being cancelled any more.
    func whenStopped(_ ids: [TransferID], _ done: @escaping () -> Void) {
        stopWaiters.append((ids.filter { jobs[$0]?.isBeingCancelled == true }, done))
        tellStopped()
    }

    func tellStopped() {
        guard !stopWaiters.isEmpty else { return }
        let waiting = stopWaiters
        stopWaiters = []
        for (ids, done) in waiting {
            let left = ids.filter { jobs[$0]?.isBeingCancelled == true }
            if left.isEmpty { done() } else { stopWaiters.append((left, done)) }
        }
    }

    func finishShuttingDown() {
        guard isShuttingDown, !whenEmpty.isEmpty, jobs.values.allSatisfy({ $0.task == nil }),
            placements.values.allSatisfy(\.isStuck),
            journal != nil || queue.order.allSatisfy({ queue[$0]?.state.isEnded ?? true }) else { return }
        let waiting = whenEmpty
        whenEmpty = []
        for placing in placements.values { placing.job.dropPartial() }
        placements = [:]
        // What still comes from elsewhere finds everything as the next opening will.
        journal = nil
        session?.finishTasksAndInvalidate()
        session = nil
        pathObservation = nil
        hub.finish()
        for done in waiting { done() }
    }

    // MARK: Away from the queue

    /// Computes something that takes long elsewhere, and goes on here with the result, unless the job was stopped or
    /// started anew meanwhile.
    func elsewhere<Value: Sendable>(_ job: Job, _ compute: @escaping @Sendable () -> Value,
                                    then goOn: @escaping @Sendable (Value) throws -> Void) {
        let (generation, work) = (job.generation, work)
        background.async { [self] in
            let value = compute()
            work.async { [self] in
                guard job.generation == generation, queue[job.id]?.state.isEnded == false else { return }
                attempt(job) { try goOn(value) }
            }
        }
    }

    /// Runs a piece of a start; what it throws is how the try failed.
    func attempt(_ job: Job, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            let error = error as? TransferError ?? TransferError(.other, "\(error)")
            // Room can be made; anything else that keeps a try from starting stays as it is.
            if FailurePolicy.verdict(error).next == .pause { judge(job, error, retryAfter: nil) } else { failed(job, error) }
        }
    }

    // MARK: Telling

    /// Changes a record and tells of it.
    func change(_ id: TransferID, _ name: TransferEvent.Name, _ body: (inout TransferSnapshot) -> Void) {
        guard queue.update(id, body) != nil else { return }
        tell(name, id)
        if !isShuttingDown, let event = HookEvent(name) { runHook(event, id) }
    }

    /// Changes a record without a word; the next event carries it.
    func note(_ id: TransferID, _ body: (inout TransferSnapshot) -> Void) { queue.update(id, body) }

    func tell(_ change: TransferQueue.Reordering) {
        for id in change.reprioritized { tell(.changed, id) }
        if change.isOrderChanged { hub.post(.order(queue.order)) }
    }

    /// Writes down what happened, and tells of it.
    func tell(_ name: TransferEvent.Name, _ id: TransferID) {
        if let journal, let transfer = queue[id] { journal.record(transfer, name, jobs[id]) }
        clearSuspect(id)
        announce(name, id)
    }

    /// Events that come close together go out together.
    func announce(_ name: TransferEvent.Name, _ id: TransferID) {
        guard hub.isHeard, let transfer = queue[id] else { return }
        hub.post(TransferEvent(time: scheduler.wallNow, name: name, transfer: transfer))
        guard let pause = flushing.pauseBeforeFlush(at: scheduler.now, isIdle: !queue.isBusy) else { return }
        let flush = { @Sendable [self] in
            flushing.flushed(at: scheduler.now)
            hub.flush()
        }
        if pause > 0 { work.asyncAfter(deadline: .now() + pause, execute: flush) } else { work.async(execute: flush) }
    }
}
