// SPDX-License-Identifier: MIT

public import HTTPTypes
public import TransferModel

/// Somebody must prove who they are: the client to a server or proxy, or the server to the client.
public struct AuthenticationChallenge: Sendable, Hashable {
    public var protectionSpace: ProtectionSpace
    /// Credentials for this space that this task has sent in vain.
    public var previousFailureCount: Int
    /// At the first challenge what the default handling would send: the request's own, else the session's storage's.
    /// After a failure (``previousFailureCount``) the one that was rejected, which the default handling does not send
    /// again. Without secrets in print.
    public var proposedCredential: Credential?
    /// The 401 or 407.
    public var failureResponse: HTTPResponse?
    /// The certificates shown, for `serverTrust`; `failure` in it says why the system refused them, `nil` where it did
    /// not.
    public var serverTrust: ServerTrust?

    public init(
        protectionSpace: ProtectionSpace, previousFailureCount: Int = 0, proposedCredential: Credential? = nil,
        failureResponse: HTTPResponse? = nil, serverTrust: ServerTrust? = nil
    ) {
        self.protectionSpace = protectionSpace
        self.previousFailureCount = previousFailureCount
        self.proposedCredential = proposedCredential
        self.failureResponse = failureResponse
        self.serverTrust = serverTrust
    }

    /// What the default handling sends.
    var defaultCredential: Credential? { previousFailureCount == 0 ? proposedCredential : nil }
}

/// What proves it.
public enum ChallengeCredential: Sendable, Hashable {
    /// For basic, digest, NTLM and Negotiate.
    case password(Credential, CredentialPersistence = .forSession)
    case bearer(Secret)
    case clientIdentity(ClientIdentity)
    /// The certificate shown is accepted. Where the system had refused it, this is an exception for exactly its public
    /// key.
    case trust(CredentialPersistence = .forSession)
}

/// What a delegate makes of a challenge.
public enum ChallengeDisposition: Sendable, Hashable {
    /// Go on with this; `nil`: go on without any, the answer as it is becoming the task's.
    case useCredential(ChallengeCredential?)
    /// As if there were no delegate: the proposed credential once, else the answer as it is; for trust the system's
    /// judgement.
    case performDefaultHandling
    /// The task ends with ``TransferModel/TransferError/cancelled``.
    case cancel
    /// Not this way of logging in; the next one the server offers is asked for.
    case rejectProtectionSpace
}
