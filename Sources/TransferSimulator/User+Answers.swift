// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel
import TransferService
import TransferTesting

/// Users answer what transfers ask: rightly or not, late, twice, from two clients, beside other commands.
extension User {
    enum Answer: String { case right, wrong, decline }

    /// A question has appeared.
    func asked(_ id: TransferID, _ question: ConsentQuestion) {
        guard origin.isFaulty else { return }
        if origin.meets(.lateAnswers, odds: 5) { return }
        let answer: Answer =
            if origin.meets(.wrongAnswers) {
                .wrong
            } else if origin.meets(.declinedQuestions, odds: 4) {
                .decline
            } else {
                .right
            }
        let delay = Double([origin.draw(0...3), origin.draw(0...40)][origin.draw(0...1)])
        world.at(machine.now + delay) { [self] in
            give(answer, to: id, question)
            if world.swarm.has(.duplicateCommands), origin.draw(0...2) == 0 {
                world.trace.met(.duplicateCommands)
                world.trace.sometimes("answer: of two clients")
                give(origin.meets(.wrongAnswers) ? .wrong : answer, to: id, question)
            }
            if world.swarm.has(.commands), origin.draw(0...2) == 0 { interfere(id) }
            if machine.random.once(in: 4) {
                world.trace.sometimes("answer: process ends soon")
                world.killSoon(after: origin.draw(0...30))
            }
        }
        guard origin.meets(.lateAnswers, odds: 4) else { return }
        // To what may not be asked any more.
        world.at(machine.now + delay + Double(origin.draw(1...60))) { [self] in give(answer, to: id, question) }
    }

    /// Another command for the transfer at the same moment.
    private func interfere(_ id: TransferID) {
        world.trace.sometimes("answer: beside a command")
        switch origin.draw(0...6) {
        case 0, 1: perform(.pause, [id], .paused)
        case 2: perform(.cancel(deletingPartial: origin.draw(0...1) == 0), [id], .cancelled)
        case 3: perform(.resume, [id])
        case 4: perform(.retry, [id])
        case 5: relocate(id)
        default: perform(.remove, ledger.states[id]?.isEnded == true ? [id] : [])
        }
    }

    /// - Parameter question: as the user saw it; the transfer may ask something else by now, or nothing.
    func give(_ answer: Answer, to id: TransferID, _ question: ConsentQuestion) {
        guard ledger.added[id] != nil else { return }
        if ledger.answers.open[id] == nil { world.trace.sometimes("answer: to no question") }
        answers += 1
        let persistence: ConsentPersistence = origin.draw(0...2) == 0 ? .always : .once
        let shown = world.bug == .answerToAnyQuestion ? nil : question
        switch (answer, question) {
        case (.decline, _): carryOut(.decline(to: shown), answer, id, question)
        case (_, .trust): carryOut(.trust(persistence, to: shown), .right, id, question)
        case (.right, .login(let asked)):
            let space = Guards.Space(server: "\(asked.scheme)://\(asked.host)", realm: asked.realm ?? "")
            let login = Credential(user: "u\(answers)", password: origin.guards.password(of: space))
            carryOut(.login(login, persistence, to: shown), answer, id, question)
        case (.wrong, .login):
            let login = Credential(user: "u\(answers)", password: "\(Secrets.mark)wrong \(answers)")
            carryOut(.login(login, persistence, to: shown), answer, id, question)
        }
    }

    private func carryOut(_ command: QueueCommand, _ answer: Answer, _ id: TransferID, _ question: ConsentQuestion) {
        guard let queue = world.queue else { return }
        let life = world.network.life
        let isRight = answer == .right
        if case .login(let login, _, _) = command { origin.guards.lastGiven = login }
        let ids = Array(Set(ledger.answers.asking(question) + [id])).sorted()
        // To what each of them asks, unless a reply before was for it.
        let isAsked = ledger.answers.asking(question) == ids && ids.allSatisfy { ledger.unreported[$0] == nil }
        let promise: Ledger.Promise? = answer == .decline && isAsked ? .declined : nil
        ledger.began(ids, promising: promise)
        let number = ledger.answers.began(command, question, isRight: isRight)
        world.trace.sometimes("answer: \(answer.rawValue)")
        world.trace.note(machine.now, "answer: \(answer.rawValue) \(id)")
        // The next attempts begin earlier than planned.
        origin.allowAllRequests()
        Task { [self] in
            var error: (any Error)?
            let isDropped = world.bug == .declineDropped && answer == .decline
            do {
                if !isDropped { try await world.give(to: queue) { try await $0.perform(command, on: [id]) } }
            } catch let failure { error = failure }
            guard life == world.network.life else { return }
            let end = error.map { "\(($0 as? TransferError)?.code.rawValue ?? -1)" } ?? "done"
            world.trace.note(machine.now, "reply: answer \(id) \(end)")
            // After another command it may have asked nothing; another answer may have come first.
            let isKept = error == nil && ledger.isOnlyCommand(on: id) && ledger.answers.wasAlone(number)
            ledger.ended(ids, promising: isKept ? promise : nil)
            ledger.answers.ended(command, isRight: isRight)
        }
    }

    /// Of each question that is open, once.
    func answerEverything() {
        var known: Set<ConsentQuestion.Subject> = []
        for (id, (question, _)) in ledger.answers.open.sorted(by: { $0.key < $1.key })
        where known.insert(question.subject).inserted { give(.right, to: id, question) }
    }

    /// What servers change.
    func planGuards() {
        if world.swarm.has(.newLogins) {
            for space in spaces where origin.draw(0...2) == 0 {
                world.at(world.time()) { [self] in
                    origin.replaceLogin(space)
                    ledger.answers.replacedLogin(space)
                }
            }
        }
        guard world.swarm.has(.newKeys), world.swarm.has(.untrustedServers) else { return }
        for host in Self.secureHosts where origin.draw(0...1) == 0 {
            world.at(world.time()) { [self] in origin.replaceKey(of: host) }
        }
    }

    private var spaces: [Guards.Space] {
        let servers =
            Self.hosts.map { "http://\($0)" } + Self.secureHosts.map { "https://\($0)" }
        return servers.flatMap { server in Self.realms.map { Guards.Space(server: server, realm: $0) } }
    }

    static let realms = ["one", "two"]
    static let secureHosts = ["s.sim", "t.sim"]
}
