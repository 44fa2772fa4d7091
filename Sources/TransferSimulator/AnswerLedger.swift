// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferControl
import TransferModel

/// What transfers ask, what users have answered, and what must therefore be true.
final class AnswerLedger: @unchecked Sendable {  // Used on one thread.
    /// A login that a user gave; each has a user name of its own.
    private struct Given {
        var server: String
        var subject: ConsentQuestion.Subject
        var isLasting: Bool
        /// Of the process that was given it.
        var life: Int
    }

    private let machine: Machine
    private let origin: Origin
    private var life = 1
    private var given: [String: Given] = [:]
    /// By host: keys that users have accepted.
    private var accepted: [String: Set<[UInt8]>] = [:]
    /// As the present process has reported, with the time at which that was seen.
    private(set) var open: [TransferID: (question: ConsentQuestion, since: Double)] = [:]
    /// Paused by request, as was reported last.
    private var stopped: Set<TransferID> = []
    /// A transfer asks what it did not ask before.
    var asked: (TransferID, ConsentQuestion) -> Void = { _, _ in }
    /// Answers under way that are no right login or trust.
    private var othersInFlight = 0
    private var retriesInFlight = 0
    /// When the last retry was replied to, on the wall clock of events.
    private var retriedAt = -Double.infinity
    /// Subjects to which the present process has a right answer, and those that were declined.
    private(set) var decided: Set<ConsentQuestion.Subject> = []
    private var declined: Set<ConsentQuestion.Subject> = []
    /// By host: the key that the next process must find accepted.
    private var lasting: [String: [UInt8]] = [:]
    /// By host: what commands on its key have asked for in this process; `nil`: different things.
    private var trusts: [String: (key: [UInt8], isLasting: Bool)?] = [:]
    private var trustsInFlight = 0
    private var inFlight = 0
    private var count = 0

    init(_ machine: Machine, _ origin: Origin) { (self.machine, self.origin) = (machine, origin) }

    private var trace: Trace { machine.trace }

    // MARK: Questions

    /// - Parameter time: on the wall clock of events; `nil`: unknown.
    func observe(_ transfer: Transfer, at time: Double?) {
        let id = transfer.id
        if transfer.state == .paused, let question = transfer.question {
            if stopped.remove(id) != nil, time != nil {
                trace.violate("a paused one does not ask", "\(id) was paused, and asks")
            }
            guard open[id]?.question != question else { return }
            open[id] = (question, machine.now)
            noteQuestion(id, question)
            return asked(id, question)
        }
        if transfer.state == .paused, transfer.pausedBy != nil { stopped.insert(id) } else { stopped.remove(id) }
        guard let (question, _) = open.removeValue(forKey: id), transfer.state == .failed, let time else { return }
        guard [.loginDeclined, .trustDeclined].contains(transfer.error?.fields.variant) else { return }
        // Nobody has asked for another attempt since.
        if retriesInFlight == 0, time > retriedAt { declined.insert(question.subject) }
    }

    private func noteQuestion(_ id: TransferID, _ question: ConsentQuestion) {
        switch question {
        case .login(let login):
            trace.sometimes(login.hasFailed ? "question: login, again" : "question: login")
            trace.note(machine.now, "\(id) asks for a login at \(login.host) \(login.realm ?? "")")
        case .trust(let trust):
            trace.sometimes(trust.failure == .otherKey ? "question: another key" : "question: trust")
            trace.note(machine.now, "\(id) asks for trust in \(trust.host) \(trust.publicKeySHA256[1])")
        }
    }

    /// Commands on these begin or end, which may start another attempt.
    func touched(_ ids: [TransferID], isUnderWay: Bool) {
        for id in ids { open[id]?.since = isUnderWay ? .infinity : machine.now }
    }

    func isOpen(_ id: TransferID) -> Bool { open[id] != nil }

    /// All that ask the same.
    func asking(_ question: ConsentQuestion) -> [TransferID] {
        open.filter { $0.value.question.subject == question.subject }.keys.sorted()
    }

    // MARK: Answers

    /// - Parameter isRight: a login that the server accepts.
    /// - Returns: its number; `nil` beside another.
    func began(_ command: QueueCommand, _ question: ConsentQuestion, isRight: Bool) -> Int? {
        inFlight += 1
        count += 1
        switch (command, question) {
        case (.login(let login, let persistence, _), .login(let asked)):
            given[login.user] = Given(
                server: "\(asked.scheme)://\(asked.host)", subject: question.subject,
                isLasting: persistence == .always, life: life)
            if !isRight { decided.remove(question.subject) }
        case (.trust(let persistence, _), .trust(let asked)):
            accepted[asked.host, default: []].insert(asked.publicKeySHA256)
            let wish = (key: asked.publicKeySHA256, isLasting: persistence == .always)
            if let known = trusts[asked.host] {
                if known?.key != wish.key || known?.isLasting != wish.isLasting { trusts[asked.host] = .some(nil) }
            } else {
                trusts[asked.host] = wish
            }
            lasting[asked.host] = nil
            trustsInFlight += 1
            decided = decided.filter { !Self.isKey($0, of: asked.host) }
        default: break
        }
        if !isRight { othersInFlight += 1 }
        return inFlight == 1 ? count : nil
    }

