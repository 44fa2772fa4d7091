// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import HTTPTypes
import Synchronization
import TransferModel

/// Stands in this process for a task that another one carries out.
///
/// It never waits for a reply: calls go to the connector, and what the connector reports becomes the task's events. The
/// connector is called under the lock, so that it receives the calls of several threads in the order of their effect.
final class BackgroundDriver: Sendable {
    private enum Stage {
        /// Known only to this process.
        case idle
        case handedOver
        case ended
    }

    private struct Guarded {
        var stage: Stage
        var view: BackgroundProgress
        /// Calls of `suspend()` that were not taken back; 1 at first, as a task is made suspended.
        var suspensions: Int
        var isCancelling = false
        var priority: Double
        var rateLimit: Int?
        var isUnrestricted: Bool
        var earliestBegin: Double?
        var taskDescription: String?
        var clientExpects: (toSend: Int64?, toReceive: Int64?)
        var response: HTTPResponse?
        var error: TransferError?
        var hasReportedFirstWait = false
        var resumeDataReceiver: (@Sendable (ResumeData?) -> Void)?
        var delegate = Audience(nil)
        /// The session is kept alive by a task that has not ended.
        var session: TransferSession?
    }

    let identifier: Int
    let originalRequest: TransferRequest
    private let work: BackgroundRules.Work
    private let connector: any BackgroundConnector
    private let observer: TaskObserver
    private let guarded: Mutex<Guarded>

    /// A new task.
    init(
        identifier: Int, request: TransferRequest, work: BackgroundRules.Work, connector: any BackgroundConnector,
        observer: TaskObserver,
        session: TransferSession
    ) {
        self.identifier = identifier
        originalRequest = request
        self.work = work
        self.connector = connector
        self.observer = observer
        let options = request.options
        guarded = Mutex(
            Guarded(
                stage: .idle, view: BackgroundProgress(), suspensions: 1, priority: options.priority,
                rateLimit: options.rateLimit, isUnrestricted: options.liftsRestrictions, session: session))
    }

    /// A task of an earlier run, or one that ended before this run knew of it.
    /// - Parameter identifier: its own, unless another task has that one now.
    init(
        _ task: BackgroundTask, identifier: Int, connector: any BackgroundConnector, observer: TaskObserver,
        session: TransferSession
    ) {
        self.identifier = identifier
        originalRequest = task.request
        work = task.snapshot.kind == .download ? .download : .upload(file: task.snapshot.file)
        self.connector = connector
        self.observer = observer
        let snapshot = task.snapshot
        // Nothing of a finished transfer was reported yet: its bytes are reported with its end.
        let view = BackgroundProgress(snapshot.state.isEnded ? nil : snapshot)
        guarded = Mutex(
            Guarded(
                stage: .handedOver, view: view, suspensions: snapshot.state == .paused ? 1 : 0,
                priority: snapshot.priority ?? 0.5, rateLimit: snapshot.rateLimit, isUnrestricted: false,
                earliestBegin: snapshot.earliestBegin, taskDescription: task.taskDescription, session: session))
    }

    // MARK: Events of the connector

    func changed(_ snapshot: Transfer) {
        let (events, session) = guarded.withLock { guarded -> ([TaskEvent], TransferSession?) in
            guard guarded.stage == .handedOver else { return ([], nil) }
            return (guarded.view.moved(to: snapshot), guarded.session)
        }
        if let session, !events.isEmpty { observer.deliver(events, of: identifier, session: session) }
    }

