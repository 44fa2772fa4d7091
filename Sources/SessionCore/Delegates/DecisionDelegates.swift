// SPDX-License-Identifier: MIT

public import HTTPTypes
public import TransferModel

// Conforming to one of these makes a session ask. Each method has a closure for its reply, which may be called later
// and from any thread. The first reply counts; a closure released without a call gives the default. Until then the task
// waits: its connection is held, its request timer is off, its resource timer runs, and it can be cancelled.

/// Decides on connection-level challenges: server trust, client certificates, NTLM, Negotiate.
public protocol TransferSessionChallengeDelegate: TransferSessionDelegate {
    func session(
        _ session: TransferSession, didReceive challenge: AuthenticationChallenge,
        answer: @escaping @Sendable (ChallengeDisposition) -> Void)
}

/// Decides on task-level challenges: Basic, Digest, Bearer; and on connection-level ones if the session's delegate is
/// not a ``TransferSessionChallengeDelegate``.
public protocol TransferTaskChallengeDelegate: TransferTaskDelegate {
    func session(
        _ session: TransferSession, task: TransferTask, didReceive challenge: AuthenticationChallenge,
        answer: @escaping @Sendable (ChallengeDisposition) -> Void)
}

/// Decides on delayed requests, which may be outdated when they begin.
public protocol TransferDelayDelegate: TransferTaskDelegate {
    /// The task's ``TransferTask/earliestBegin`` has come (`willBeginDelayedRequest`). At most once per task, before
    /// anything is sent. Not called for background sessions, whose tasks another process begins.
    /// - Parameter request: the task's original one.
    /// - Parameter answer: without a reply the request is sent unchanged.
    func session(
        _ session: TransferSession, task: TransferTask, willBeginDelayed request: TransferRequest,
        answer: @escaping @Sendable (DelayedRequestDisposition) -> Void)
}

/// Decides on redirects.
public protocol TransferRedirectDelegate: TransferTaskDelegate {
    /// - Parameter answer: the redirect, unchanged or modified; `nil`: the 3xx itself is the response, with its body.
    func session(
        _ session: TransferSession, task: TransferTask, willFollow redirect: Redirect,
        answer: @escaping @Sendable (Redirect?) -> Void)
}

/// Decides on the response of a data or upload task, before `didReceive response` is called.
public protocol TransferResponseDelegate: TransferDataDelegate {
    func session(
        _ session: TransferSession, task: TransferTask, decideOn response: HTTPResponse,
        answer: @escaping @Sendable (ResponseDisposition) -> Void)
}

/// Provides a stream body again that must be resent after a challenge or redirect.
public protocol TransferUploadDelegate: TransferDataDelegate {
    /// - Parameter answer: a descriptor with the same bytes from the start, owned by the caller. `nil`: none, and the
    ///   task fails.
    func session(
        _ session: TransferSession, task: TransferTask, needNewBodyStream answer: @escaping @Sendable (Int32?) -> Void)
}

/// Decides what the cache stores.
public protocol TransferCacheDelegate: TransferDataDelegate {
    /// - Parameter answer: the response to store, unchanged or modified; `nil`: nothing. The task's completion does not
    ///   wait for it.
    func session(
        _ session: TransferSession, task: TransferTask, willCache response: CachedResponse,
        answer: @escaping @Sendable (CachedResponse?) -> Void)
}
