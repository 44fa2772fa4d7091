// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel

/// The state of one run's questions to the user.
struct Consent {
    /// A login that the user entered, and its protection space.
    struct Login: Equatable {
        var space: ProtectionSpace
        var credential: Credential
        var persistence: ConsentPersistence
    }

    /// The question raised by the last attempt.
    var question: ConsentQuestion?
    /// The question of a transfer that failed without a user to answer: for the front end to show.
    var unanswered: ConsentQuestion?
    /// The error of that attempt.
    var error: TransferError?
    /// Entered for this transfer.
    var login: Login?
    /// The logins sent in the current attempt.
    private(set) var sent: [ProtectionSpace: Login] = [:]
    /// Server keys that this run accepted although the system does not.
    private var acceptedKeys: Set<[UInt8]> = []

    /// The run's own login is sent with the first request if its method allows that, and the attempt asks its server.
    mutating func beginAttempt(at url: TransferURL) {
        question = nil
        unanswered = nil
        error = nil
        sent = [:]
        if let login, login.isSentPreemptively, login.belongs(to: url) { sent[login.space] = login }
    }

    /// Requests that follow send it at once, not the one that was entered before.
    mutating func note(sending login: Login) {
        sent[login.space] = login
        if self.login?.space == login.space { self.login = login }
    }

    /// The server has refused this credential; another connection may have sent a later one.
    mutating func refused(_ credential: Credential, at space: ProtectionSpace) {
        if sent[space]?.credential == credential { sent[space] = nil }
    }

    /// - Returns: whether the key was not yet accepted.
    mutating func proceed(withKey key: [UInt8]) -> Bool { acceptedKeys.insert(key).inserted }
}

extension Consent.Login {
    /// Basic is sent with the first request. With the other methods that would reveal the password.
    var isSentPreemptively: Bool { space.method == .basic && !space.isProxy }

    func belongs(to url: TransferURL) -> Bool {
        !space.isProxy && space.host == url.host && space.port == url.port && space.scheme == url.scheme
    }
}

/// The user's answers for a queue; they apply to every transfer with the same question.
struct ConsentAnswers {
    private var logins: [ProtectionSpace: Consent.Login] = [:]
    private var declined: Set<ConsentQuestion.Subject> = []

    func login(for space: ProtectionSpace) -> Consent.Login? { logins[space] }

    func isDeclined(_ question: ConsentQuestion) -> Bool { declined.contains(question.subject) }

    mutating func add(_ login: Consent.Login) { logins[login.space] = login }

    mutating func decline(_ question: ConsentQuestion) { declined.insert(question.subject) }

    /// The server rejected this credential; a later answer stays.
    mutating func drop(_ credential: Credential, at space: ProtectionSpace) {
        if logins[space]?.credential == credential { logins[space] = nil }
    }

    /// A declined question may be asked again.
    mutating func ask(again question: ConsentQuestion?) {
        if let question { declined.remove(question.subject) }
    }
}

extension ConsentQuestion {
    init(_ challenge: AuthenticationChallenge) {
        let space = challenge.protectionSpace
        self = .login(
            Login(
                host: space.host, port: space.port, scheme: space.scheme, isProxy: space.isProxy, realm: space.realm,
                method: space.method.rawValue, hasFailed: challenge.previousFailureCount > 0))
    }

    /// Whether an answer would resolve the error.
    func isCause(of error: TransferError) -> Bool {
        switch self {
        case .trust: [.certificateUntrusted, .certificateRefused, .pinMismatch].contains(error.code)
        case .login: error.code == .loginDenied
        }
    }
}

extension ConsentQuestion.Login {
    /// `nil` for an authentication method that this version does not know.
    var space: ProtectionSpace? {
        ProtectionSpace.Method(rawValue: method).map {
            ProtectionSpace(host: host, port: port, scheme: scheme, isProxy: isProxy, realm: realm, method: $0)
        }
    }
}
