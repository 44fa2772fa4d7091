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
        /// It waits: for the cache's answer, its turn, a new body, or the task's resumption.
        case waiting(TaskStateMachine.ExchangePlan)
        /// It is being made; calls that come meanwhile are looked at when it runs.
        case starting
        case running(ExchangeID)
        /// A stored answer is being given as if it came from the network.
        case stored
    }

    struct Guarded {
        var machine: TaskStateMachine
        var stage = Stage.none
        /// The plan of the exchange under way.
        var plan: TaskStateMachine.ExchangePlan?
        var proxy: ProxyServer?
        /// The server's certificate was accepted by somebody, not by the system.
        var trustsByException = false
        var response: HTTPResponse?
        var error: TransferError?
        var progress = TaskProgress()
        /// Bytes of the file that were there before the exchange.
        var storedBefore: Int64 = 0
        /// The bytes of `progress.received` go to the file.
        var isStoring = false
        /// From which the system would have sent when the exchange began; `nil`: not known.
        var sourceAddress: HostAddress?
        var metrics = TransferMetrics()
        var digest: [UInt8]?
        var rateLimit: Int?
        var taskDescription: String?
        var clientExpects: (toSend: Int64?, toReceive: Int64?)
        var priority: Double
        var source: UploadSourceFile?
        /// Bytes were taken from a stream: it cannot be sent from its beginning any more.
        var hasReadStream = false
        /// The stream that replaces the one that was read.
        var newStream: Int32?
        var temporary: PartialFile?
        /// Where the body goes since the answer of a data task became a download.
        var becameDownload: DownloadTarget?
        var pipe: ResponsePipe?
        var caching = Caching()
        /// The wait that the listener knows of.
        var toldWait: PathWait?
        var hasWaited = false
        var hasToldFirstWait = false
        /// Somebody wants it now, whatever the network costs.
        var isUnrestricted: Bool
        /// Rises with every suspension, so that a timer knows whether it is still meant.
        var suspension = 0
        var resumeDataReceiver: (@Sendable (ResumeData?) -> Void)?
        /// The session is kept alive by a running task, and let go when it has ended.
        var session: TransferSession?
        var delegate = Audience(nil)
    }

    let identifier: Int
    let request: TransferRequest
    let payload: Payload
    let guarded: Mutex<Guarded>
    let observer: TaskObserver

    init(identifier: Int, request: TransferRequest, payload: Payload, observer: TaskObserver, session: TransferSession) {
        self.identifier = identifier
        self.request = request
        self.payload = payload
        self.observer = observer
        let configuration = session.configuration
        let redirects = RedirectPolicy(maximum: configuration.maximumRedirects)
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
                                isUnrestricted: request.options.liftsRestrictions, session: session))
    }

    /// Where the bytes of a download go.
    var target: DownloadTarget? {
        if case .download(let target) = payload { return target }
        return guarded.withLock { $0.becameDownload }
    }

    // MARK: Calls

    /// Passes one call to the machine and carries out what it answers.
    func call(_ transform: (inout TaskStateMachine) -> TaskStateMachine.Step) {
        let (step, session) = guarded.withLock { guarded in (transform(&guarded.machine), guarded.session) }
        guard let session else { return }
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
        let (stage, suspension) = guarded.withLock { guarded in
            guarded.suspension += 1
            return (guarded.stage, guarded.suspension)
        }
        if case .running(let exchange) = stage { session.transport.pause(exchange) }
        // A paused exchange moves nothing: its place is for others.
        session.leaveGate(identifier)
        session.afterGrace { [weak self] in self?.suspensionLasted(suspension) }
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
        case .running(let exchange):
            session.takePlaceAnyway(identifier, host: gateHost)
            session.transport.resume(exchange)
        case .waiting: queueUp(session)
        case .none, .starting, .stored: break
        }
    }

    /// Ends the exchange that is under way, whose end the machine waits for.
    private func endExchange(_ session: TransferSession) {
        let stage = guarded.withLock { guarded in
            defer { if case .waiting = guarded.stage { guarded.stage = .none } }
            return guarded.stage
        }
        switch stage {
        case .running(let exchange): session.transport.cancel(exchange)
        case .waiting:
            session.leaveGate(identifier)
            end(ExchangeEnd(failure: .cancelled), session)
        case .none, .starting, .stored: break
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
    var sendsBody: Bool {
        switch self {
        case .data(let body): body != nil
        case .upload: true
        case .download: false
        }
    }
}
