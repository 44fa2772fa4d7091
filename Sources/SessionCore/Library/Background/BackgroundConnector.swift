// SPDX-License-Identifier: MIT

public import HTTPTypes
public import TransferModel

/// The interface between a background session and the process that runs its transfers.
///
/// Calls may come from any thread; those that are not `async` return immediately without calling back, and take effect
/// in order. While the service is unreachable, a connector queues them.
public protocol BackgroundConnector: Sendable {
    /// The unfinished tasks of earlier runs when the connector was created, with unique identifiers.
    var recovered: [BackgroundTask] { get }
    /// Greater than all identifiers in use.
    var nextIdentifier: Int { get }

    /// Starts reporting, undelivered events first. Called once, when the session is created.
    /// - Parameter tell: called from any thread, one call at a time; returns immediately.
    func start(_ tell: @escaping @Sendable (BackgroundEvent) -> Void)

    /// A task was resumed for the first time: it belongs to the service now.
    func handOver(_ order: BackgroundOrder)

    func perform(_ command: BackgroundCommand, on task: Int)

    /// The delegate has received this end. It must not be delivered again.
    func delivered(_ end: BackgroundEnd)

    /// Returns when the service has all earlier calls.
    /// - Throws: why it is unreachable; `cancelled` if the caller was cancelled, or the connector is closed.
    func settle() async throws(TransferError)

    /// Stops reporting and releases the session; its transfers continue. Deliveries are still acknowledged, if the
    /// service is reachable.
    /// - Parameter done: called once, on any thread, possibly before this returns.
    func close(_ done: @escaping @Sendable () -> Void)
}

/// A task to add to the service.
public struct BackgroundOrder: Sendable, Hashable {
    public var task: Int
    /// With all options of the session's configuration.
    public var request: TransferRequest
    /// An absolute path; `nil`: a download.
    public var uploadedFile: String?
    public var taskDescription: String?
    /// Seconds since 1970.
    public var earliestBegin: Double?
    public var isDiscretionary: Bool
}

/// A command for a task of the service.
public enum BackgroundCommand: Sendable, Hashable {
    case pause, resume, cancel, liftRestrictions
    case priority(Double)
    /// Bytes per second; `nil`: unlimited.
    case rateLimit(Int?)
}

/// A task of an earlier run.
public struct BackgroundTask: Sendable, Hashable {
    public var identifier: Int
    /// The restored request, without secrets.
    public var request: TransferRequest
    public var taskDescription: String?
    public var snapshot: TransferSnapshot

    public init(identifier: Int, request: TransferRequest, taskDescription: String?, snapshot: TransferSnapshot) {
        self.identifier = identifier
        self.request = request
        self.taskDescription = taskDescription
        self.snapshot = snapshot
    }
}

/// The end of a task.
public struct BackgroundEnd: Sendable, Hashable {
    /// The connector's own name for it.
    public var sequence: Int64
    /// The task of this run; `nil`: it finished before this run.
    public var task: Int?
    /// With the snapshot of its end.
    public var origin: BackgroundTask
    /// The last response.
    public var responseFields: HTTPFields
    /// Whether the connector owns the downloaded file, and removes it after the delegate's call.
    public var temporaryFile: String?

    public init(
        sequence: Int64, task: Int?, origin: BackgroundTask, responseFields: HTTPFields = [:],
        temporaryFile: String? = nil
    ) {
        self.sequence = sequence
        self.task = task
        self.origin = origin
        self.responseFields = responseFields
        self.temporaryFile = temporaryFile
    }
}

/// A report of a connector.
public enum BackgroundEvent: Sendable {
    /// The state of an unfinished task.
    case changed(task: Int, TransferSnapshot)
    case ended(BackgroundEnd)
    /// The service rejects it, or has lost it: the task ends with this error.
    case refused(task: Int, TransferError)
    /// All undelivered events are delivered. Once.
    case caughtUp
}