    /// Whether no other answer was under way beside that of this number.
    func wasAlone(_ number: Int?) -> Bool { number == count }

    func ended(_ command: QueueCommand, isRight: Bool) {
        inFlight -= 1
        if !isRight { othersInFlight -= 1 }
        if case .trust = command { trustsInFlight -= 1 }
    }

    /// A command that lets transfers ask again what was declined.
    func beganRetry() {
        retriesInFlight += 1
        declined = []
    }

    func endedRetry() {
        retriesInFlight -= 1
        retriedAt = machine.wallNow
    }

    private static func isKey(_ subject: ConsentQuestion.Subject, of host: String) -> Bool {
        if case .key(host, _, _) = subject { true } else { false }
    }

    func replacedLogin(_ space: Guards.Space) {
        decided = decided.filter { subject in
            guard case .login(let login) = subject else { return true }
            return "\(login.scheme)://\(login.host)" != space.server || login.realm != space.realm
        }
    }

    // MARK: Requests

    /// The client wants to send this: what it knows by now it need not ask any more.
    func learn(from exchange: Exchange) {
        if case .basic(let login) = exchange.authentication, let answer = given[login.user], answer.life == life,
            othersInFlight == 0, case .login(let asked) = answer.subject,
            login.password == origin.guards.password(of: .init(server: answer.server, realm: asked.realm ?? ""))
        {
            decide(answer.subject)
        }
        guard exchange.url.isSecure, case .exception(let key) = exchange.trust, trustsInFlight == 0,
            let trust = trusts[exchange.url.host], let trust, trust.key == key
        else { return }
        let host = exchange.url.host
        decide(.key(host: host, port: exchange.url.port, publicKeySHA256: key))
        if trust.isLasting { lasting[host] = key }
    }

    private func decide(_ subject: ConsentQuestion.Subject) {
        if decided.insert(subject).inserted { trace.sometimes("question: decided") }
    }

    /// What is sent: a login reaches the server for which it was given, and only one whose key was accepted.
    func check(_ exchange: Exchange) {
        let server = Guards.server(exchange.url)
        if case .basic(let login) = exchange.authentication, given[login.user]?.server != server {
            trace.violate("logins stay where they were given", "\(server) received that of \(login.user)")
        }
        if exchange.url.string.contains(Secrets.mark)
            || exchange.fields.contains(where: { $0.name != Secrets.field && $0.value.contains(Secrets.mark) })
        {
            trace.violate("secrets stay secret", "a request to \(server) has one in its head")
        }
        guard exchange.url.isSecure, case .exception(let key) = exchange.trust else { return }
        if accepted[exchange.url.host]?.contains(key) != true {
            trace.violate("only accepted keys", "\(server) was trusted with a key that was not accepted")
        }
    }

    // MARK: The queue at one moment

    struct Known {
        fileprivate var decided: Set<ConsentQuestion.Subject>
        fileprivate var declined: Set<ConsentQuestion.Subject>
    }

    /// What was known before a snapshot was taken.
    var known: Known { Known(decided: decided, declined: declined) }

    func check(_ transfers: [Transfer], _ known: Known) {
        for transfer in transfers where transfer.state == .paused {
            guard let subject = transfer.question?.subject else { continue }
            if known.decided.contains(subject), decided.contains(subject) {
                trace.violate("answered stays answered", "\(transfer.id) asks what was answered")
            }
            if known.declined.contains(subject), declined.contains(subject) {
                trace.violate("declined stays declined", "\(transfer.id) asks what was declined")
            }
        }
    }

    /// Bytes of a transfer moved that asks: not long after, though what was under way may arrive.
    func moved(_ id: TransferID, _ path: String) {
        guard let since = open[id]?.since, machine.now - since - 1 - 6 * machine.slowness.seconds > 0 else { return }
        trace.violate("what asks does not move", "\(path) moved while \(id) waits for an answer")
    }

    // MARK: Files, and the next process

    static let files: Set = ["logins", "logins.new", "keys", "keys.new"]

    /// The file has logins that are to last, and that the server has accepted.
    func checkFile(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        for (user, answer) in given.sorted(by: { $0.key < $1.key }) where text.contains("\"\(user)\"") {
            trace.sometimes("login: stored")
            if answer.isLasting, origin.guards.admitted.contains(user) { continue }
            trace.violate("only accepted logins are stored", "\(user) of \(answer.server) is")
        }
    }

    /// - Parameter keys: those that the next process finds accepted.
    func check(_ keys: [TrustedKey]) {
        for (host, key) in lasting.sorted(by: { $0.key < $1.key }) {
            if keys.contains(where: { $0.host == host && $0.publicKey.bytes == key }) {
                trace.sometimes("key: stored")
            } else {
                trace.violate("what a reply promised", "the key of \(host) is not accepted any more")
            }
        }
    }

    func restarted(after end: Ledger.End) {
        life += 1
        (open, stopped, decided, declined, trusts) = ([:], [], [], [], [:])
        (inFlight, othersInFlight, retriesInFlight, trustsInFlight) = (0, 0, 0, 0)
        if end == .powerCut { lasting = [:] }
    }

    func clockWasSet() { retriedAt = machine.wallNow }

    func forget(_ ids: [TransferID]) {
        for id in ids { open[id] = nil }
        stopped.subtract(ids)
    }
}
