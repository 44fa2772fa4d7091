// SPDX-License-Identifier: MIT

public import Dispatch
import Synchronization
public import TransferModel

/// Makes tasks, keeps them while they run, and tells its delegate what happens: the contract of `URLSession`.
///
/// A session may be used from any thread. Its delegate is kept until the session has become invalid, and the session
/// itself for as long as it has tasks that have not completed, also when nobody else holds it. Delegate calls and
/// closures come on ``delegateQueue``, one at a time.
public final class TransferSession: Sendable {
    public let configuration: TransferConfiguration
    public let delegateQueue: DispatchQueue
    /// A name for logs.
    public let sessionDescription: String?
    let transport: any Transport
    let scheduler: any Scheduler
    /// What any thread reads: who takes part.
    let guarded: Mutex<Guarded>
    /// What its tasks are decided with, on the transport's executor.
    let core: SessionActor
    let outbox: Outbox
    let proxies: ProxyPolicy
    /// Who carries the transfers of a background session.
    let connector: (any BackgroundConnector)?
    /// For files that a task waits for: the cache.
    let background = DispatchQueue(label: "fileq.session.files", attributes: .concurrent)

    struct Guarded {
        var nextIdentifier = 1
        var tasks: [Int: TransferTask] = [:]
        var streams: [Int: StreamTask] = [:]
        var audience: Audience
        /// No new tasks; the session ends with its last one.
        var isInvalidated = false
        var isSaveDue = false
        /// Of a background session: all that happened while nobody listened has been told.
        var isCaughtUp: Bool

        /// Nothing more will happen.
        var isOver: Bool { isInvalidated && tasks.isEmpty && streams.isEmpty && isCaughtUp }
    }

    /// - Parameters:
    ///   - configuration: copied; later changes to the caller's value have no effect.
    ///   - transport: may be shared with other sessions; then they share connections and rate limits.
    ///   - delegateQueue: must be serial. `nil`: a queue of the session's own.
    public convenience init(
        configuration: TransferConfiguration = .init(), transport: any Transport,
        delegate: (any TransferSessionDelegate)? = nil, delegateQueue: DispatchQueue? = nil,
        sessionDescription: String? = nil, scheduler: any Scheduler = SystemScheduler()
    ) {
        self.init(configuration, transport, nil, delegate, delegateQueue, sessionDescription, scheduler)
    }

    init(
        _ configuration: TransferConfiguration, _ transport: any Transport, _ connector: (any BackgroundConnector)?,
        _ delegate: (any TransferSessionDelegate)?, _ delegateQueue: DispatchQueue?, _ sessionDescription: String?,
        _ scheduler: any Scheduler
    ) {
        self.configuration = configuration
        self.transport = transport
        self.sessionDescription = sessionDescription
        let queue = delegateQueue ?? DispatchQueue(label: "fileq.session.delegate")
        self.delegateQueue = queue
        outbox = Outbox(queue: queue)
        self.scheduler = scheduler
        self.connector = connector
        proxies = ProxyPolicy(configuration.proxy)
        let gate = ExchangeGate(
            total: configuration.maximumConcurrentExchanges, perHost: configuration.maximumConnectionsPerHost)
        core = SessionActor(executor: transport.executor, gate: gate)
        guarded = Mutex(Guarded(audience: Audience(delegate), isCaughtUp: connector == nil))
    }

    deinit { connector?.close {} }

    /// A task whose answer comes piece by piece. `body`, where given, is sent.
    /// - Parameter events: hears all of this task's events instead of the session's delegate.
    public func dataTask(
        with request: TransferRequest, body: [UInt8]? = nil,
        events: (@Sendable (TaskEvent) -> Void)? = nil
    ) -> DataTask {
        add(request, .data(sending: body), events) { DataTask(identifier: $0, carrier: $1) }
    }

    /// A task that sends `body` with `Content-Type: application/octet-stream` unless the request names another type.
    /// - Parameter digest: what to compute of the bytes while they are sent.
    public func uploadTask(
        with request: TransferRequest, body: UploadBody, digest: Checksum.Algorithm? = nil,
        events: (@Sendable (TaskEvent) -> Void)? = nil
    ) -> UploadTask {
        add(request, .upload(body, digest: digest), events) { UploadTask(identifier: $0, carrier: $1) }
    }

    /// As ``uploadTask(with:body:digest:events:)``, of a source that is open.
    package func uploadTask(
        with request: TransferRequest, source: UploadSourceFile, digest: Checksum.Algorithm? = nil
    ) -> UploadTask {
        add(request, .opened(source, digest: digest), nil) { UploadTask(identifier: $0, carrier: $1) }
    }