    func ended(_ end: BackgroundEnd) {
        let last = end.origin.snapshot
        let file = Self.isThere(last.file) ? last.file : nil
        let response = BackgroundProgress.response(of: last, end.responseFields)
        let (events, receiver, session) = guarded.withLock {
            guarded -> ([TaskEvent], (@Sendable (ResumeData?) -> Void)?, TransferSession?) in
            guard guarded.stage == .handedOver else { return ([], nil, nil) }
            let (events, error) = guarded.view.ended(as: last, response: response, file: file)
            (guarded.response, guarded.error) = (response, error)
            let (receiver, session) = Self.finish(&guarded)
            return (events, receiver, session)
        }
        guard let session else { return connector.delivered(end) }
        notify(events, receiver, session) { [connector] in
            // The delegate has moved the file.
            if let temporary = end.temporaryFile { unlink(temporary) }
            connector.delivered(end)
        }
    }

    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private static func finish(_ guarded: inout Guarded) -> ((@Sendable (ResumeData?) -> Void)?, TransferSession?) {
        defer { (guarded.stage, guarded.resumeDataReceiver, guarded.session) = (.ended, nil, nil) }
        return (guarded.resumeDataReceiver, guarded.session)
    }

    private func notify(
        _ events: [TaskEvent], _ receiver: (@Sendable (ResumeData?) -> Void)?, _ session: TransferSession,
        afterwards: (@Sendable () -> Void)? = nil
    ) {
        observer.deliver(
            events, of: identifier, session: session,
            ending: TaskEnding(receiver: receiver, afterwards: afterwards))
    }
}

extension BackgroundDriver: TaskCarrier {
    // MARK: Calls

    func resume() {
        guarded.withLock { guarded in
            guard guarded.stage != .ended, !guarded.isCancelling else { return }
            let wasSuspended = guarded.suspensions > 0
            if wasSuspended { guarded.suspensions -= 1 }
            guard guarded.suspensions == 0 else { return }
            if guarded.stage == .idle {
                guarded.stage = .handedOver
                connector.handOver(order(guarded))
            } else if wasSuspended || guarded.view.isPaused {
                // Also if another client has paused it.
                connector.perform(.resume, on: identifier)
            }
        }
    }

    private func order(_ guarded: borrowing Guarded) -> BackgroundOrder {
        var request = originalRequest
        let configuration = guarded.session?.configuration ?? TransferConfiguration()
        (request.options.priority, request.options.rateLimit) = (guarded.priority, guarded.rateLimit)
        request.options.liftsRestrictions = guarded.isUnrestricted
        request = BackgroundRules.complete(request, configuration)
        var order = BackgroundOrder(
            task: identifier, request: request, taskDescription: guarded.taskDescription,
            earliestBegin: guarded.earliestBegin, isDiscretionary: configuration.isDiscretionary)
        if case .upload(let file) = work {
            (order.uploadedFile, order.uploadResumption) = (file, configuration.uploadResumption)
        }
        return order
    }

    func suspend() {
        guarded.withLock { guarded in
            guard guarded.stage != .ended, !guarded.isCancelling else { return }
            guarded.suspensions += 1
            if guarded.suspensions == 1, guarded.stage == .handedOver { connector.perform(.pause, on: identifier) }
        }
    }

    func cancel() {
        let isLocal = guarded.withLock { guarded in
            guard guarded.stage != .ended, !guarded.isCancelling else { return false }
            guarded.isCancelling = true
            if guarded.stage == .handedOver { connector.perform(.cancel, on: identifier) }
            return guarded.stage == .idle
        }
        if isLocal { fail(.cancelled) }
    }

    /// The service keeps its bytes to itself: `receive` is given `nil`.
    func cancel(byProducingResumeData receive: @escaping @Sendable (ResumeData?) -> Void) {
        let isLate = guarded.withLock { guarded in
            guard guarded.stage != .ended, guarded.resumeDataReceiver == nil else { return true }
            guarded.resumeDataReceiver = receive
            return false
        }
        if isLate { return observer.outbox.queue.async { receive(nil) } }
        cancel()
    }

