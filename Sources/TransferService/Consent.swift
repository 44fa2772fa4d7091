// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel

/// What one job has to do with questions to people.
struct Consent {
    /// A login that somebody has given, and where it opens something.
    struct Login: Equatable {
        var space: ProtectionSpace
        var credential: Credential
        var persistence: ConsentPersistence
    }

    /// What the last try ran into.
    var question: ConsentQuestion?
    /// The same, where nobody is there to answer.
    var unanswered: ConsentQuestion?
    /// What that try failed with.
    var error: TransferError?
    /// Given for this very job.
    var login: Login?
    /// What the present try has sent, by where.
    private(set) var sent: [ProtectionSpace: Login] = [:]
    /// Keys that this job went on with although the system refused them.
    private var acceptedKeys: Set<[UInt8]> = []

    /// The job's own login goes out with the first request where that is how it is sent.
    mutating func beginTry() {
        question = nil
        unanswered = nil
        error = nil
        sent = [:]
        if let login, login.goesOutUnasked { sent[login.space] = login }
    }

    mutating func note(sending login: Login) { sent[login.space] = login }

    /// - Returns: whether this is the first time.
    mutating func goOn(withKey key: [UInt8]) -> Bool { acceptedKeys.insert(key).inserted }
}

extension Consent.Login {
    /// Basic is sent with the first request. Of the others it would give the password away.
    var goesOutUnasked: Bool { space.method == .basic && !space.isProxy }

    func belongs(to url: TransferURL) -> Bool {
        !space.isProxy && space.host == url.host && space.port == url.port && space.scheme == url.scheme
    }
}

/// What people have said to a queue, for every transfer that asks the same.
struct ConsentAnswers {
    private var logins: [ProtectionSpace: Consent.Login] = [:]
    private var declined: Set<ConsentQuestion.Subject> = []

    func login(for space: ProtectionSpace) -> Consent.Login? { logins[space] }

    func isDeclined(_ question: ConsentQuestion) -> Bool { declined.contains(question.subject) }

    mutating func add(_ login: Consent.Login) { logins[login.space] = login }

    mutating func decline(_ question: ConsentQuestion) { declined.insert(question.subject) }

    /// The other end did not accept it.
    mutating func drop(_ login: Consent.Login) {
        if logins[login.space] == login { logins[login.space] = nil }
    }

    /// What was declined may be asked once more.
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

    /// Whether an answer would mend what the transfer failed with.
    func isCause(of error: TransferError) -> Bool {
        switch self {
        case .trust: [.certificateUntrusted, .certificateRefused, .pinMismatch].contains(error.code)
        case .login: error.code == .loginDenied
        }
    }
}

extension ConsentQuestion.Login {
    /// `nil` for a way of logging in that this release does not know.
    var space: ProtectionSpace? {
        ProtectionSpace.Method(rawValue: method).map {
            ProtectionSpace(host: host, port: port, scheme: scheme, isProxy: isProxy, realm: realm, method: $0)
        }
    }
}
