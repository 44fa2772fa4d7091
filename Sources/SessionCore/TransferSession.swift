// SPDX-License-Identifier: MIT

public import Dispatch
import HTTPTypes
import Synchronization
public import TransferModel

/// Creates tasks, retains them while they run, and notifies its delegate, as `URLSession` does.
///
/// A session may be used from any thread. It retains its delegate until it has become invalid, and it lives while it
/// has unfinished tasks, even without other references. Delegate calls and closures run on ``delegateQueue``, one at a
/// time.
public final class TransferSession: Sendable {
    public let configuration: TransferConfiguration
    public let delegateQueue: DispatchQueue
    /// A name for logs, at the program's choice.
    public var sessionDescription: String? {
        get { guarded.withLock { $0.description } }
        set { guarded.withLock { $0.description = newValue } }
    }
    let transport: any Transport
    let scheduler: any Scheduler
    /// Shared by all threads: the tasks and delegates.
    let guarded: Mutex<Guarded>
    /// The state of its tasks, on the transport's executor.
    let core: SessionActor
    let outbox: Outbox
    let proxies: ProxyPolicy
    /// The connection to the service that runs a background session's transfers.
    let connector: (any BackgroundConnector)?
    /// For file access that a task waits for: the cache.
    let background = DispatchQueue(label: "fileq.session.files", attributes: .concurrent)

    struct Guarded {
        var nextIdentifier = 1
        var tasks: [Int: TransferTask] = [:]
        var streams: [Int: StreamTask] = [:]
        var audience: Audience
        var description: String?
        /// The session accepts no new tasks, and ends with its last one.
        var isInvalidated = false
        var isSaveDue = false
        /// Whether all events that a background session missed have been delivered; true for every other session.
        var isCaughtUp: Bool

        /// Nothing more will happen.
        var isOver: Bool { isInvalidated && tasks.isEmpty && streams.isEmpty && isCaughtUp }
    }

    /// - Parameters:
    ///   - configuration: copied; later changes to the caller's value have no effect.
    ///   - transport: may be shared with other sessions; then they share connections and rate limits.
    ///   - delegateQueue: must be serial. `nil`: a private queue.
    public convenience init(
        configuration: TransferConfiguration = .init(), transport: any Transport,
        delegate: (any TransferSessionDelegate)? = nil, delegateQueue: DispatchQueue? = nil,
        sessionDescription: String? = nil, scheduler: any Scheduler = SystemScheduler()
    ) {
        self.init(configuration, transport, nil, Audience(delegate), delegateQueue, sessionDescription, scheduler)
    }

    package convenience init(
        configuration: TransferConfiguration, transport: any Transport, audience: Audience,
        delegateQueue: DispatchQueue, scheduler: any Scheduler
    ) {
        self.init(configuration, transport, nil, audience, delegateQueue, nil, scheduler)
    }

    init(
        _ configuration: TransferConfiguration, _ transport: any Transport, _ connector: (any BackgroundConnector)?,
        _ audience: Audience, _ delegateQueue: DispatchQueue?, _ sessionDescription: String?,
        _ scheduler: any Scheduler
    ) {
        self.configuration = configuration
        self.transport = transport
        let queue = delegateQueue ?? DispatchQueue(label: "fileq.session.delegate")
        self.delegateQueue = queue
        outbox = Outbox(queue: queue)
        self.scheduler = scheduler
        self.connector = connector
        proxies = ProxyPolicy(configuration.proxy)
        let gate = ExchangeGate(
            total: configuration.maximumConcurrentExchanges, perHost: configuration.maximumConnectionsPerHost)
        core = SessionActor(executor: transport.executor, gate: gate)
        guarded = Mutex(
            Guarded(audience: audience, description: sessionDescription, isCaughtUp: connector == nil))
    }

    deinit { connector?.close {} }

    /// A task whose response arrives in chunks. `body`, if given, is sent.
    /// - Parameter events: receives all of this task's events instead of the session's delegate.
    public func dataTask(
        with request: TransferRequest, body: [UInt8]? = nil,
        events: (@Sendable (TaskEvent) -> Void)? = nil
    ) -> DataTask {
        add(request, .data(sending: body), events) { DataTask(identifier: $0, carrier: $1) }
    }

    /// A task that sends `body` with `Content-Type: application/octet-stream` unless the request names another type.
    /// - Parameter digest: the digest to compute of the bytes while they are sent.
    public func uploadTask(
        with request: TransferRequest, body: UploadBody, digest: Checksum.Algorithm? = nil,
        events: (@Sendable (TaskEvent) -> Void)? = nil
    ) -> UploadTask {
        add(request, .upload(body, digest: digest), events) { UploadTask(identifier: $0, carrier: $1) }
    }

