// SPDX-License-Identifier: MIT

public import Dispatch
import Synchronization
public import TransferModel

/// Makes tasks, keeps them while they run, and tells its delegate what happens: the contract of `URLSession`.
///
/// A session may be used from any thread. Its delegate is kept until the session has become invalid. Delegate calls and
/// closures come on ``delegateQueue``, one at a time.
public final class TransferSession: Sendable {
    public let configuration: TransferConfiguration
    public let delegateQueue: DispatchQueue
    let transport: any Transport
    let scheduler: any Scheduler
    private let guarded: Mutex<Guarded>
    private let outbox: Outbox

    private struct Guarded {
        var nextIdentifier = 1
        var tasks: [Int: TransferTask] = [:]
        var deadlines = DeadlineTable()
        var audience: Audience
        /// No new tasks; the session ends with its last one.
        var isInvalidated = false
    }

    /// The delegate, its families found once instead of at every call.
    private struct Audience: Sendable {
        var session: (any TransferSessionDelegate)?
        var task: (any TransferTaskDelegate)?
        var data: (any TransferDataDelegate)?
        var download: (any TransferDownloadDelegate)?

        init(_ delegate: (any TransferSessionDelegate)?) {
            session = delegate
            task = delegate as? any TransferTaskDelegate
            data = delegate as? any TransferDataDelegate
            download = delegate as? any TransferDownloadDelegate
        }
    }

    /// - Parameters:
    ///   - configuration: copied; later changes to the caller's value have no effect.
    ///   - delegateQueue: must be serial. `nil`: a queue of the session's own.
    public init(configuration: TransferConfiguration = .init(), transport: any Transport,
                delegate: (any TransferSessionDelegate)? = nil, delegateQueue: DispatchQueue? = nil,
                scheduler: any Scheduler = SystemScheduler()) {
        self.configuration = configuration
        self.transport = transport
        let queue = delegateQueue ?? DispatchQueue(label: "fileq.session.delegate")
        self.delegateQueue = queue
        outbox = Outbox(queue: queue)
        self.scheduler = scheduler
        guarded = Mutex(Guarded(audience: Audience(delegate)))
    }

    /// A task whose answer comes piece by piece. `body`, where given, is sent.
    /// - Parameter events: hears all of this task's events instead of the session's delegate.
    public func dataTask(with request: TransferRequest, body: [UInt8]? = nil,
                         events: (@Sendable (TaskEvent) -> Void)? = nil) -> DataTask {
        add(request, .data(sending: body), events) { DataTask(identifier: $0, driver: $1) }
    }

    /// A task that sends `body` with `Content-Type: application/octet-stream` unless the request names another type.
    /// - Parameter digest: what to compute of the bytes while they are sent.
    public func uploadTask(with request: TransferRequest, body: UploadBody, digest: Checksum.Algorithm? = nil,
                           events: (@Sendable (TaskEvent) -> Void)? = nil) -> UploadTask {
        add(request, .upload(body, digest: digest), events) { UploadTask(identifier: $0, driver: $1) }
    }

    /// A task that stores the answer at `target`.
    public func downloadTask(with request: TransferRequest, to target: DownloadTarget = .init(),
                             events: (@Sendable (TaskEvent) -> Void)? = nil) -> DownloadTask {
        add(request, .download(target), events) { DownloadTask(identifier: $0, driver: $1) }
    }

    /// A task that goes on where another one stopped. Options that the data does not hold (credentials, cookies) come
    /// from `options`.
    /// - Throws: code `rangeRefused` where the data is damaged, `cannotWrite` where its file cannot be opened.
    public func downloadTask(withResumeData data: ResumeData, options: TransferOptions = .init(),
                             events: (@Sendable (TaskEvent) -> Void)? = nil) throws(TransferError) -> DownloadTask {
        let file = try PartialFile(path: data.partialPath)
        let trusted = min(data.ranges.prefixLength, file.length)
        let target = DownloadTarget(place: .partial(file), resume: ResumePoint(
            offset: trusted, validator: data.validator, total: data.total))
        return downloadTask(with: TransferRequest(url: try TransferURL(data.url), options: options), to: target, events: events)
    }

    /// Bytes a second over all tasks of every session on this transport; `nil`: unlimited.
    public func applyRateLimits(download: Int?, upload: Int?) {
        transport.setRateLimits(download: download, upload: upload)
    }

    /// The tasks that have not completed.
    public var tasks: [TransferTask] {
        guarded.withLock { $0.tasks.values.sorted { $0.identifier < $1.identifier } }
    }

