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

    struct Guarded {
        var machine: TaskStateMachine
        var exchange: ExchangeID?
        /// The plan of the exchange under way.
        var plan: TaskStateMachine.ExchangePlan?
        var response: HTTPResponse?
        var error: TransferError?
        var progress = TaskProgress()
        var metrics = TransferMetrics()
        var digest: [UInt8]?
        var rateLimit: Int?
        var source: UploadSourceFile?
        /// Bytes were taken from a stream: it cannot be sent from its beginning any more.
        var hasReadStream = false
        var temporary: PartialFile?
        var resumeDataReceiver: (@Sendable (ResumeData?) -> Void)?
        /// The session is kept alive by a running task, and let go when it has ended.
        var session: TransferSession?
    }

    let identifier: Int
    let request: TransferRequest
    let payload: Payload
    let guarded: Mutex<Guarded>
    private let observer: TaskObserver

    init(identifier: Int, request: TransferRequest, payload: Payload, observer: TaskObserver, session: TransferSession) {
        self.identifier = identifier
        self.request = request
        self.payload = payload
        self.observer = observer
        let redirects = RedirectPolicy(maximum: session.configuration.maximumRedirects)
        let machine = switch payload {
        case .data(let body):
            TaskStateMachine(role: .data, request: request, sendsBody: body != nil, redirectPolicy: redirects)
        case .upload:
            TaskStateMachine(role: .upload, request: request, sendsBody: true, redirectPolicy: redirects)
        case .download(let target):
            TaskStateMachine(role: .download(rewindable: target.canRewind), request: request, sendsBody: false,
                             resume: target.resume, redirectPolicy: redirects)
        }
        guarded = Mutex(Guarded(machine: machine, rateLimit: request.options.rateLimit, session: session))
        guarded.withLock { $0.metrics.taskStart = session.scheduler.wallNow }
    }

    // MARK: Calls

    /// Passes one call to the machine and carries out what it answers.
    func call(_ transform: (inout TaskStateMachine) -> TaskStateMachine.Step) {
        let (step, exchange, session) = guarded.withLock { guarded in
            (transform(&guarded.machine), guarded.exchange, guarded.session)
        }
        guard let session else { return }
        perform(step, exchange: exchange, session: session)
    }

    func setRateLimit(_ bytesPerSecond: Int?) {
        let (exchange, session) = guarded.withLock { guarded in
            guarded.rateLimit = bytesPerSecond
            return (guarded.exchange, guarded.session)
        }
        if let exchange, let session { session.transport.setRateLimit(bytesPerSecond, of: exchange) }
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

    func perform(_ step: TaskStateMachine.Step, exchange: ExchangeID?, session: TransferSession) {
        switch step {
        case .none: break
        case .begin(let plan): begin(plan, session)
        case .pause: if let exchange { session.transport.pause(exchange) }
        case .proceed: if let exchange { session.transport.resume(exchange) }
        case .cancel: if let exchange { session.transport.cancel(exchange) }
        case .finish(let error): finish(error, session)
        }
    }

    private func begin(_ plan: TaskStateMachine.ExchangePlan, _ session: TransferSession) {
        do throws(TransferError) {
            let exchange = try makeExchange(plan, session)
            let mustPause = guarded.withLock { guarded in
                guarded.plan = plan
                guarded.progress.received = 0
                guarded.progress.sent = 0
                guarded.metrics.exchanges += 1
                // Under the lock, so that no event of the exchange can come before its name is known.
                guarded.exchange = session.transport.start(exchange, handler: self)
                return guarded.machine.isSuspended || guarded.machine.wantsNoExchange
            }
            if mustPause { settle(session) }
        } catch {
            let step = guarded.withLock { $0.machine.exchangeEnded(error, received: 0) }
            perform(step, exchange: nil, session: session)
        }
    }

    /// A call that came while an exchange was being made found none to act on: it acts now.
    private func settle(_ session: TransferSession) {
        let (exchange, cancelling) = guarded.withLock { ($0.exchange, $0.machine.wantsNoExchange) }
        guard let exchange else { return }
        if cancelling { session.transport.cancel(exchange) } else { session.transport.pause(exchange) }
    }

    private func finish(_ proposed: TransferError?, _ session: TransferSession) {
        var error = proposed
        let (source, receiver, metrics, temporary) = guarded.withLock { guarded in
            guarded.exchange = nil
            guarded.session = nil
            guarded.metrics.redirects = guarded.machine.redirects
            guarded.metrics.resumedFrom = guarded.machine.resumedFrom
            guarded.metrics.taskEnd = session.scheduler.wallNow
            defer { (guarded.source, guarded.resumeDataReceiver, guarded.temporary) = (nil, nil, nil) }
            return (guarded.source, guarded.resumeDataReceiver, guarded.metrics, guarded.temporary)
        }
        if error == nil, let source, source.hasChanged {
            error = TransferError(.cannotReadSource, "\(source.path): changed while it was being sent; send it again")
        }
        let ending = error
        guarded.withLock { $0.error = ending }
        var events: [TaskEvent] = []
        if ending == nil, let path = storedPath(temporary) { events.append(.finishedDownload(path: path)) }
        events += [.metrics(metrics), .completed(ending)]
        let resumeData = receiver == nil ? nil : makeResumeData(temporary)
        // Whoever gets the data may open the file before the last reference to it here has gone.
        if resumeData != nil { temporary?.unlock() }
        observer.deliver(events, of: identifier, session: session,
                         ending: TaskEnding(receiver: receiver, resumeData: resumeData, temporary: temporary))
    }

    /// Where a whole download lies; `nil` where none was stored.
    private func storedPath(_ temporary: PartialFile?) -> String? {
        guard case .download(let target) = payload else { return nil }
        switch target.place {
        case .temporary: return guarded.withLock { $0.machine.hasResult } ? temporary?.path : nil
        case .partial(let file): return guarded.withLock { $0.machine.hasResult } ? file.path : nil
        case .stream: return nil
        }
    }

    /// Tells the listener, unless the task has told its end.
    func announce(_ events: [TaskEvent]) {
        guard let session = guarded.withLock({ $0.session }) else { return }
        observer.deliver(events, of: identifier, session: session)
    }

    /// A delegate hears of a download's head only through what follows from it.
    func announceHead(_ head: HTTPResponse) {
        if case (.download, .delegate) = (payload, observer.listener) { return }
        announce([.response(head)])
    }
}
