// SPDX-License-Identifier: MIT

public import HTTPTypes
public import TransferModel

/// What a session tells of itself. All delegate calls of a session come on its delegate queue, one at a time.
///
/// A delegate conforms to the families it wants to hear: ``TransferTaskDelegate``, ``TransferDataDelegate``,
/// ``TransferUploadDelegate``, ``TransferDownloadDelegate``, ``TransferStreamDelegate``, and to those of
/// DecisionDelegates.swift where it wants to decide. Every method that only tells has an empty default. For one task
/// the order is that of ``TaskEvent``. A task's own ``TransferTask/delegate`` is told first; what its type does not
/// hear goes to the session's.
public protocol TransferSessionDelegate: AnyObject, Sendable {
    /// The session takes no more tasks and has none left. Once, the last call of all.
    func sessionDidBecomeInvalid(_ session: TransferSession)
    /// All that happened to the tasks of a background session while no program listened has been told
    /// (`urlSessionDidFinishEvents(forBackgroundURLSession:)`). Once a session, also where nothing had happened.
    func sessionDidFinishEvents(forBackgroundSession session: TransferSession)
}

/// What every kind of task tells.
public protocol TransferTaskDelegate: TransferSessionDelegate {
    /// A task has been made. On the thread that makes it, before it is returned: the one call that is not on the
    /// delegate queue.
    func session(_ session: TransferSession, didCreate task: TransferTask)
    /// The network cannot carry the task now, and it waits for one that can
    /// (``TransferConfiguration/waitsForConnectivity``). Once a task, whatever happens later.
    func session(_ session: TransferSession, taskIsWaitingForConnectivity task: TransferTask)
    /// What it waits for, each time that changes; `nil`: a server answers it again.
    func session(_ session: TransferSession, task: TransferTask, didChangeWait wait: PathWait?)
    /// The system now prefers another way to the server than the one that the task's connection began on
    /// (`betterRouteDiscovered`). The connection goes on as it is; one that is made anew takes the better way. Once for
    /// each such way, while the task moves bytes.
    func session(_ session: TransferSession, betterRouteDiscoveredFor task: TransferTask)
    /// A 1xx answer: any number, before the response.
    func session(_ session: TransferSession, task: TransferTask, didReceiveInformational head: HTTPResponse)
    /// Body bytes went out: `bytes` since the last call, `total` so far, `expected` in all where known.
    func session(_ session: TransferSession, task: TransferTask, didSend bytes: Int64, total: Int64, expected: Int64?)
    /// Once, before completion.
    func session(_ session: TransferSession, task: TransferTask, didCollect metrics: TransferMetrics)
    /// Once, last. `nil`: the answer came whole, whatever its HTTP status.
    func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?)
}

/// What data and upload tasks tell of their answer.
public protocol TransferDataDelegate: TransferTaskDelegate {
    /// The final answer's head; at most once.
    func session(_ session: TransferSession, task: TransferTask, didReceive response: HTTPResponse)
    /// A piece of its body, in order.
    func session(_ session: TransferSession, task: TransferTask, didReceive bytes: [UInt8])
    /// The answer's body goes to a file, as the delegate wanted: `task` hears nothing more, `download` has its
    /// identifier.
    func session(_ session: TransferSession, task: TransferTask, didBecome download: DownloadTask)
    /// The answer's body is read through `stream`; `task` completes when all of it has come.
    func session(_ session: TransferSession, task: TransferTask, didBecome stream: StreamTask)
}

/// What download tasks tell.
public protocol TransferDownloadDelegate: TransferTaskDelegate {
    /// The answer brings bytes from `offset` on: after resume data, and after a suspension that let the connection go.
    func session(_ session: TransferSession, task: DownloadTask, didResumeAt offset: Int64, expected: Int64?)
    /// `total` is the position in the file. At most ten times a second.
    func session(_ session: TransferSession, task: DownloadTask, didWrite bytes: Int64, total: Int64, expected: Int64?)
    /// The whole body is at `path`. A temporary file must be moved or opened before this returns.
    func session(_ session: TransferSession, task: DownloadTask, didFinishDownloadingTo path: String)
}

extension TransferSessionDelegate {
    public func sessionDidBecomeInvalid(_ session: TransferSession) {}
    public func sessionDidFinishEvents(forBackgroundSession session: TransferSession) {}
}

extension TransferTaskDelegate {
    public func session(_ session: TransferSession, didCreate task: TransferTask) {}
    public func session(_ session: TransferSession, taskIsWaitingForConnectivity task: TransferTask) {}
    public func session(_ session: TransferSession, task: TransferTask, didChangeWait wait: PathWait?) {}
    public func session(_ session: TransferSession, betterRouteDiscoveredFor task: TransferTask) {}
    public func session(_ session: TransferSession, task: TransferTask, didReceiveInformational head: HTTPResponse) {}
    public func session(
        _ session: TransferSession, task: TransferTask, didSend bytes: Int64, total: Int64, expected: Int64?
    ) {}
    public func session(_ session: TransferSession, task: TransferTask, didCollect metrics: TransferMetrics) {}
    public func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?) {}
}

extension TransferDataDelegate {
    public func session(_ session: TransferSession, task: TransferTask, didReceive response: HTTPResponse) {}
    public func session(_ session: TransferSession, task: TransferTask, didReceive bytes: [UInt8]) {}
    public func session(_ session: TransferSession, task: TransferTask, didBecome download: DownloadTask) {}
    public func session(_ session: TransferSession, task: TransferTask, didBecome stream: StreamTask) {}
}

extension TransferDownloadDelegate {
    public func session(_ session: TransferSession, task: DownloadTask, didResumeAt offset: Int64, expected: Int64?) {}
    public func session(
        _ session: TransferSession, task: DownloadTask, didWrite bytes: Int64, total: Int64, expected: Int64?
    ) {}
    public func session(_ session: TransferSession, task: DownloadTask, didFinishDownloadingTo path: String) {}
}