    /// Takes no more tasks and becomes invalid when the last has completed.
    public func finishTasksAndInvalidate() {
        let isEmpty = guarded.withLock { guarded in
            defer { guarded.isInvalidated = true }
            return guarded.tasks.isEmpty && !guarded.isInvalidated
        }
        if isEmpty { delegateQueue.async { self.becomeInvalid() } }
    }

    /// Cancels all tasks, takes no more, and becomes invalid when they have completed.
    public func invalidateAndCancel() {
        finishTasksAndInvalidate()
        for task in tasks { task.cancel() }
    }

    // MARK: Keeping tasks

    private func add<Task: TransferTask>(_ request: TransferRequest, _ payload: TaskDriver.Payload,
                                         _ events: (@Sendable (TaskEvent) -> Void)?, _ make: (Int, TaskDriver) -> Task) -> Task {
        let listener: TaskObserver.Listener = events.map { .closure($0) } ?? .delegate
        let observer = TaskObserver(listener: listener, outbox: outbox)
        let limit = request.options.resourceTimeout ?? configuration.resourceTimeout
        let deadline = scheduler.now + limit
        let (task, wakeUp, isRefused) = guarded.withLock { guarded -> (Task, Double?, Bool) in
            let identifier = guarded.nextIdentifier
            guarded.nextIdentifier += 1
            let driver = TaskDriver(identifier: identifier, request: request, payload: payload, observer: observer, session: self)
            let task = make(identifier, driver)
            guarded.tasks[identifier] = task
            return (task, guarded.deadlines.insert(identifier, at: deadline), guarded.isInvalidated)
        }
        if let wakeUp { scheduler.schedule(at: wakeUp) { [weak self] in self?.checkDeadlines() } }
        if isRefused {
            task.driver.call { $0.fail(TransferError(.usage, "the session has been invalidated and takes no more tasks")) }
        }
        return task
    }

    private func checkDeadlines() {
        let now = scheduler.now
        let (late, wakeUp) = guarded.withLock { guarded in
            let (passed, next) = guarded.deadlines.passed(at: now)
            return (passed.compactMap { guarded.tasks[$0] }, next)
        }
        if let wakeUp { scheduler.schedule(at: wakeUp) { [weak self] in self?.checkDeadlines() } }
        for task in late {
            let limit = task.originalRequest.options.resourceTimeout ?? configuration.resourceTimeout
            let moved = task.progress
            task.driver.call {
                $0.fail(TransferError(.timedOut, "\(task.originalRequest.url.authority): resource timeout: not done within "
                    + "\(TransferError.seconds(limit)) (\(moved.received) bytes received, \(moved.sent) sent)"))
            }
        }
    }

    /// The task has told its end; on the delegate queue.
    func taskEnded(_ identifier: Int) {
        let isLast = guarded.withLock { guarded in
            guarded.tasks[identifier] = nil
            guarded.deadlines.remove(identifier)
            return guarded.isInvalidated && guarded.tasks.isEmpty
        }
        if isLast { becomeInvalid() }
    }

    private func becomeInvalid() {
        let delegate = guarded.withLock { guarded in
            defer { guarded.audience = Audience(nil) }
            return guarded.audience.session
        }
        delegate?.sessionDidBecomeInvalid(self)
    }

    /// On the delegate queue.
    func tellDelegate(_ events: [TaskEvent], of identifier: Int) {
        let (audience, kept) = guarded.withLock { ($0.audience, $0.tasks[identifier]) }
        guard let task = kept else { return }
        for event in events {
            switch event {
            case .informational(let head): audience.task?.session(self, task: task, didReceiveInformational: head)
            case .sent(let bytes, let total, let expected):
                audience.task?.session(self, task: task, didSend: bytes, total: total, expected: expected)
            case .response(let head):
                if !(task is DownloadTask) { audience.data?.session(self, task: task, didReceive: head) }
            case .data(let bytes): audience.data?.session(self, task: task, didReceive: bytes)
            case .metrics(let metrics): audience.task?.session(self, task: task, didCollect: metrics)
            case .completed(let error): audience.task?.session(self, task: task, didComplete: error)
            case .resumed, .wrote, .finishedDownload:
                if let download = task as? DownloadTask { tell(audience.download, of: download, event) }
            }
        }
    }

    private func tell(_ delegate: (any TransferDownloadDelegate)?, of task: DownloadTask, _ event: TaskEvent) {
        switch event {
        case .resumed(let offset, let expected): delegate?.session(self, task: task, didResumeAt: offset, expected: expected)
        case .wrote(let bytes, let total, let expected):
            delegate?.session(self, task: task, didWrite: bytes, total: total, expected: expected)
        case .finishedDownload(let path): delegate?.session(self, task: task, didFinishDownloadingTo: path)
        default: break
        }
    }
}
