// SPDX-License-Identifier: MIT

public import FoundationEssentials
public import HTTPTypes
public import TransferModel

/// Session-level events. All delegate calls of a session come on its delegate queue, one at a time.
///
/// A delegate conforms to the families it needs: ``TransferTaskDelegate``, ``TransferDataDelegate``,
/// ``TransferUploadDelegate``, ``TransferDownloadDelegate``, ``TransferStreamDelegate``, and those of
/// DecisionDelegates.swift to decide. Every notification has an empty default. The order for a task is that of
/// ``TaskEvent``. A task's own ``TransferTask/delegate`` is called first; events that its type does not handle go to
/// the session's.
public protocol TransferSessionDelegate: AnyObject, Sendable {
    /// The session accepts no more tasks and has none left. Once, the last call.
    func sessionDidBecomeInvalid(_ session: TransferSession)
    /// All events that occurred to the tasks of a background session while no program was running have been delivered
    /// (`urlSessionDidFinishEvents(forBackgroundURLSession:)`). Once per session, even if there were none.
    func sessionDidFinishEvents(forBackgroundSession session: TransferSession)
}

/// Events of every kind of task.
public protocol TransferTaskDelegate: TransferSessionDelegate {
    /// A task was created. On the creating thread, before it is returned: the only call that is not on the delegate
    /// queue.
    func session(_ session: TransferSession, didCreate task: TransferTask)
    /// The task waits for a usable network (``TransferConfiguration/waitsForConnectivity``). Once per task.
    func session(_ session: TransferSession, taskIsWaitingForConnectivity task: TransferTask)
    /// The reason of the wait, each time it changes; `nil`: a server responds again.
    func session(_ session: TransferSession, task: TransferTask, didChangeWait wait: PathWait?)
    /// The system now prefers another route to the server than that of the task's connection (`betterRouteDiscovered`).
    /// The connection continues; a new one uses the better route. Once per route, while the task moves bytes.
    func session(_ session: TransferSession, betterRouteDiscoveredFor task: TransferTask)
    /// A 1xx response: any number, before the final one.
    func session(_ session: TransferSession, task: TransferTask, didReceiveInformational head: HTTPResponse)
    /// Body bytes were sent: `bytes` since the last call, `total` so far, `expected` in all if known.
    func session(_ session: TransferSession, task: TransferTask, didSend bytes: Int64, total: Int64, expected: Int64?)
    /// Once, before completion.
    func session(_ session: TransferSession, task: TransferTask, didCollect metrics: TransferMetrics)
    /// Once, last. `nil`: the response was complete, whatever its status.
    func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?)
}

/// Responses of data and upload tasks.
public protocol TransferDataDelegate: TransferTaskDelegate {
    /// The final response head; at most once.
    func session(_ session: TransferSession, task: TransferTask, didReceive response: HTTPResponse)
    /// Body bytes, in order.
    func session(_ session: TransferSession, task: TransferTask, didReceive bytes: [UInt8])
    /// The same as `Data`, a copy. It is called unless the delegate takes the bytes as an array.
    func session(_ session: TransferSession, task: TransferTask, didReceive data: Data)
    /// The response body goes to a file, as the delegate decided: `task` gets no more events, `download` has its
    /// identifier.
    func session(_ session: TransferSession, task: TransferTask, didBecome download: DownloadTask)
    /// The response body is read through `stream`, once that is resumed; its other direction is closed. `task`
    /// completes when all of it was received.
    func session(_ session: TransferSession, task: TransferTask, didBecome stream: StreamTask)
}

/// Events of download tasks.
public protocol TransferDownloadDelegate: TransferTaskDelegate {
    /// The response continues at `offset`: after resume data, where it is 0 if its bytes are of no use, and after a
    /// suspension that closed the connection.
    func session(_ session: TransferSession, task: DownloadTask, didResumeAt offset: Int64, expected: Int64?)
    /// `total` is the position in the file. At most ten times a second.
    func session(_ session: TransferSession, task: DownloadTask, didWrite bytes: Int64, total: Int64, expected: Int64?)
    /// The complete body is at `path`. A temporary file must be moved or opened before this returns.
    func session(_ session: TransferSession, task: DownloadTask, didFinishDownloadingTo path: String)
    /// The same with the file's URL. It is called unless the delegate takes the path.
    func session(_ session: TransferSession, task: DownloadTask, didFinishDownloadingTo location: URL)
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
    public func session(_ session: TransferSession, task: TransferTask, didReceive bytes: [UInt8]) {
        self.session(session, task: task, didReceive: Data(bytes))
    }
    public func session(_ session: TransferSession, task: TransferTask, didReceive data: Data) {}
    public func session(_ session: TransferSession, task: TransferTask, didBecome download: DownloadTask) {}
    public func session(_ session: TransferSession, task: TransferTask, didBecome stream: StreamTask) {}
}

extension TransferDownloadDelegate {
    public func session(_ session: TransferSession, task: DownloadTask, didResumeAt offset: Int64, expected: Int64?) {}
    public func session(
        _ session: TransferSession, task: DownloadTask, didWrite bytes: Int64, total: Int64, expected: Int64?
    ) {}
    public func session(_ session: TransferSession, task: DownloadTask, didFinishDownloadingTo path: String) {
        self.session(session, task: task, didFinishDownloadingTo: URL(filePath: path, directoryHint: .notDirectory))
    }
    public func session(_ session: TransferSession, task: DownloadTask, didFinishDownloadingTo location: URL) {}
}
