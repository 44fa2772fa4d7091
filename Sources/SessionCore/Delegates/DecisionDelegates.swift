// SPDX-License-Identifier: MIT

public import HTTPTypes
public import TransferModel

// Conforming to one of these is what makes a session ask. Each method is given a closure for its answer, which may be
// called at once or later, from any thread. The first answer counts, later ones are ignored; a closure that is let go
// without having been called answers as if nobody had been asked. Until then the task waits: its connection is held,
// its request timer is off, its resource timer runs, and it can be cancelled.

/// Decides what is asked once for a connection: server trust, client certificates, NTLM, Negotiate.
public protocol TransferSessionChallengeDelegate: TransferSessionDelegate {
    func session(
        _ session: TransferSession, didReceive challenge: AuthenticationChallenge,
        answer: @escaping @Sendable (ChallengeDisposition) -> Void)
}

/// Decides what is asked of one task: Basic, Digest, Bearer; and what is asked once for a connection where the
/// session's delegate is no ``TransferSessionChallengeDelegate``.
public protocol TransferTaskChallengeDelegate: TransferTaskDelegate {
    func session(
        _ session: TransferSession, task: TransferTask, didReceive challenge: AuthenticationChallenge,
        answer: @escaping @Sendable (ChallengeDisposition) -> Void)
}

/// Decides on requests that were delayed: what was right when the task was made may be stale when it begins.
public protocol TransferDelayDelegate: TransferTaskDelegate {
    /// The task has waited for its ``TransferTask/earliestBegin``, which has come (`willBeginDelayedRequest`). At most
    /// once a task, before anything is sent. Not asked of a background session, whose tasks another process begins.
    /// - Parameter request: the task's original one.
    /// - Parameter answer: without one the request is sent as it is.
    func session(
        _ session: TransferSession, task: TransferTask, willBeginDelayed request: TransferRequest,
        answer: @escaping @Sendable (DelayedRequestDisposition) -> Void)
}

/// Decides on redirects.
public protocol TransferRedirectDelegate: TransferTaskDelegate {
    /// - Parameter answer: the redirect, as it is or changed; `nil`: the 3xx itself is the answer, its body included.
    func session(
        _ session: TransferSession, task: TransferTask, willFollow redirect: Redirect,
        answer: @escaping @Sendable (Redirect?) -> Void)
}

/// Decides what becomes of a data or upload task's answer, before `didReceive response` is told.
public protocol TransferResponseDelegate: TransferDataDelegate {
    func session(
        _ session: TransferSession, task: TransferTask, decideOn response: HTTPResponse,
        answer: @escaping @Sendable (ResponseDisposition) -> Void)
}

/// Supplies a body again that came from a stream and must be sent once more, after a challenge or a redirect.
public protocol TransferUploadDelegate: TransferDataDelegate {
    /// - Parameter answer: a descriptor that gives the same bytes from the first on; it stays the caller's. `nil`:
    ///   there is none, and the task fails.
    func session(
        _ session: TransferSession, task: TransferTask, needNewBodyStream answer: @escaping @Sendable (Int32?) -> Void)
}

/// Decides what the cache keeps.
public protocol TransferCacheDelegate: TransferDataDelegate {
    /// - Parameter answer: what to keep, as it is or changed; `nil`: nothing. The task's completion does not wait for
    ///   it.
    func session(
        _ session: TransferSession, task: TransferTask, willCache response: CachedResponse,
        answer: @escaping @Sendable (CachedResponse?) -> Void)
}
