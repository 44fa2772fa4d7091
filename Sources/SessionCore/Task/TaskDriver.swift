// SPDX-License-Identifier: MIT

import Dispatch
import HTTPTypes
import Synchronization
import TransferModel

/// Connects a task's state machine with the transport below and the listener above.
///
/// Its state is changed on the transport's executor alone, where the events of exchanges come; the program's calls and
/// the timers are posted there. What any thread reads is in ``face``. Events for the listener go through the session's
/// delegate queue.
actor TaskDriver {
    /// The source or destination of a task's bytes.
    enum Payload: Sendable {
        case data(sending: [UInt8]?)
        case upload(UploadBody, digest: Checksum.Algorithm?)
        /// An upload of these bytes of a source that is open; with a ticket, its request is under way already.
        case opened(
            UploadSourceFile, Range<Int64>, digest: Checksum.Algorithm?, ticket: FetchTicket?, gate: BodyGate?)
        /// An upload that another task began.
        case continued(UploadResumeData)
        case download(DownloadTarget)
    }

    typealias Step = TaskMachine.Step

    /// Where the body that is sent comes from.
    struct Upload {
        var source: UploadSourceFile?
        /// Bytes were taken from a stream: it cannot be sent from its beginning any more.
        var hasReadStream = false
        /// The stream that replaces the one that was read.
        var newStream: Int32?
        /// A delegate was asked for ``newStream``.
        var hasAskedForStream = false
        /// It was decided whether the upload may be resumed.
        var isProtocolChosen = false

        var isUsedUp: Bool { hasReadStream && newStream == nil }
    }

    /// The last notification of the listener about the network.
    struct Notice {
        /// The wait that was reported last; `nil` once the network carried the task again.
        var lastWait: PathWait?
        var hasWaited = false
    }

    nonisolated let identifier: Int
    nonisolated let originalRequest: TransferRequest
    nonisolated let payload: Payload
    nonisolated let observer: TaskObserver
    nonisolated let executor: any TransportExecutor
    nonisolated let face: Mutex<TaskSnapshot>

    var machine: TaskMachine
    /// The slot that the session's gate has granted, or was asked for.
    private var slot = TaskMachine.Slot.none
    /// The transport holds the bytes of the current exchange.
    var isPaused = false
    var metrics = TransferMetrics()
    var upload = Upload()
    var storage: Storage
    var caching = Caching()
    var notice = Notice()
    /// Cookies that responses to this task have set, if neither the session nor the request has a storage.
    var ownCookies: CookieStorage?
    var resumeDataReceiver: (@Sendable (ResumeData?) -> Void)?
    /// A running task retains its session until it has ended.
    var session: TransferSession?

    init(identifier: Int, request: TransferRequest, payload: Payload, observer: TaskObserver, session: TransferSession)
    {
        self.identifier = identifier
        originalRequest = request
        self.payload = payload
        self.observer = observer
        executor = session.transport.executor
        let redirects = RedirectPolicy(
            maximum: request.options.maximumRedirects ?? session.configuration.maximumRedirects,
            allowsDowngrade: request.options.allowsDowngrade ?? session.configuration.allowsDowngradeRedirects,
            staysAtOrigin: request.staysAtOrigin)
        let url = session.configuration.transportSecurity?.secured(request.url) ?? request.url
        let role: TaskMachine.Role =
            switch payload {
            case .data: .data
            case .upload, .opened, .continued: .upload
            case .download(let target): .download(rewindable: target.canRewind)
            }
        var (resume, copy): (ResumePoint?, Validator?)
        if case .download(let target) = payload { (resume, copy) = (target.resume, target.copy) }
        if let address = resume?.address {
            resume?.address = session.configuration.transportSecurity?.secured(address) ?? address
        }
        machine = TaskMachine(
            role: role, request: request, url: url, sendsBody: payload.sendsBody, resume: resume, copy: copy,
            redirectPolicy: redirects)
        face = Mutex(TaskSnapshot(request.options))
        metrics.taskStart = session.scheduler.wallNow
        storage = Storage(temporary: payload.givenTemporary)
        self.session = session
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The original request, or its replacement by a delegate before it was sent.
    nonisolated var request: TransferRequest { face.withLock { $0.replacement } ?? originalRequest }

    /// The destination of a download.
    var target: DownloadTarget? {
        if case .download(let target) = payload { return target }
        return storage.becameDownload
    }

    /// A request under way, which the first exchange continues where it would be the same.
    var ticket: FetchTicket? {
        switch payload {
        case .opened(_, _, _, let ticket, _): ticket
        case .download(let target) where target.body == nil: target.ticket
        default: nil
        }
    }

    // MARK: Changing the state

    /// From any thread: runs `work` on the executor, after what was posted before.
    nonisolated func post(_ work: @escaping @Sendable (isolated TaskDriver) -> Void) {
        executor.post { self.assumeIsolated { work($0) } }
    }

    /// Passes one event to the machine and carries out what it decides.
    func call(_ transform: (inout TaskMachine) -> Step) { change { _ in transform(&machine) } }

    /// Lets the machine decide, gives the session's gate and the transport what its new state asks for, shows what has
    /// changed, and acts. Without effect once the task has ended.
    func change(_ decide: (TransferSession) -> Step) {
        guard let session else { return }
        let turn = machine.suspensionTurn
        var step = decide(session)
        if case .begin = step { step = machine.prepare(readiness(session)) }
        holdBytes(session)
        let next = machine.slot == slot ? [] : changeSlot(&step, session)
        let hasTurned = machine.suspensionTurn != turn
        publish()
        if hasTurned { session.suspensionChanged(of: self, isSuspended: machine.isSuspended) }
        for driver in next { driver.assumeIsolated { $0.launch() } }
        perform(step, session)
    }

    private func holdBytes(_ session: TransferSession) {
        guard let exchange = machine.exchange, machine.isHeld != isPaused else { return }
        isPaused.toggle()
        if isPaused { session.transport.pause(exchange) } else { session.transport.resume(exchange) }
    }

    /// - Returns: tasks whose slots have come.
    private func changeSlot(_ step: inout Step, _ session: TransferSession) -> [TaskDriver] {
        let next = slot == .none ? [] : session.leaveGate(identifier)
        slot = machine.slot
        switch slot {
        case .none: break
        case .held: session.takeSlotAnyway(identifier, host: machine.plan.url.origin)
        case .queued: if let entered = entered(session) { step = entered }
        }
        return next
    }

    /// - Returns: `nil` as long as the task has to wait.
    private func entered(_ session: TransferSession) -> Step? {
        let priority = face.withLock { $0.settings.priority }
        guard session.enterGate(identifier, host: machine.plan.url.origin, priority: priority) else { return nil }
        slot = .held
        return machine.slotGranted()
    }

    /// The gate may have given the task its slot.
    func launch() {
        change { session in slot == .queued ? entered(session) ?? .none : .none }
    }

    private func perform(_ step: Step, _ session: TransferSession) {
        switch step {
        // Carried out already.
        case .none, .begin: break
        case .cancel: if let exchange = machine.exchange { session.transport.cancel(exchange) }
        case .delay(let seconds): schedule(after: seconds, session) { $0.call { $0.delayPassed() } }
        case .askAboutDelay:
            session.askAboutDelayed(self) { [weak self] disposition in
                self?.post { $0.delayDecided(disposition) }
            }
        case .consultCache: consultCache(session)
        case .replay: giveStored(session)
        case .make: make(session)
        case .askForBody: askForBody(session)
        case .pause:
            let turn = machine.suspensionTurn
            schedule(after: session.configuration.suspensionGrace, session) { $0.call { $0.suspensionLasted(turn) } }
        case .proceed: checkNetwork(session)
        case .ask(let question): ask(question, session)
        case .wait(let wait), .hold(let wait): self.wait(wait, session)
        case .checkName(let host): checkName(host, session)
        case .finish(let error): finish(error, session)
        }
    }

    func schedule(
        after seconds: Double, _ session: TransferSession,
        _ work: @escaping @Sendable (isolated TaskDriver) -> Void
    ) {
        session.scheduler.schedule(at: session.scheduler.now + seconds) { [weak self] in self?.post(work) }
    }

    // MARK: Reporting

    /// Publishes all changes together: no resume point may combine one version's validator with the bytes of another.
    func publish(_ change: (inout TaskSnapshot) -> Void = { _ in }) {
        face.withLock { face in
            change(&face)
            if machine.hasBegun { face.url = machine.plan.url }
            face.wait = machine.wait
            face.restartCause = machine.restartCause
            if machine.role == .upload { face.uploadPoint = machine.resumable?.point }
            if machine.hasResult || face.resumable != nil { face.resumable = resumable }
        }
    }

    private var resumable: TaskSnapshot.Resumable? {
        guard machine.hasResult else { return nil }
        return TaskSnapshot.Resumable(
            next: machine.pendingResume ?? machine.storedPoint, before: storage.before, isStoring: storage.isStoring,
            validator: machine.validator, total: machine.total, contentType: machine.contentType,
            contentEncoding: machine.contentEncoding, address: machine.plan.url,
            hasComeInRanges: machine.hasComeInRanges)
    }

    /// Unless the task has ended.
    func announce(_ events: [TaskEvent]) {
        if let session { announce(events, session) }
    }

    /// Delivers events to the listener. Events after the end are dropped.
    func announce(_ events: [TaskEvent], _ session: TransferSession) {
        observer.deliver(events, of: identifier, session: session)
    }

    /// A delegate is not notified of a download's head, only of what follows from it.
    func announceHead(_ head: HTTPResponse, _ session: TransferSession) {
        if target != nil, case .delegate = observer.listener { return }
        announce([.response(head)], session)
    }
}

extension TaskDriver.Payload {
    /// The temporary file from which a download resumes.
    var givenTemporary: PartialFile? {
        guard case .download(let target) = self, target.isTemporary, case .partial(let file) = target.place else {
            return nil
        }
        return file
    }

    var sendsBody: Bool {
        switch self {
        case .data(let body): body != nil
        case .upload, .opened, .continued: true
        case .download(let target): target.body != nil
        }
    }
}
