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

    /// How far the exchange is that the machine wants.
    enum Stage {
        /// None is wanted.
        case none
        /// The cache is asked whether it is needed.
        case consulting(TaskStateMachine.ExchangePlan)
        /// Its earliest begin has come, and a delegate is asked whether its request is still the right one.
        case asking(TaskStateMachine.ExchangePlan)
        /// It waits: for its turn, or the task's resumption.
        case waiting(TaskStateMachine.ExchangePlan)
        /// A delegate is asked for a body, since the one there was has been read.
        case lackingBody(TaskStateMachine.ExchangePlan)
        /// It is being made; calls that come meanwhile are looked at when it runs.
        case starting
        case running(ExchangeID)
        /// It is over, its answer being without a body, and what its head means is still being asked.
        case answered(ExchangeEnd)
        /// A stored answer is being given as if it came from the network.
        case stored
    }

    struct Guarded {
        var machine: TaskStateMachine
        var stage = Stage.none
        /// The plan of the exchange under way.
        var plan: TaskStateMachine.ExchangePlan?
        var proxy: ProxyServer?
        /// Where the exchange under way goes instead of to its host.
        var alternative: Exchange.Alternative?
        /// The server's certificate was accepted by somebody, not by the system.
        var trustsByException = false
        /// A password went out as Basic without TLS, because the server asked for that.
        var hasSentPasswordInClear = false
        var response: HTTPResponse?
        var error: TransferError?
        var progress = TaskProgress()
        /// Bytes of the file that were there before the exchange.
        var storedBefore: Int64 = 0
        /// The bytes of `progress.received` go to the file.
        var isStoring = false
        /// From which the system would have sent when the exchange began; `nil`: not known.
        var sourceAddress: HostAddress?
        /// From which it would send now, where that is known to the listener.
        var betterSource: HostAddress?
        var metrics = TransferMetrics()
        var digest: [UInt8]?
        /// Of the last exchange.
        var isAnsweredEarly = false
        /// The first bytes of an error response that a download does not take; `nil` where none has come.
        var refusedBody: [UInt8]?
        var rateLimit: Int?
        var taskDescription: String?
        var earliestBegin: Double?
        /// A timer will look at ``earliestBegin`` again.
        var isBeginScheduled = false
        /// The earliest begin had not come when the exchange was wanted.
        var isBeginAwaited = false
        /// A delegate has been asked about the delayed request.
        var hasAskedAboutBegin = false
        /// What the last exchange was sent with.
        var sent: (plan: TaskStateMachine.ExchangePlan, fields: HTTPFields)?
        /// Bodies are decoded by the transport, and that of the response under way is.
        var isDecoding = false
        var isDecoded = false
        var clientExpects: (toSend: Int64?, toReceive: Int64?)
        var priority: Double
        var source: UploadSourceFile?
        /// Bytes were taken from a stream: it cannot be sent from its beginning any more.
        var hasReadStream = false
        /// The stream that replaces the one that was read.
        var newStream: Int32?
        var temporary: PartialFile?
        /// Where the body goes since another version came than the target's file holds.
        var replacement: PartialFile?
        /// Where the body goes since the answer of a data task became a download.
        var becameDownload: DownloadTarget?
        var pipe: ResponsePipe?
        /// Whoever reads the pipe is slower than what comes.
        var isPipeFull = false
        var caching = Caching()
        /// The wait that the listener knows of.
        var toldWait: PathWait?
        var hasWaited = false
        var hasToldFirstWait = false
        /// Somebody wants it now, whatever the network costs.
        var isUnrestricted: Bool
        /// Rises with every suspension, so that a timer knows whether it is still meant.
        var suspension = 0
        /// Rises whenever the task is suspended or resumed, so that the two are told apart in their order.
        var suspensionTurn = 0
        var resumeDataReceiver: (@Sendable (ResumeData?) -> Void)?
        /// The session is kept alive by a running task, and let go when it has ended.
        var session: TransferSession?
        var delegate = Audience(nil)
    }

    let identifier: Int
    let originalRequest: TransferRequest
    /// Behind a mutex of its own, as it is read under the other one too.
    private let replacement = Mutex<TransferRequest?>(nil)
    let payload: Payload
    let guarded: Mutex<Guarded>
    let observer: TaskObserver

    init(identifier: Int, request: TransferRequest, payload: Payload, observer: TaskObserver, session: TransferSession) {
        self.identifier = identifier
        originalRequest = request
        self.payload = payload
        self.observer = observer
        let configuration = session.configuration
        let redirects = RedirectPolicy(maximum: request.options.maximumRedirects ?? configuration.maximumRedirects,
                                       allowsDowngrade: request.options.allowsDowngrade ?? configuration.allowsDowngradeRedirects)
        let url = configuration.transportSecurity?.secured(request.url) ?? request.url
        let role: TaskStateMachine.Role = switch payload {
        case .data: .data
        case .upload: .upload
        case .download(let target): .download(rewindable: target.canRewind)
        }
        var (resume, copy): (ResumePoint?, Validator?)
        if case .download(let target) = payload { (resume, copy) = (target.resume, target.copy) }
        let machine = TaskStateMachine(role: role, request: request, url: url, sendsBody: payload.sendsBody, resume: resume,
                                       copy: copy, redirectPolicy: redirects)
        var metrics = TransferMetrics()
        metrics.taskStart = session.scheduler.wallNow
        guarded = Mutex(Guarded(machine: machine, metrics: metrics, rateLimit: request.options.rateLimit, priority: request.options.priority,
                                temporary: payload.givenTemporary, isUnrestricted: request.options.liftsRestrictions, session: session))
    }

    /// What is asked: the original request, or what a delegate put in its place before it was sent.
    var request: TransferRequest { replacement.withLock { $0 } ?? originalRequest }

    func replaceRequest(_ request: TransferRequest) { replacement.withLock { $0 = request } }

    /// Where the bytes of a download go.
    var target: DownloadTarget? {
        if case .download(let target) = payload { return target }
        return guarded.withLock { $0.becameDownload }
    }

    /// As ``target`` says it, for a caller that holds the lock.
    func isDownload(_ guarded: Guarded) -> Bool {
        if case .download = payload { return true }
        return guarded.becameDownload != nil
    }

    // MARK: Calls

    /// Passes one call to the machine and carries out what it answers.
    func call(_ transform: (inout TaskStateMachine) -> TaskStateMachine.Step) {
        let (step, session, change) = guarded.withLock { guarded in
            let wasSuspended = guarded.machine.isSuspended
            let step = transform(&guarded.machine)
            let isSuspended = guarded.machine.isSuspended
            if wasSuspended != isSuspended { guarded.suspensionTurn += 1 }
            return (step, guarded.session, wasSuspended == isSuspended ? nil : (isSuspended, guarded.suspensionTurn))
        }
        guard let session else { return }
        if let (isSuspended, turn) = change {
            session.suspensionChanged(of: identifier, isSuspended: isSuspended, turn: turn)
        }
        perform(step, session)
    }

    func setRateLimit(_ bytesPerSecond: Int?) {
        let (stage, session) = guarded.withLock { guarded in
            guarded.rateLimit = bytesPerSecond
            return (guarded.stage, guarded.session)
        }
        if case .running(let exchange) = stage, let session { session.transport.setRateLimit(bytesPerSecond, of: exchange) }
    }

    func setPriority(_ priority: Double) {
        let session = guarded.withLock { guarded in
            guarded.priority = priority
            return guarded.session
        }
        session?.changePriority(of: identifier, to: priority)
    }

    func cancel(byProducingResumeData receive: @escaping @Sendable (ResumeData?) -> Void) {
        let session: TransferSession? = guarded.withLock { guarded in
            guard !guarded.machine.isEnded, guarded.resumeDataReceiver == nil else { return nil }
            guarded.resumeDataReceiver = receive
            return guarded.session
        }
        guard session != nil else { return observer.outbox.queue.async { receive(nil) } }
        call { $0.cancel() }
    }

    // MARK: Acting

    func perform(_ step: TaskStateMachine.Step, _ session: TransferSession) {
        switch step {
        case .none: break
        case .begin(let plan): begin(plan, session)
        case .pause: pause(session)
        case .proceed: proceed(session)
        case .cancel: endExchange(session)
        case .ask(let question): ask(question, session)
        case .wait(let wait): self.wait(wait, session)
        case .hold(let wait): hold(wait, session)
        case .checkName(let host): checkName(host, session)
        case .finish(let error): finish(error, session)
        }
    }

    private func pause(_ session: TransferSession) {
        let suspension = guarded.withLock { guarded in
            guarded.suspension += 1
            return guarded.suspension
        }
        holdOrLetGo(session)
        // A paused exchange moves nothing: its place is for others.
        session.leaveGate(identifier)
        session.afterGrace { [weak self] in self?.suspensionLasted(suspension) }
        // A resumption that came meanwhile on another thread may have taken the place before it was left.
        if guarded.withLock({ !$0.machine.isSuspended }) { proceed(session) }
    }

    /// Holds the bytes of the exchange under way as long as anything wants them held. Under the lock, so that of several
    /// threads that come here at once the last one to be heard has seen all.
    func holdOrLetGo(_ session: TransferSession) {
        guarded.withLock { guarded in
            guard case .running(let exchange) = guarded.stage else { return }
            if guarded.machine.isSuspended || guarded.machine.pathHold != nil || guarded.isPipeFull {
                session.transport.pause(exchange)
            } else {
                session.transport.resume(exchange)
            }
        }
    }

    private func suspensionLasted(_ suspension: Int) {
        let (step, session) = guarded.withLock { guarded -> (TaskStateMachine.Step, TransferSession?) in
            guard guarded.suspension == suspension else { return (.none, nil) }
            if case .stored = guarded.stage { return (.none, nil) }
            return (guarded.machine.suspensionLasted(), guarded.session)
        }
        if let session { perform(step, session) }
    }

    private func proceed(_ session: TransferSession) {
        let stage = guarded.withLock { guarded in
            guarded.suspension += 1
            return guarded.stage
        }
        switch stage {
        case .running:
            session.takePlaceAnyway(identifier, host: gateHost)
            holdOrLetGo(session)
            keepPlaceIfNeeded(session)
            // Meanwhile the network may have become one that this task may not use.
            if case .waits(let wait) = permission(for: currentURL, session), wait.canBeLifted { pathChanged(hasLost: false, session) }
        case .waiting: queueUp(session)
        case .none, .consulting, .asking, .lackingBody, .starting, .stored, .answered: break
        }
    }

    /// The exchange may have ended while its place was taken: a place that nobody leaves is lost to all.
    private func keepPlaceIfNeeded(_ session: TransferSession) {
        let (stage, isSuspended) = guarded.withLock { ($0.stage, $0.machine.isSuspended) }
        switch stage {
        case .none, .consulting, .asking, .stored, .answered: session.leaveGate(identifier)
        case .waiting: queueUp(session)
        case .lackingBody, .starting, .running: if isSuspended { session.leaveGate(identifier) }
        }
    }

    /// Ends the exchange that is under way, whose end the machine waits for.
    private func endExchange(_ session: TransferSession) {
        let stage = guarded.withLock { guarded in
            switch guarded.stage {
            case .none, .starting, .running: return guarded.stage
            case .consulting, .asking, .waiting, .lackingBody, .stored, .answered:
                defer { guarded.stage = .none }
                return guarded.stage
            }
        }
        switch stage {
        case .running(let exchange): session.transport.cancel(exchange)
        case .answered(let end): goOn(after: end, session)
        case .consulting, .asking, .waiting, .lackingBody, .stored:
            session.leaveGate(identifier)
            end(ExchangeEnd(failure: .cancelled), session)
        case .none, .starting: break
        }
    }

    /// Passes an exchange's end to the machine.
    func end(_ outcome: ExchangeEnd, _ session: TransferSession) {
        let context = context(session)
        perform(guarded.withLock { $0.machine.exchangeEnded(outcome, context) }, session)
    }

    /// Tells the listener, unless the task has told its end.
    func announce(_ events: [TaskEvent]) {
        guard let session = guarded.withLock({ $0.session }) else { return }
        observer.deliver(events, of: identifier, session: session)
    }

    /// A delegate hears of a download's head only through what follows from it.
    func announceHead(_ head: HTTPResponse) {
        if target != nil, case .delegate = observer.listener { return }
        announce([.response(head)])
    }
}

extension TaskDriver.Payload {
    /// The temporary file that a download goes on with.
    var givenTemporary: PartialFile? {
        guard case .download(let target) = self, target.isTemporary, case .partial(let file) = target.place else { return nil }
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
