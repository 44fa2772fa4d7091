// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

extension TaskMachine {
    /// The next exchange.
    struct ExchangePlan: Sendable, Equatable {
        var url: TransferURL
        var method: HTTPRequest.Method
        var sendsBody: Bool
        /// Credentials, cookies and secret fields of the request may be sent.
        var isOriginalOrigin = true
        var resume: ResumePoint?
        /// To the address that sent the bytes so far, without the redirects that led there: if it does not send the
        /// rest, ``TaskMachine/first`` is next.
        var isDirect = false
        /// How to log in; `nil`: with the request's own credential.
        var login: Login?
        var proxyLogin: Login?
        /// The proxy that demanded ``proxyLogin``.
        var loginProxy: ProtectionSpace.Server?
        var expectsContinue = true
        var trust = TrustDemand.system
        var clientIdentity: ClientIdentity?
        /// A delegate had none for a server that asked.
        var declinesIdentity = false
        /// Fields that a delegate added on a redirect, and those that revalidate a stored response.
        var extraFields = HTTPFields()
        var answersFromCache = CacheUse.none
        /// Straight to the origin, since its alternative service could not be reached.
        var avoidsAlternative = false
        /// The previous exchange ended without a response and without a failure.
        var isRepeated = false
        /// The connection of the previous exchange turned out dead.
        var needsNewConnection = false
        /// The download has a copy, and asks whether it is still current.
        var isConditional = false
        /// The exchange belongs to a resumable upload.
        var leg: UploadExchange?
    }

    enum CacheUse: Sendable, Equatable {
        case none
        /// A 304 confirms the stored response.
        case revalidating
        /// The stored response is the response; nothing is sent.
        case stored
        /// The stored response turned out to be useless.
        case reloading
    }

    /// A scheme with its credential or token.
    struct Login: Sendable, Equatable {
        var method: ProtectionSpace.Method
        var credential: Credential?
        var token: Secret?
    }
}

extension TaskMachine.Login {
    /// `nil` if the credential does not fit the scheme.
    init?(_ method: ProtectionSpace.Method, _ credential: ChallengeCredential?) {
        switch (method, credential) {
        case (.bearer, .bearer(let token)): self.init(method: method, token: token)
        case (.basic, .password(let credential, _)), (.digest, .password(let credential, _)),
            (.ntlm, .password(let credential, _)), (.negotiate, .password(let credential, _)):
            self.init(method: method, credential: credential)
        default: return nil
        }
    }
}

extension TaskMachine.ExchangePlan {
    func loggingIn(_ login: TaskMachine.Login, at space: ProtectionSpace) -> Self {
        var next = self
        if space.isProxy {
            (next.proxyLogin, next.loginProxy) = (login, space.server)
            return next
        }
        next.login = login
        // A response stored for requests without a login is neither revalidated nor replaced.
        if next.answersFromCache != .none {
            next.answersFromCache = .none
            for name in [HTTPField.Name.ifNoneMatch, .ifModifiedSince] { next.extraFields[name] = nil }
        }
        return next
    }
}
