// SPDX-License-Identifier: MIT

public import HTTPTypes
import Synchronization
public import TransferModel

/// A transfer of a session. It is created suspended, started by ``resume()``, and completes exactly once.
///
/// All methods and properties may be used from any thread. A session keeps its tasks until they have completed, so
/// a program need not retain them.
public class TransferTask: @unchecked Sendable {
    // Sendable: both stored properties are immutable, and the carrier guards its state with a mutex.

    /// The state of the task, as `URLSessionTask.State` names it.
    public enum State: Sendable, Hashable { case suspended, running, canceling, completed }

    /// Unique in its session, rising from 1.
    public let identifier: Int
    let carrier: any TaskCarrier

    init(identifier: Int, carrier: any TaskCarrier) {
        self.identifier = identifier
        self.carrier = carrier
    }

    /// For a task of this process; `nil` for one of a background session.
    var driver: TaskDriver? { carrier as? TaskDriver }

    /// Undoes one ``suspend()``, or starts the task. Calls nest; a completed task stays completed.
    public func resume() { carrier.resume() }

    /// Stops the bytes and the request timer. Calls nest. The connection is held for a while
    /// (``TransferConfiguration/suspensionGrace``); then it is given up if the task can resume from the same byte of
    /// the same version by a range, and held if it cannot.
    public func suspend() { carrier.suspend() }

    /// Ends the task soon, also while suspended; it completes with ``TransferModel/TransferError/cancelled``.
    public func cancel() { carrier.cancel() }

    /// Is called for this task before the session's delegate, and instead of it for the protocols that it conforms to.
    /// For a task with a closure it is called as ``TransferTaskDelegate`` alone, before the closure. Set it before
    /// ``resume()``; released when the task has completed.
    public var delegate: (any TransferSessionDelegate)? {
        get { carrier.audience.session }
        set { carrier.audience = Audience(newValue) }
    }

    /// 0…1: which of the waiting tasks starts first, and the weight of its HTTP/2 stream. May be changed at any time.
    public var priority: Double {
        get { carrier.priority }
        set { carrier.priority = min(1, max(0, newValue)) }
    }

    public static let lowPriority = 0.25
    public static let defaultPriority = 0.5
    public static let highPriority = 0.75

    /// Seconds since 1970: before, nothing is sent, and the cache is not used. The resource timer runs
    /// meanwhile. Counts until the first request goes out; in a background session until the first ``resume()``.
    public var earliestBegin: Double? {
        get { carrier.earliestBegin }
        set { carrier.earliestBegin = newValue }
    }

    /// For the program's own use. In a background session a later run gets it with the task, as it was at the first
    /// ``resume()``.
    public var taskDescription: String? {
        get { carrier.taskDescription }
        set { carrier.taskDescription = newValue }
    }

    /// Body bytes that the program expects if the server does not announce them; ``progress`` counts against them then.
    public var countOfBytesClientExpectsToReceive: Int64? {
        get { carrier.clientExpects.toReceive }
        set { carrier.clientExpects.toReceive = newValue }
    }

    /// As ``countOfBytesClientExpectsToReceive``, of the bytes to be sent: for streams, whose length is unknown.
    public var countOfBytesClientExpectsToSend: Int64? {
        get { carrier.clientExpects.toSend }
        set { carrier.clientExpects.toSend = newValue }
    }

    public var state: State { carrier.publicState }
    /// The network condition that the task waits for; `nil` if it does not wait.
    public var wait: PathWait? { carrier.pathWait }
    /// From now on the task may use any network; a waiting one makes an attempt at once.
    public func liftRestrictions() { carrier.liftRestrictions() }
    public var originalRequest: TransferRequest { carrier.originalRequest }
    /// The request under way or the last one sent, after redirects and challenges: its address, its method, and in
    /// `options.headers` the fields it was sent with, cookies included. Of a login only Bearer tokens that the program
    /// gave as a field are in there. Before anything is sent, and in a background session, the fields are those of
    /// ``originalRequest``.
    public var currentRequest: TransferRequest { carrier.currentRequest }
    /// The address of the last request, after redirects.
    public var currentURL: TransferURL { carrier.currentURL }
    /// Whether a password was sent as Basic without TLS (RFC 7617, section 4), because a server asked for that. For a
    /// task of a background session always false: the service warns.
    public var hasSentPasswordInClear: Bool { driver?.hasSentPasswordInClear ?? false }
    /// The final response's head, once it has come.
    public var response: HTTPResponse? { carrier.response }
    /// How the task ended; `nil` before that, and when it succeeded.
    public var error: TransferError? { carrier.error }
    /// Body bytes of all exchanges so far.
    public var progress: TaskProgress { carrier.progress }
    /// Bytes of the body that may have left, which are at least those that the server has; known when the task has
    /// completed.
    package var handedOver: Int64 { carrier.handedOver }
    /// Bytes a second, each way; `nil`: unlimited. May be changed at any time.
    public func setRateLimit(_ bytesPerSecond: Int?) { carrier.setRateLimit(bytesPerSecond) }
}

