// SPDX-License-Identifier: MIT

public import HTTPTypes
public import TransferModel

/// An authentication challenge: of the client by a server or proxy, or of the server by the client.
public struct AuthenticationChallenge: Sendable, Hashable {
    public var protectionSpace: ProtectionSpace
    /// Rejected credentials of this task for this space.
    public var previousFailureCount: Int
    /// At the first challenge the credential that the default handling would send: the request's own, else the
    /// session's storage's. After a failure (``previousFailureCount``) the rejected one, which the default handling
    /// does not send again. Printed without secrets.
    public var proposedCredential: Credential?
    /// The 401 or 407.
    public var failureResponse: HTTPResponse?
    /// The certificates presented, for `serverTrust`; `failure` says why the system rejected them, `nil` if it did not.
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

    /// The proposed credential.
    var defaultCredential: Credential? { previousFailureCount == 0 ? proposedCredential : nil }
}

/// A credential.
public enum ChallengeCredential: Sendable, Hashable {
    /// For basic, digest, NTLM and Negotiate.
    case password(Credential, CredentialPersistence = .forSession)
    case bearer(Secret)
    case clientIdentity(ClientIdentity)
    /// Accepts the certificate presented. If the system rejected it, this is an exception for exactly its public key.
    case trust(CredentialPersistence = .forSession)
}

/// A delegate's reply to a challenge.
public enum ChallengeDisposition: Sendable, Hashable {
    /// Use this credential; `nil`: continue without, and the task completes with the response.
    case useCredential(ChallengeCredential?)
    /// As without a delegate: the proposed credential once, else the response; for trust the system's evaluation.
    case performDefaultHandling
    /// The task ends with ``TransferModel/TransferError/cancelled``.
    case cancel
    /// Reject this protection space; try the next method that the server offers.
    case rejectProtectionSpace
}