    func fail(_ error: TransferError) {
        let (metrics, receiver, session) = guarded.withLock {
            guarded -> (TransferMetrics, (@Sendable (ResumeData?) -> Void)?, TransferSession?) in
            guard guarded.stage != .ended else { return (TransferMetrics(), nil, nil) }
            guarded.error = error
            let (receiver, session) = Self.finish(&guarded)
            return (guarded.view.snapshot?.metrics ?? TransferMetrics(), receiver, session)
        }
        if let session { notify([.metrics(metrics), .completed(error)], receiver, session) }
    }

    func liftRestrictions() {
        guarded.withLock { guarded in
            guarded.isUnrestricted = true
            if guarded.stage == .handedOver { connector.perform(.liftRestrictions, on: identifier) }
        }
    }

    func setRateLimit(_ bytesPerSecond: Int?) {
        guarded.withLock { guarded in
            guarded.rateLimit = bytesPerSecond
            if guarded.stage == .handedOver { connector.perform(.rateLimit(bytesPerSecond), on: identifier) }
        }
    }

    func forgetDelegate() {
        // Let go outside the lock: what a delegate does at its own end is its own affair.
        let former = guarded.withLock { guarded in
            defer { guarded.delegate = Audience(nil) }
            return guarded.delegate
        }
        withExtendedLifetime(former) {}
    }

    // MARK: Members

    var audience: Audience {
        get { guarded.withLock { $0.delegate } }
        set { guarded.withLock { guarded in if guarded.stage != .ended { guarded.delegate = newValue } } }
    }

    var priority: Double {
        get { guarded.withLock { $0.priority } }
        set {
            guarded.withLock { guarded in
                guarded.priority = newValue
                if guarded.stage == .handedOver { connector.perform(.priority(newValue), on: identifier) }
            }
        }
    }

    var earliestBegin: Double? {
        get { guarded.withLock { $0.earliestBegin } }
        set { guarded.withLock { $0.earliestBegin = newValue } }
    }

    var taskDescription: String? {
        get { guarded.withLock { $0.taskDescription } }
        set { guarded.withLock { $0.taskDescription = newValue } }
    }

    var clientExpects: (toSend: Int64?, toReceive: Int64?) {
        get { guarded.withLock { $0.clientExpects } }
        set { guarded.withLock { $0.clientExpects = newValue } }
    }

    var publicState: TransferTask.State {
        guarded.withLock { guarded in
            if guarded.stage == .ended { return .completed }
            if guarded.isCancelling { return .canceling }
            return guarded.suspensions > 0 || guarded.view.isPaused ? .suspended : .running
        }
    }

    var pathWait: PathWait? { guarded.withLock { $0.stage == .ended ? nil : $0.view.currentWait } }
    var currentRequest: TransferRequest { originalRequest }
    var currentURL: TransferURL { originalRequest.url }
    var response: HTTPResponse? { guarded.withLock { $0.response } }
    var error: TransferError? { guarded.withLock { $0.error } }
    var digest: [UInt8]? { nil }
    /// The service fails such an upload.
    var hasEarlyResponse: Bool { false }
    /// The service compares it with what servers state.
    var handedOver: Int64 { 0 }
    var refusedBody: [UInt8] { [] }
    var resumePoint: ResumePoint? { nil }
    var restartCause: RestartCause? { nil }
    var uploadResumeData: UploadResumeData? { nil }

    var progress: TaskProgress {
        guarded.withLock { guarded in
            var progress = TaskProgress()
            let snapshot = guarded.view.snapshot
            switch work {
            case .download:
                progress.received = snapshot?.bytes ?? 0
                progress.expectedToReceive = snapshot?.total ?? guarded.clientExpects.toReceive
            case .upload:
                progress.sent = snapshot?.bytes ?? 0
                progress.expectedToSend = snapshot?.total ?? guarded.clientExpects.toSend
            }
            return progress
        }
    }

    var isFirstWait: Bool {
        guarded.withLock { guarded in
            defer { guarded.hasReportedFirstWait = true }
            return !guarded.hasReportedFirstWait
        }
    }
}