    /// A task that stores the answer at `target`.
    public func downloadTask(
        with request: TransferRequest, to target: DownloadTarget = .init(),
        events: (@Sendable (TaskEvent) -> Void)? = nil
    ) -> DownloadTask {
        add(request, .download(target), events) { DownloadTask(identifier: $0, carrier: $1) }
    }

    /// A task that goes on where another one stopped. Options that the data does not hold (credentials, cookies) come
    /// from `options`. The file is again a temporary one where it was one: gone when `finishedDownload` has been
    /// delivered, unless it was moved.
    /// - Throws: code `rangeRefused` where the data is damaged, `cannotWrite` where its file cannot be opened.
    public func downloadTask(
        withResumeData data: ResumeData, options: TransferOptions = .init(),
        events: (@Sendable (TaskEvent) -> Void)? = nil
    ) throws(TransferError) -> DownloadTask {
        let file = try PartialFile(path: data.partialPath)
        let trusted = min(data.ranges.prefixLength, file.length)
        var target = DownloadTarget(
            place: .partial(file),
            resume: ResumePoint(
                offset: trusted, validator: data.validator, total: data.total, contentType: data.contentType,
                contentEncoding: data.contentEncoding))
        target.isTemporary = data.isTemporary ?? false
        return downloadTask(
            with: TransferRequest(url: try TransferURL(data.url), options: options), to: target, events: events)
    }

    /// Bytes a second over all tasks of every session on this transport; `nil`: unlimited.
    public func applyRateLimits(download: Int?, upload: Int?) {
        transport.setRateLimits(download: download, upload: upload)
    }

    /// The tasks that have not completed.
    public var tasks: [TransferTask] {
        guarded.withLock { $0.tasks.values.sorted { $0.identifier < $1.identifier } }
    }

    public var delegate: (any TransferSessionDelegate)? { guarded.withLock { $0.audience.session } }

    // MARK: The end of the session

    /// Takes no more tasks and becomes invalid when the last has completed. A task that is made afterwards completes at
    /// once, when it is resumed or not, with code `usage`.
    public func finishTasksAndInvalidate() {
        let isEmpty = guarded.withLock { guarded in
            let isFirst = !guarded.isInvalidated
            guarded.isInvalidated = true
            return isFirst && guarded.isOver
        }
        if isEmpty { delegateQueue.async { self.end() } }
    }

    /// Cancels all tasks, takes no more, and becomes invalid when they have completed.
    public func invalidateAndCancel() {
        finishTasksAndInvalidate()
        for task in tasks { task.cancel() }
        for stream in guarded.withLock({ Array($0.streams.values) }) { stream.cancel() }
    }

    /// Writes what the session remembers to its files. Blocks while it does.
    /// - Throws: code `cannotWrite`: the first that failed; the others were written all the same.
    public func flush() throws(TransferError) {
        var failure: TransferError?
        func attempt(_ body: () throws(TransferError) -> Void) {
            do throws(TransferError) { try body() } catch { failure = failure ?? error }
        }
        attempt { () throws(TransferError) in try configuration.cookieStorage?.save() }
        attempt { () throws(TransferError) in try configuration.cookieJars?.save() }
        attempt { () throws(TransferError) in try configuration.transportSecurity?.save() }
        attempt { () throws(TransferError) in try configuration.alternativeServices?.save() }
        if let failure { throw failure }
    }

    /// Something worth keeping has come: written within two seconds, together with what else comes.
    func saveSoon() {
        let isFirst = guarded.withLock { guarded in
            defer { guarded.isSaveDue = true }
            return !guarded.isSaveDue
        }
        guard isFirst else { return }
        scheduler.schedule(at: scheduler.now + 2) { [weak self] in
            guard let self else { return }
            guarded.withLock { $0.isSaveDue = false }
            background.async { try? self.flush() }
        }
    }

    /// Forgets cookies, credentials, and stored answers, and asks again whom to trust (`reset`).
    public func reset() {
        configuration.cookieStorage?.removeAll()
        try? configuration.credentialStorage?.removeAll()
        configuration.cache?.removeAll()
        post { core in (core.approvedLeaves, core.identities) = ([:], [:]) }
    }

    /// From any thread: runs `work` on the executor, after what was posted before.
    func post(_ work: @escaping @Sendable (isolated SessionActor) -> Void) {
        let core = core
        core.executor.post { core.assumeIsolated { work($0) } }
    }

    /// The last task has ended, and no more can come.
    func end() {
        guard let connector else { return becomeInvalid() }
        // What was delivered must be known to the service before the program hears that all is over, and may end.
        connector.close { self.delegateQueue.async { self.becomeInvalid() } }
    }

    private func becomeInvalid() {
        let delegate = guarded.withLock { guarded in
            defer { guarded.audience = Audience(nil) }
            return guarded.audience.session
        }
        delegate?.sessionDidBecomeInvalid(self)
        background.async { try? self.flush() }
    }
}
