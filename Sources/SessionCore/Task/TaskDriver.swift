// SPDX-License-Identifier: MIT

import Dispatch
import HTTPTypes
import Synchronization
import TransferModel

/// Joins a task's state machine to the transport below and the listener above.
///
/// The funnel: lock, let the machine decide, unlock, act. Calls come from any thread, exchange events from the
/// transport's; what the listener hears goes through the session's delegate queue.
final class TaskDriver: Sendable {
    /// What is sent or received, and where it lives.
    enum Payload: Sendable {
        case data(sending: [UInt8]?)
        case upload(UploadBody, digest: Checksum.Algorithm?)
        case download(DownloadTarget)
    }

    typealias Step = TaskMachine.Step

    struct Guarded {
        var machine: TaskMachine
        /// What the session's gate was asked for, and gave.
        var slot = TaskMachine.Slot.none
        /// The transport was told to hold the bytes of the exchange under way.
        var isPaused = false
        var settings: Settings
        var report: Report
        var upload = Upload()
        var storage: Storage
        var caching = Caching()
        var notice = Notice()
        var resumeDataReceiver: (@Sendable (ResumeData?) -> Void)?
        /// The session is kept alive by a running task, and let go when it has ended.
        var session: TransferSession?
        var delegate = Audience(nil)
    }

    /// What the program may change at any time.
    struct Settings {
        var rateLimit: Int?
        var priority: Double
        /// The task uses whatever network there is, whatever it costs.
        var isUnrestricted: Bool
        var taskDescription: String?
        var earliestBegin: Double?
        var clientExpects: (toSend: Int64?, toReceive: Int64?)
    }

    /// A request as it was sent.
    struct Sent {
        var url: TransferURL
        var method: HTTPRequest.Method
        var isOriginalOrigin: Bool
        var fields: HTTPFields
    }

    /// What the task shows.
    struct Report {
        var response: HTTPResponse?
        var error: TransferError?
        var progress = TaskProgress()
        var metrics = TransferMetrics()
        var digest: [UInt8]?
        /// Of the last exchange.
        var isAnsweredEarly = false
        /// The first bytes of an error response that a download does not take; `nil` where none has come.
        var refusedBody: [UInt8]?
        /// What the last exchange was sent with.
        var sent: Sent?
        /// A password went out as Basic without TLS, because the server asked for that.
        var hasSentPasswordInClear = false

        init(start: Double) { metrics.taskStart = start }
    }

    /// Where the body that is sent comes from.
    struct Upload {
        var source: UploadSourceFile?
        /// Bytes were taken from a stream: it cannot be sent from its beginning any more.
        var hasReadStream = false
        /// The stream that replaces the one that was read.
        var newStream: Int32?
        /// A delegate was asked for ``newStream``.
        var hasAskedForStream = false

        var isUsedUp: Bool { hasReadStream && newStream == nil }
    }

    /// What the listener was told about the network.
    struct Notice {
        /// The wait that was reported last; `nil` once the network carried the task again.
        var lastWait: PathWait?
        var hasWaited = false
        var hasReportedFirstWait = false
    }

    let identifier: Int
    let originalRequest: TransferRequest
    /// Behind a mutex of its own, as it is read under the other one too.
    private let replacement = Mutex<TransferRequest?>(nil)
    let payload: Payload
    let guarded: Mutex<Guarded>
    let observer: TaskObserver

    init(identifier: Int, request: TransferRequest, payload: Payload, observer: TaskObserver, session: TransferSession)
    {
        self.identifier = identifier
        originalRequest = request
        self.payload = payload
        self.observer = observer
        let redirects = RedirectPolicy(
            maximum: request.options.maximumRedirects ?? session.configuration.maximumRedirects,
            allowsDowngrade: request.options.allowsDowngrade ?? session.configuration.allowsDowngradeRedirects)
        let url = session.configuration.transportSecurity?.secured(request.url) ?? request.url
        let role: TaskMachine.Role =
            switch payload {
            case .data: .data
            case .upload: .upload
            case .download(let target): .download(rewindable: target.canRewind)
            }
        var (resume, copy): (ResumePoint?, Validator?)
        if case .download(let target) = payload { (resume, copy) = (target.resume, target.copy) }
        // Made in place: these are large.
        guarded = Mutex(
            Guarded(
                machine: TaskMachine(
                    role: role, request: request, url: url, sendsBody: payload.sendsBody, resume: resume, copy: copy,
                    redirectPolicy: redirects),
                settings: Settings(
                    rateLimit: request.options.rateLimit, priority: request.options.priority,
                    isUnrestricted: request.options.liftsRestrictions),
                report: Report(start: session.scheduler.wallNow), storage: Storage(temporary: payload.givenTemporary),
                session: session))
    }

    /// What is asked: the original request, or what a delegate put in its place before it was sent.
    var request: TransferRequest { replacement.withLock { $0 } ?? originalRequest }

    func replaceRequest(_ request: TransferRequest) { replacement.withLock { $0 = request } }

    /// Where the bytes of a download go.
    var target: DownloadTarget? {
        if case .download(let target) = payload { return target }
        return guarded.withLock { $0.storage.becameDownload }
    }

    // MARK: The funnel

    /// Passes one event to the machine and carries out what it decides.
    func call(_ transform: (inout TaskMachine) -> Step) { change { guarded, _ in transform(&guarded.machine) } }

    /// Lock, let the machine decide, give the session's gate and the transport what its new state asks for, unlock,
    /// act. Without effect once the task has ended.
    ///
    /// The gate is told under the lock, and so is the transport to start an exchange and to hold its bytes: of two
    /// changes, both hear in the order in which they were made.
    func change(_ decide: (inout Guarded, TransferSession) -> Step) {
        let decided = guarded.withLock { guarded -> (Decision, TransferSession)? in
            guard let session = guarded.session else { return nil }
            return (decision(&guarded, session, decide), session)
        }
        guard let (decision, session) = decided else { return }
        if let turn = decision.turn {
            session.suspensionChanged(of: identifier, isSuspended: decision.isSuspended, turn: turn)
        }
        for driver in decision.next { driver.launch() }
        perform(decision, session)
    }

