// SPDX-License-Identifier: MIT

public import HTTPTypes
import Synchronization
public import TransferModel

/// One transfer of a session: made suspended, started by ``resume()``, ended exactly once.
///
/// All methods and properties may be used from any thread. A session keeps its tasks until they have completed, so
/// nobody needs to hold one to keep it running.
public class TransferTask: @unchecked Sendable {
    // Sendable: both stored properties are immutable, and the driver guards its state with a mutex.

    /// What the task is doing, as `URLSessionTask.State` has it.
    public enum State: Sendable, Hashable { case suspended, running, canceling, completed }

    /// Unique in its session, rising from 1.
    public let identifier: Int
    let driver: TaskDriver

    init(identifier: Int, driver: TaskDriver) {
        self.identifier = identifier
        self.driver = driver
    }

    /// Takes back one ``suspend()``, or starts the task. Calls nest; a completed task stays completed.
    public func resume() { driver.call { $0.resume() } }

    /// Stops the bytes and the request timer. Calls nest. The connection is held for a while
    /// (``TransferConfiguration/suspensionGrace``); then it is let go where the task can come back to the same byte of the
    /// same version by a range, and held on where it cannot.
    public func suspend() { driver.call { $0.suspend() } }

    /// Ends the task soon, also while suspended; it completes with ``TransferModel/TransferError/cancelled``.
    public func cancel() { driver.call { $0.cancel() } }

    /// Hears of this task before the session's delegate, and instead of it in the families it belongs to. Of a task that a closure
    /// hears it is told as ``TransferTaskDelegate`` alone, before the closure. Set it before ``resume()``; let go when the task has
    /// completed.
    public var delegate: (any TransferSessionDelegate)? {
        get { driver.guarded.withLock { $0.delegate.session } }
        set {
            let audience = Audience(newValue)
            driver.guarded.withLock { guarded in if !guarded.machine.isEnded { guarded.delegate = audience } }
        }
    }

    /// 0…1: which of the waiting tasks starts first, and the weight of its HTTP/2 stream. May be changed at any time.
    public var priority: Double {
        get { driver.guarded.withLock { $0.priority } }
        set { driver.setPriority(min(1, max(0, newValue))) }
    }

    public static let lowPriority = 0.25
    public static let defaultPriority = 0.5
    public static let highPriority = 0.75

    /// Seconds since 1970: nothing is sent and nothing is answered from the cache before. The resource timer runs meanwhile. Counts
    /// until the first request goes out.
    public var earliestBegin: Double? {
        get { driver.guarded.withLock { $0.earliestBegin } }
        set { driver.guarded.withLock { $0.earliestBegin = newValue } }
    }

    /// For the program's own use.
    public var taskDescription: String? {
        get { driver.guarded.withLock { $0.taskDescription } }
        set { driver.guarded.withLock { $0.taskDescription = newValue } }
    }

    /// Body bytes that the program expects where the other end does not say; what ``progress`` counts against then.
    public var countOfBytesClientExpectsToReceive: Int64? {
        get { driver.guarded.withLock { $0.clientExpects.toReceive } }
        set { driver.guarded.withLock { $0.clientExpects.toReceive = newValue } }
    }

    /// As ``countOfBytesClientExpectsToReceive``, of the bytes to be sent: for streams, whose length nobody knows.
    public var countOfBytesClientExpectsToSend: Int64? {
        get { driver.guarded.withLock { $0.clientExpects.toSend } }
        set { driver.guarded.withLock { $0.clientExpects.toSend = newValue } }
    }

    public var state: State { driver.publicState }
    /// What the task waits for while the network cannot carry it.
    public var wait: PathWait? { driver.guarded.withLock { $0.machine.wait } }
    /// From now on the task uses whatever network there is, and tries at once if it waits.
    public func liftRestrictions() { driver.liftRestrictions() }
    public var originalRequest: TransferRequest { driver.request }
    /// The address asked last, after redirects.
    public var currentURL: TransferURL { driver.currentURL }
    /// The final answer's head, once it has come.
    public var response: HTTPResponse? { driver.response }
    /// How the task ended; `nil` before that, and when it succeeded.
    public var error: TransferError? { driver.error }
    /// Body bytes of all exchanges so far.
    public var progress: TaskProgress { driver.progress }
    /// Bytes a second, each way; `nil`: unlimited. May be changed at any time.
    public func setRateLimit(_ bytesPerSecond: Int?) { driver.setRateLimit(bytesPerSecond) }
}

/// Byte counts of a task at one moment.
public struct TaskProgress: Sendable, Hashable {
    /// Body bytes received and stored by the exchange under way or the last one; with `resumedFrom` the position in the file.
    public var received: Int64 = 0
    public var expectedToReceive: Int64?
    /// Body bytes sent by the exchange under way or the last one.
    public var sent: Int64 = 0
    public var expectedToSend: Int64?
    /// The first byte of the file that the accepted answer brought.
    public var resumedFrom: Int64 = 0

    /// 0…1 over both directions, or `nil` while nobody knows how much there will be.
    public var fractionCompleted: Double? {
        let parts = [(resumedFrom + received, expectedToReceive), (sent, expectedToSend)].filter { $0.1 != nil }
        let whole = parts.reduce(0) { $0 + ($1.1 ?? 0) }
        guard whole > 0 else { return nil }
        return min(1, Double(parts.reduce(0) { $0 + $1.0 }) / Double(whole))
    }
}

/// Gives an answer's body to its listener piece by piece.
public final class DataTask: TransferTask, @unchecked Sendable {
    // Sendable: adds nothing to its superclass.
}

/// Sends a body; the answer's body comes as data.
public final class UploadTask: TransferTask, @unchecked Sendable {
    // Sendable: adds nothing to its superclass.

    /// The digest of what was sent, where one was asked for; known when the task has completed.
    public var digest: [UInt8]? { driver.digest }
}

/// Writes the answer's body to a file or a stream.
public final class DownloadTask: TransferTask, @unchecked Sendable {
    // Sendable: adds nothing to its superclass.

    /// The digest of the whole body, where one was asked for and all of it passed through this task.
    public var digest: [UInt8]? { driver.digest }

    /// From where another task can go on: what is stored, under the version met last. `nil` where nothing is stored or
    /// the server named no strong validator.
    public var resumePoint: ResumePoint? { driver.resumePoint }

    /// What another task, also of another process, needs to go on from where this one stopped; `nil` as for
    /// ``resumePoint``. After a failure it is in the error too.
    public var resumeData: ResumeData? { driver.error?.resumeData }

    /// Why the download began again from its first byte although it was to resume.
    public var restartReason: String? { driver.restartReason }

    /// Cancels, and tells from where another task can go on.
    ///
    /// - Parameter receive: called once on the session's delegate queue, before the task completes, with `nil` where
    ///   the download cannot be resumed. Its file is kept when resume data is produced.
    public func cancel(byProducingResumeData receive: @escaping @Sendable (ResumeData?) -> Void) {
        driver.cancel(byProducingResumeData: receive)
    }
}
