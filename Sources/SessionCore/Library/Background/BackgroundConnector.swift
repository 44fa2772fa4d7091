// SPDX-License-Identifier: MIT

package import HTTPTypes
package import TransferModel

/// The interface between a background session and the process that runs its transfers.
///
/// Calls may come from any thread; those that are not `async` return at once, make no callback before they do, and take
/// effect in the order made. While the service cannot be reached, a connector stores the calls and sends them later.
package protocol BackgroundConnector: Sendable {
    /// The tasks of earlier runs that have not ended, as they stood when the connector was made. No two have one
    /// identifier.
    var recovered: [BackgroundTask] { get }
    /// Above all identifiers that are in use.
    var nextIdentifier: Int { get }

    /// Starts delivery of events, missed ones first. Called once, when the session is created.
    /// - Parameter tell: called from any thread, one call at a time; returns immediately.
    func start(_ tell: @escaping @Sendable (BackgroundEvent) -> Void)

    /// A task has been resumed for the first time: it is the service's from now on.
    func handOver(_ order: BackgroundOrder)

    func perform(_ command: BackgroundCommand, on task: Int)

    /// The delegate has received this end. It must not be delivered again.
    func delivered(_ end: BackgroundEnd)

    /// Returns when the service has stored the effects of all earlier calls.
    /// - Throws: why it cannot be reached; `cancelled` if the caller is, or the connector has been closed.
    func waitUntilStored() async throws(TransferError)

    /// Stops reporting and releases the session to the next process that opens it; its transfers continue. Events
    /// delivered before are still acknowledged, if the service can be reached.
    /// - Parameter done: called once, on any thread, maybe before this returns.
    func close(_ done: @escaping @Sendable () -> Void)
}

/// A task to be sent to the service.
package struct BackgroundOrder: Sendable, Hashable {
    package var task: Int
    /// With all options; nothing is left for the session's configuration to fill in.
    package var request: TransferRequest
    /// An absolute path; `nil`: a download.
    package var uploadedFile: String?
    /// The protocol by which the service may resume the upload.
    package var uploadResumption = UploadResumption.never
    package var taskDescription: String?
    /// Seconds since 1970.
    package var earliestBegin: Double?
    package var isDiscretionary: Bool
}

/// Commands for a task of the service.
package enum BackgroundCommand: Sendable, Hashable {
    case pause, resume, cancel, liftRestrictions
    case priority(Double)
    /// Bytes a second; `nil`: unlimited.
    case rateLimit(Int?)
}

/// A task as known to a process that did not create it.
package struct BackgroundTask: Sendable, Hashable {
    package var identifier: Int
    /// The original request without its secrets, which stay with the service.
    package var request: TransferRequest
    package var taskDescription: String?
    package var snapshot: Transfer

    package init(identifier: Int, request: TransferRequest, taskDescription: String?, snapshot: Transfer) {
        self.identifier = identifier
        self.request = request
        self.taskDescription = taskDescription
        self.snapshot = snapshot
    }
}

/// The end of a task.
package struct BackgroundEnd: Sendable, Hashable {
    /// The connector's own name for it.
    package var sequence: Int64
    /// The task of this run; `nil`: it ended before this run could know of it.
    package var task: Int?
    /// The task as it was at its end.
    package var origin: BackgroundTask
    /// The fields of the last response.
    package var responseFields: HTTPFields
    /// Where the downloaded file is the connector's, to be removed once the delegate has had it.
    package var temporaryFile: String?

    package init(
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

/// The events of a connector.
package enum BackgroundEvent: Sendable {
    /// The state of an unfinished task changed.
    case changed(task: Int, Transfer)
    case ended(BackgroundEnd)
    /// The service refused the task or has lost it: the task ends with this error.
    case refused(task: Int, TransferError)
    /// All missed events have been delivered. Once.
    case caughtUp
}
