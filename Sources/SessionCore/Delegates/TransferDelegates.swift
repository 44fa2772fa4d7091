// SPDX-License-Identifier: MIT

public import HTTPTypes
public import TransferModel

/// What a session tells of itself. All delegate calls of a session come on its delegate queue, one at a time.
///
/// A delegate conforms to the families it wants to hear: ``TransferTaskDelegate``, ``TransferDataDelegate``,
/// ``TransferDownloadDelegate``. Every method has an empty default. For one task the order is that of ``TaskEvent``.
public protocol TransferSessionDelegate: AnyObject, Sendable {
    /// The session takes no more tasks and has none left. Once, the last call of all.
    func sessionDidBecomeInvalid(_ session: TransferSession)
}

/// What every kind of task tells.
public protocol TransferTaskDelegate: TransferSessionDelegate {
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
}

/// What download tasks tell.
public protocol TransferDownloadDelegate: TransferTaskDelegate {
    /// The answer brings bytes from `offset` on.
    func session(_ session: TransferSession, task: DownloadTask, didResumeAt offset: Int64, expected: Int64?)
    /// `total` is the position in the file. At most ten times a second.
    func session(_ session: TransferSession, task: DownloadTask, didWrite bytes: Int64, total: Int64, expected: Int64?)
    /// The whole body is at `path`. A temporary file must be moved or opened before this returns.
    func session(_ session: TransferSession, task: DownloadTask, didFinishDownloadingTo path: String)
}

extension TransferSessionDelegate {
    public func sessionDidBecomeInvalid(_ session: TransferSession) {}
}

extension TransferTaskDelegate {
    public func session(_ session: TransferSession, task: TransferTask, didReceiveInformational head: HTTPResponse) {}
    public func session(_ session: TransferSession, task: TransferTask, didSend bytes: Int64, total: Int64, expected: Int64?) {}
    public func session(_ session: TransferSession, task: TransferTask, didCollect metrics: TransferMetrics) {}
    public func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?) {}
}

extension TransferDataDelegate {
    public func session(_ session: TransferSession, task: TransferTask, didReceive response: HTTPResponse) {}
    public func session(_ session: TransferSession, task: TransferTask, didReceive bytes: [UInt8]) {}
}

extension TransferDownloadDelegate {
    public func session(_ session: TransferSession, task: DownloadTask, didResumeAt offset: Int64, expected: Int64?) {}
    public func session(_ session: TransferSession, task: DownloadTask, didWrite bytes: Int64, total: Int64, expected: Int64?) {}
    public func session(_ session: TransferSession, task: DownloadTask, didFinishDownloadingTo path: String) {}
}
