// SPDX-License-Identifier: MIT

public import HTTPTypes
import Synchronization
public import TransferModel

/// Closures and `async` as alternatives to a delegate. Both are made from the events that call the delegate.
extension TransferSession {
    /// The result of a task that was awaited.
    public struct Response: Sendable {
        public var response: HTTPResponse
        /// The response's body, for data and upload tasks.
        public var body: [UInt8]
        public var metrics: TransferMetrics
    }

    // MARK: Closures

    /// A data task whose whole response goes to one closure.
    /// - Parameter completion: called once, on the delegate queue. Any HTTP status is a success here. The error of a
    ///   failure after the response's head contains that head (``TransferModel/TransferError/response``).
    public func dataTask(
        with request: TransferRequest, body: [UInt8]? = nil,
        completion: @escaping @Sendable (Result<Response, TransferError>) -> Void
    ) -> DataTask {
        let gathering = Gathering(completion)
        return dataTask(with: request, body: body) { gathering.take($0) }
    }

    /// An upload task whose whole response goes to one closure.
    /// - Parameters:
    ///   - progress: bytes sent so far and in total; on the delegate queue, at most ten times a second.
    ///   - completion: called once, on the delegate queue, after the last progress.
    public func uploadTask(
        with request: TransferRequest, body: UploadBody,
        progress: @escaping @Sendable (Int64, Int64?) -> Void = { _, _ in },
        completion: @escaping @Sendable (Result<Response, TransferError>) -> Void
    ) -> UploadTask {
        let gathering = Gathering(completion)
        return uploadTask(with: request, body: body) { event in
            if case .sent(_, let total, let expected) = event { progress(total, expected) }
            gathering.take(event)
        }
    }

    /// A download task that ends in one closure.
    /// - Parameters:
    ///   - progress: position in the file and its size; on the delegate queue, at most ten times a second.
    ///   - finished: the complete body is at this path. A temporary file must be moved or opened before it returns.
    ///   - completion: called once, on the delegate queue, after `finished`.
    public func downloadTask(
        with request: TransferRequest, to target: DownloadTarget = .init(),
        progress: @escaping @Sendable (Int64, Int64?) -> Void = { _, _ in },
        finished: @escaping @Sendable (String) -> Void,
        completion: @escaping @Sendable (Result<Response, TransferError>) -> Void
    ) -> DownloadTask {
        downloadTask(with: request, to: target, events: Self.events(progress, finished, completion))
    }

    /// As ``downloadTask(with:to:progress:finished:completion:)``, resuming where another task stopped.
    /// - Throws: as ``downloadTask(withResumeData:options:events:)``.
    public func downloadTask(
        withResumeData data: ResumeData, options: TransferOptions = .init(),
        progress: @escaping @Sendable (Int64, Int64?) -> Void = { _, _ in },
        finished: @escaping @Sendable (String) -> Void,
        completion: @escaping @Sendable (Result<Response, TransferError>) -> Void
    ) throws(TransferError) -> DownloadTask {
        try downloadTask(
            withResumeData: data, options: options, events: Self.events(progress, finished, completion))
    }

    private static func events(
        _ progress: @escaping @Sendable (Int64, Int64?) -> Void, _ finished: @escaping @Sendable (String) -> Void,
        _ completion: @escaping @Sendable (Result<Response, TransferError>) -> Void
    ) -> @Sendable (TaskEvent) -> Void {
        let gathering = Gathering(completion)
        return { event in
            switch event {
            case .wrote(_, let total, let expected): progress(total, expected)
            case .finishedDownload(let path): finished(path)
            default: break
            }
            gathering.take(event)
        }
    }

    // MARK: async

    /// Runs a data task to its end. Cancelling the calling task cancels it.
    /// - Parameter delegate: the task's own, which receives calls and decides before the session's.
    /// - Throws: a ``TransferError``; HTTP statuses are results, not errors.
    public func data(
        for request: TransferRequest, body: [UInt8]? = nil, delegate: (any TransferSessionDelegate)? = nil
    )
        async throws(TransferError) -> Response
    {
        try await run(delegate) { dataTask(with: request, body: body, completion: $0) }
    }

    /// Runs an upload task to its end. Cancelling the calling task cancels it.
    /// - Parameter delegate: as ``data(for:body:delegate:)``.
    /// - Throws: as ``data(for:body:delegate:)``.
    public func upload(
        for request: TransferRequest, body: UploadBody, delegate: (any TransferSessionDelegate)? = nil,
        progress: @escaping @Sendable (Int64, Int64?) -> Void = { _, _ in }
    ) async throws(TransferError) -> Response {
        try await run(delegate) { uploadTask(with: request, body: body, progress: progress, completion: $0) }
    }