    /// A task that continues where another one stopped. It first asks the server what it has. Options that the data
    /// does not contain (credentials, cookies, header fields) come from `options`. If the upload has expired, it starts
    /// again from the first byte: see ``UploadTask/restartCause``. If the file has changed, the task fails with code
    /// `cannotReadSource`.
    /// - Throws: code `malformedURL` if the data has no valid address.
    public func uploadTask(
        withResumeData data: UploadResumeData, options: TransferOptions = .init(),
        events: (@Sendable (TaskEvent) -> Void)? = nil
    ) throws(TransferError) -> UploadTask {
        var request = TransferRequest(url: try TransferURL(data.url), options: options)
        request.method = HTTPRequest.Method(data.method) ?? .put
        return add(request, .continued(data), events) { UploadTask(identifier: $0, carrier: $1) }
    }

    /// As ``uploadTask(with:body:digest:events:)``, of a source that is open.
    /// - Parameters:
    ///   - range: the bytes to send; `nil`: all of them.
    ///   - ticket: of a request that sends all of them.
    ///   - gate: how many of them may be sent yet; `nil`: all.
    package func uploadTask(
        with request: TransferRequest, source: UploadSourceFile, range: Range<Int64>? = nil,
        digest: Checksum.Algorithm? = nil, ticket: FetchTicket? = nil, gate: BodyGate? = nil
    ) -> UploadTask {
        add(request, .opened(source, range ?? 0..<source.size, digest: digest, ticket: ticket, gate: gate), nil) {
            UploadTask(identifier: $0, carrier: $1)
        }
    }

    /// Creates a task that stores the response body at `target`.
    public func downloadTask(
        with request: TransferRequest, to target: DownloadTarget = .init(),
        events: (@Sendable (TaskEvent) -> Void)? = nil
    ) -> DownloadTask {
        add(request, .download(target), events) { DownloadTask(identifier: $0, carrier: $1) }
    }

    /// A task that resumes where another one stopped. Options that the data does not contain (credentials, cookies)
    /// come from `options`. A temporary file stays temporary: it is deleted when `finishedDownload` has been delivered,
    /// unless it was moved. After redirects, the address that sent the bytes is asked first.
    /// - Throws: code `rangeRefused` if the data is damaged, `cannotWrite` if its file cannot be opened.
    public func downloadTask(
        withResumeData data: ResumeData, options: TransferOptions = .init(),
        events: (@Sendable (TaskEvent) -> Void)? = nil
    ) throws(TransferError) -> DownloadTask {
        let file = try PartialFile(path: data.partialPath)
        let trusted = min(data.ranges.prefixLength, file.length)
        var target = DownloadTarget(place: .partial(file), resume: ResumePoint(data, offset: trusted))
        (target.isTemporary, target.isContinued) = (data.isTemporary ?? false, true)
        return downloadTask(
            with: TransferRequest(url: try TransferURL(data.url), options: options), to: target, events: events)
    }

    /// Bytes per second over all tasks of every session on this transport; `nil`: unlimited.
    public func applyRateLimits(download: Int?, upload: Int?) {
        transport.setRateLimits(download: download, upload: upload)
    }

    /// The tasks that have not completed, except ``streamTasks``.
    public var tasks: [TransferTask] {
        guarded.withLock { $0.tasks.values.sorted { $0.identifier < $1.identifier } }
    }

    public var delegate: (any TransferSessionDelegate)? { guarded.withLock { $0.audience.session } }

    // MARK: The end of the session

    /// Accepts no more tasks and becomes invalid when the last one has completed. A task created afterwards completes
    /// immediately, resumed or not, with code `usage`.
    public func finishTasksAndInvalidate() {
        let isEmpty = guarded.withLock { guarded in
            let isFirst = !guarded.isInvalidated
            guarded.isInvalidated = true
            return isFirst && guarded.isOver
        }
        if isEmpty { delegateQueue.async { self.end() } }
    }

    /// Cancels all tasks, accepts no more, and becomes invalid when they have completed.
    public func invalidateAndCancel() {
        finishTasksAndInvalidate()
        for task in tasks { task.cancel() }
        for stream in guarded.withLock({ Array($0.streams.values) }) { stream.cancel() }
    }

    /// Writes the session's stores to their files. Blocks meanwhile.
    /// - Throws: code `cannotWrite`: the first error; the other stores were written nevertheless.
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

    /// Persistent state has changed: it is written within two seconds, together with further changes.
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

    /// Before a closure learns that the last task has ended: programs end there. Blocks.
    func saveWhatIsDue() {
        if guarded.withLock({ $0.isSaveDue && $0.tasks.count == 1 }) { try? flush() }
    }

    /// Removes cookies, credentials, accepted certificates and cached responses (`reset`).
    public func reset() {
        configuration.cookieStorage?.removeAll()
        try? configuration.credentialStorage?.removeAll()
        configuration.cache?.removeAll()
        post { core in (core.approvedLeaves, core.identities) = ([:], [:]) }
    }

    /// From any thread: runs `work` on the executor, in the order of the calls.
    func post(_ work: @escaping @Sendable (isolated SessionActor) -> Void) {
        let core = core
        core.executor.post { core.assumeIsolated { work($0) } }
    }

    /// The last task has ended, and no more can follow.
    func end() {
        guard let connector else { return becomeInvalid() }
        // The service must know what was delivered before the program learns of the end, and may exit.
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