    /// What is left to do after unlocking.
    private struct Decision {
        var step: Step
        /// The one under way.
        var exchange: ExchangeID?
        /// Of a suspension or a resumption.
        var turn: Int?
        var isSuspended = false
        /// Tasks whose slots have come.
        var next: [TaskDriver] = []
    }

    private func decision(
        _ guarded: inout Guarded, _ session: TransferSession,
        _ decide: (inout Guarded, TransferSession) -> Step
    ) -> Decision {
        let turn = guarded.machine.suspensionTurn
        var decision = Decision(step: decide(&guarded, session))
        if case .begin = decision.step { decision.step = guarded.machine.prepare(readiness(&guarded, session)) }
        if guarded.machine.suspensionTurn != turn {
            (decision.turn, decision.isSuspended) = (guarded.machine.suspensionTurn, guarded.machine.isSuspended)
        }
        if let exchange = guarded.machine.exchange {
            decision.exchange = exchange
            let isHeld = guarded.machine.isHeld
            if isHeld != guarded.isPaused {
                guarded.isPaused = isHeld
                if isHeld { session.transport.pause(exchange) } else { session.transport.resume(exchange) }
            }
        }
        if guarded.machine.slot != guarded.slot { changeSlot(&decision, &guarded, session) }
        return decision
    }

    private func changeSlot(_ decision: inout Decision, _ guarded: inout Guarded, _ session: TransferSession) {
        if guarded.slot != .none { decision.next = session.leaveGate(identifier) }
        guarded.slot = guarded.machine.slot
        switch guarded.slot {
        case .none: break
        case .held: session.takePlaceAnyway(identifier, host: guarded.machine.plan.url.origin)
        case .queued: if let step = entered(&guarded, session) { decision.step = step }
        }
    }

    /// - Returns: `nil` as long as the task has to wait.
    private func entered(_ guarded: inout Guarded, _ session: TransferSession) -> Step? {
        let host = guarded.machine.plan.url.origin
        guard session.enterGate(identifier, host: host, priority: guarded.settings.priority) else { return nil }
        guarded.slot = .held
        return guarded.machine.slotGranted()
    }

    /// The gate may have given the task its slot.
    func launch() {
        change { guarded, session in guarded.slot == .queued ? entered(&guarded, session) ?? .none : .none }
    }

    private func perform(_ decision: Decision, _ session: TransferSession) {
        switch decision.step {
        // Carried out under the lock.
        case .none, .begin, .send: break
        case .cancel: if let exchange = decision.exchange { session.transport.cancel(exchange) }
        case .delay(let seconds):
            session.scheduler.schedule(at: session.scheduler.now + seconds) { [weak self] in
                self?.call { $0.delayPassed() }
            }
        case .askAboutDelay: session.askAboutDelayed(self) { [weak self] in self?.delayDecided($0) }
        case .consultCache: consultCache(session)
        case .replay: giveStored(session)
        case .make: make(session)
        case .askForBody: askForBody(session)
        case .pause:
            guard let turn = decision.turn else { break }
            session.afterGrace { [weak self] in self?.call { $0.suspensionLasted(turn) } }
        case .proceed: checkNetwork(session)
        case .ask(let question): ask(question, session)
        case .wait(let wait), .hold(let wait): self.wait(wait, session)
        case .checkName(let host): checkName(host, session)
        case .finish(let error): finish(error, session)
        }
    }

    // MARK: Calls

    func setRateLimit(_ bytesPerSecond: Int?) {
        let (exchange, session) = guarded.withLock { guarded in
            guarded.settings.rateLimit = bytesPerSecond
            return (guarded.machine.exchange, guarded.session)
        }
        if let exchange { session?.transport.setRateLimit(bytesPerSecond, of: exchange) }
    }

    func setPriority(_ priority: Double) {
        let session = guarded.withLock { guarded in
            guarded.settings.priority = priority
            return guarded.session
        }
        session?.changePriority(of: identifier, to: priority)
    }

    func cancel(byProducingResumeData receive: @escaping @Sendable (ResumeData?) -> Void) {
        let isTaken = guarded.withLock { guarded in
            guard !guarded.machine.isEnded, guarded.resumeDataReceiver == nil else { return false }
            guarded.resumeDataReceiver = receive
            return true
        }
        guard isTaken else { return observer.outbox.queue.async { receive(nil) } }
        call { $0.cancel() }
    }

    // MARK: Reporting

    /// Unless the task has ended.
    func announce(_ events: [TaskEvent]) {
        if let session = guarded.withLock({ $0.session }) { announce(events, session) }
    }

    /// What is announced after the end is not delivered.
    func announce(_ events: [TaskEvent], _ session: TransferSession) {
        observer.deliver(events, of: identifier, session: session)
    }

    /// A delegate hears of a download's head only through what follows from it.
    func announceHead(_ head: HTTPResponse, _ session: TransferSession) {
        if target != nil, case .delegate = observer.listener { return }
        announce([.response(head)], session)
    }
}

extension TaskDriver.Payload {
    /// The temporary file that a download goes on with.
    var givenTemporary: PartialFile? {
        guard case .download(let target) = self, target.isTemporary, case .partial(let file) = target.place else {
            return nil
        }
        return file
    }

    var sendsBody: Bool {
        switch self {
        case .data(let body): body != nil
        case .upload: true
        case .download(let target): target.body != nil
        }
    }
}