    /// Continues an upload where another task stopped. Cancelling the calling task cancels it; what the server has
    /// stays there until it expires.
    /// - Parameter delegate: as ``data(for:body:delegate:)``.
    /// - Throws: as ``data(for:body:delegate:)``; the error has the resume data again if there is any.
    public func upload(
        resumeFrom data: UploadResumeData, options: TransferOptions = .init(),
        delegate: (any TransferSessionDelegate)? = nil,
        progress: @escaping @Sendable (Int64, Int64?) -> Void = { _, _ in }
    ) async throws(TransferError) -> Response {
        try await run(delegate) { completion throws(TransferError) -> TransferTask in
            let gathering = Gathering(completion)
            return try uploadTask(withResumeData: data, options: options) { event in
                if case .sent(_, let total, let expected) = event { progress(total, expected) }
                gathering.take(event)
            }
        }
    }

    /// Downloads into `file`, from `resume` if given. Cancelling the calling task cancels it; the bytes written so far
    /// stay.
    /// - Parameter delegate: as ``data(for:body:delegate:)``.
    /// - Throws: as ``data(for:body:delegate:)``.
    public func download(
        for request: TransferRequest, into file: PartialFile, resume: ResumePoint? = nil,
        delegate: (any TransferSessionDelegate)? = nil,
        progress: @escaping @Sendable (Int64, Int64?) -> Void = { _, _ in }
    ) async throws(TransferError) -> Response {
        let target = DownloadTarget(place: .partial(file), resume: resume)
        return try await run(delegate) {
            downloadTask(with: request, to: target, progress: progress, finished: { _ in }, completion: $0)
        }
    }

    /// Resumes a download where another task stopped, in the same file. Cancelling the calling task cancels it; the
    /// bytes written so far stay.
    /// - Parameters:
    ///   - delegate: as ``data(for:body:delegate:)``.
    ///   - finished: as in ``downloadTask(with:to:progress:finished:completion:)``.
    /// - Throws: as ``downloadTask(withResumeData:options:events:)`` and ``data(for:body:delegate:)``; the error has
    ///   the resume data again if there is any.
    public func download(
        resumeFrom data: ResumeData, options: TransferOptions = .init(),
        delegate: (any TransferSessionDelegate)? = nil,
        progress: @escaping @Sendable (Int64, Int64?) -> Void = { _, _ in },
        finished: @escaping @Sendable (String) -> Void
    ) async throws(TransferError) -> Response {
        try await run(delegate) { completion throws(TransferError) -> TransferTask in
            try downloadTask(
                withResumeData: data, options: options, progress: progress, finished: finished, completion: completion)
        }
    }

    /// A task's events as a sequence that ends with the task.
    ///
    /// The task starts when `make` has returned it. Leaving the loop early, or cancelling the calling task, cancels it.
    public func events(_ make: (@escaping @Sendable (TaskEvent) -> Void) -> TransferTask) -> AsyncStream<TaskEvent> {
        let (stream, continuation) = AsyncStream<TaskEvent>.makeStream()
        let task = make { event in
            continuation.yield(event)
            if case .completed = event { continuation.finish() }
        }
        continuation.onTermination = { _ in task.cancel() }
        task.resume()
        return stream
    }

    private func run(
        _ delegate: (any TransferSessionDelegate)?,
        _ make: (@escaping @Sendable (Result<Response, TransferError>) -> Void) throws(TransferError) -> TransferTask
    )
        async throws(TransferError) -> Response
    {
        let box = OneValue<Result<Response, TransferError>>()
        let task = try make { box.put($0) }
        task.delegate = delegate
        task.resume()
        return try await withTaskCancellationHandler {
            await box.take()
        } onCancel: {
            task.cancel()
        }.get()
    }
}

/// Collects the events of a task into its result. Used only on the delegate queue.
private final class Gathering: Sendable {
    private struct Parts {
        var response: HTTPResponse?
        var body: [UInt8] = []
        var metrics = TransferMetrics()
    }

    private let parts = Mutex(Parts())
    private let completion: @Sendable (Result<TransferSession.Response, TransferError>) -> Void

    init(_ completion: @escaping @Sendable (Result<TransferSession.Response, TransferError>) -> Void) {
        self.completion = completion
    }

    func take(_ event: TaskEvent) {
        switch event {
        case .response(let head): parts.withLock { $0.response = head }
        case .data(let bytes): parts.withLock { $0.body += bytes }
        case .metrics(let metrics): parts.withLock { $0.metrics = metrics }
        case .completed(let error): completion(result(error))
        default: break
        }
    }

    private func result(_ error: TransferError?) -> Result<TransferSession.Response, TransferError> {
        if var error {
            error.response = error.response ?? parts.withLock { $0.response }
            return .failure(error)
        }
        return parts.withLock { parts in
            guard let response = parts.response else {
                return .failure(TransferError(.notHTTP, .noResponse))
            }
            return .success(TransferSession.Response(response: response, body: parts.body, metrics: parts.metrics))
        }
    }
}