/// Byte counts of a task at one moment.
public struct TaskProgress: Sendable, Hashable {
    /// Body bytes received and stored by the exchange under way or the last one; with `resumedFrom` the position in the
    /// file.
    public var received: Int64 = 0
    public var expectedToReceive: Int64?
    /// Body bytes sent by the exchange under way or the last one; of a resumable upload the position in what is sent.
    public var sent: Int64 = 0
    public var expectedToSend: Int64?
    /// The position in the file of the accepted response's first byte.
    public var resumedFrom: Int64 = 0

    /// 0…1 over both directions, or `nil` while the size is unknown.
    public var fractionCompleted: Double? {
        let parts = [(resumedFrom + received, expectedToReceive), (sent, expectedToSend)].filter { $0.1 != nil }
        let whole = parts.reduce(0) { $0 + ($1.1 ?? 0) }
        guard whole > 0 else { return nil }
        return min(1, Double(parts.reduce(0) { $0 + $1.0 }) / Double(whole))
    }
}

/// Delivers the response body to its listener piece by piece.
public final class DataTask: TransferTask, @unchecked Sendable {
    // Sendable: adds nothing to its superclass.
}

/// Sends a body; the response body comes as data.
public final class UploadTask: TransferTask, @unchecked Sendable {
    // Sendable: adds nothing to its superclass.

    /// The digest of what was sent, if one was requested; known when the task has completed.
    public var digest: [UInt8]? { carrier.digest }

    /// Whether the response came before the server had the whole body, so that a 2xx does not mean that the body is
    /// stored; known when the task has completed. For a background session's task it is false: such an upload fails.
    public var hasEarlyResponse: Bool { carrier.hasEarlyResponse }

    /// What another task, also of another process, needs to continue this upload of a file. It may be stored at any
    /// time: from the informational response 104 on that creates the upload, or from the first `sent` event. `nil`:
    /// the upload cannot be resumed (``TransferConfiguration/uploadResumption``), or the server has accepted it. After
    /// a failure it is in the error too.
    public var resumeData: UploadResumeData? { carrier.uploadResumeData }

    /// Why the upload started again from its first byte: the server no longer had what had been sent.
    public var restartCause: RestartCause? { carrier.restartCause }

    /// Cancels, and produces what another task needs to continue.
    ///
    /// - Parameter receive: called once on the session's delegate queue, before the task completes, with `nil` if
    ///   the upload cannot be resumed. A background session always passes `nil`, since the service has the data:
    ///   suspend an upload that is to resume later.
    public func cancel(byProducingResumeData receive: @escaping @Sendable (UploadResumeData?) -> Void) {
        carrier.cancel(byProducingResumeData: { [carrier] _ in receive(carrier.uploadResumeData) })
    }
}

/// Writes the response body to a file or a stream.
public final class DownloadTask: TransferTask, @unchecked Sendable {
    // Sendable: adds nothing to its superclass.

    /// The digest of the whole body, if one was requested and all of it passed through this task.
    public var digest: [UInt8]? { carrier.digest }

    /// Where another task can resume: what is stored, of the latest version. `nil` if nothing is stored or the server
    /// sent no strong validator.
    public var resumePoint: ResumePoint? { carrier.resumePoint }

    /// What another task, also of another process, needs to resume where this one stopped; `nil` as for
    /// ``resumePoint``. After a failure it is in the error too.
    public var resumeData: ResumeData? { carrier.error?.resumeData }

    /// Why the download restarted from its first byte instead of resuming.
    public var restartCause: RestartCause? { carrier.restartCause }

    /// The first 4096 bytes at most of an error response that was not stored, possibly with a reason. Known when the
    /// task has completed; empty in a background session.
    public var refusedBody: [UInt8] { carrier.refusedBody }

    /// Cancels, and produces what another task needs to resume.
    ///
    /// - Parameter receive: called once on the session's delegate queue, before the task completes, with `nil` if
    ///   the download cannot be resumed. Its file stays if resume data is produced. A background session always passes
    ///   `nil`, since the service has the data: suspend a download that is to resume later.
    public func cancel(byProducingResumeData receive: @escaping @Sendable (ResumeData?) -> Void) {
        carrier.cancel(byProducingResumeData: receive)
    }
}
