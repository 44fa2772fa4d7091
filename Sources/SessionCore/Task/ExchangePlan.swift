// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

extension TaskMachine {
    /// What the next exchange looks like.
    struct ExchangePlan: Sendable, Equatable {
        var url: TransferURL
        var method: HTTPRequest.Method
        var sendsBody: Bool
        /// Credentials, cookies and secret fields of the request may go along.
        var isOriginalOrigin = true
        var resume: ResumePoint?
        /// How to log in; `nil`: with what the request itself carries.
        var login: Login?
        var proxyLogin: Login?
        /// The proxy that asked for ``proxyLogin``.
        var loginProxy: ProtectionSpace.Server?
        var expectsContinue = true
        var trust = TrustDemand.system
        var clientIdentity: ClientIdentity?
        /// Fields that a delegate added on a redirect, and those that ask whether a stored answer is still true.
        var extraFields = HTTPFields()
        var answersFromCache = CacheUse.none
        /// Straight to the origin: where it said that it can be had too, it could not be reached.
        var avoidsAlternative = false
        /// The exchange before ended without an answer and without a failure.
        var isRepeated = false
        /// The download has a copy already, and asks whether it is still current.
        var isConditional = false
    }

    enum CacheUse: Sendable, Equatable {
        case none
        /// A 304 says that the stored answer is the one.
        case revalidating
        /// The stored answer is the answer; nothing goes to the network.
        case stored
        /// What is stored turned out to be of no use.
        case reloading
    }

    /// Who one claims to be.
    struct Login: Sendable, Equatable {
        var method: ProtectionSpace.Method
        var credential: Credential?
        var token: Secret?
    }
}

extension TaskMachine.Login {
    /// `nil` where the credential is none for this way of logging in.
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
        // What is stored for whoever does not log in is neither asked about nor replaced.
        if next.answersFromCache != .none {
            next.answersFromCache = .none
            for name in [HTTPField.Name.ifNoneMatch, .ifModifiedSince] { next.extraFields[name] = nil }
        }
        return next
    }
}
