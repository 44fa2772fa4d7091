// SPDX-License-Identifier: MIT

import TransferModel

/// A ``QueueCommand`` as a flat object: its name, with its members beside it.
///
/// Only this file has the commands' names and members. A new command is a ``Name`` and a line in each of the two
/// switches; neither compiles without.
struct WireCommand: Sendable, Hashable, Codable {
    let command: QueueCommand

    init(_ command: QueueCommand) { self.command = command }

    enum Name: String, Codable, CaseIterable {
        case pause, hold, resume, cancel, retry, move, limit, liftRestrictions, schedule, after, priority, remove,
            dismiss, trust, login, decline
    }
    private enum Key: CodingKey {
        case command, deletePartial, to, rate, at, predecessors, priority, login, persistence, question
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        command =
            switch try members.decode(Name.self, forKey: .command) {
            case .pause: .pause
            case .hold: .hold
            case .resume: .resume
            case .cancel:
                .cancel(deletingPartial: try members.decodeIfPresent(Bool.self, forKey: .deletePartial) ?? false)
            case .retry: .retry
            case .move: .move(try members.decode(QueueMove.self, forKey: .to))
            case .limit: .limit(try Self.rate(members))
            case .schedule: .schedule(try Self.time(members))
            case .after: .after(try members.decode([TransferID].self, forKey: .predecessors))
            case .priority: .priority(try WireCheck.priority(try members.decode(Double.self, forKey: .priority)))
            case .remove: .remove
            case .dismiss: .dismiss
            case .liftRestrictions: .liftRestrictions
            case .trust:
                .trust(
                    try members.decode(ConsentPersistence.self, forKey: .persistence),
                    to: try members.decodeIfPresent(ConsentQuestion.self, forKey: .question))
            case .login:
                .login(
                    try members.decode(Credential.self, forKey: .login),
                    try members.decode(ConsentPersistence.self, forKey: .persistence),
                    to: try members.decodeIfPresent(ConsentQuestion.self, forKey: .question))
            case .decline: .decline(to: try members.decodeIfPresent(ConsentQuestion.self, forKey: .question))
            }
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        func name(_ name: Name) throws { try members.encode(name, forKey: .command) }
        switch command {
        case .pause: try name(.pause)
        case .hold: try name(.hold)
        case .resume: try name(.resume)
        case .cancel(let deletingPartial):
            try name(.cancel)
            try members.encode(deletingPartial, forKey: .deletePartial)
        case .retry: try name(.retry)
        case .move(let move):
            try name(.move)
            try members.encode(move, forKey: .to)
        case .limit(let rate):
            try name(.limit)
            try members.encode(rate, forKey: .rate)
        case .schedule(let time):
            try name(.schedule)
            try members.encode(time, forKey: .at)
        case .after(let ids):
            try name(.after)
            try members.encode(ids, forKey: .predecessors)
        case .priority(let priority):
            try name(.priority)
            try members.encode(priority, forKey: .priority)
        case .remove: try name(.remove)
        case .dismiss: try name(.dismiss)
        case .liftRestrictions: try name(.liftRestrictions)
        case .trust(let persistence, let question):
            try name(.trust)
            try members.encode(persistence, forKey: .persistence)
            try members.encodeIfPresent(question, forKey: .question)
        case .login(let login, let persistence, let question):
            try name(.login)
            try members.encode(login, forKey: .login)
            try members.encode(persistence, forKey: .persistence)
            try members.encodeIfPresent(question, forKey: .question)
        case .decline(let question):
            try name(.decline)
            try members.encodeIfPresent(question, forKey: .question)
        }
    }

    /// `null` removes the time; an absent member is an error.
    private static func time(_ members: KeyedDecodingContainer<Key>) throws -> Double? {
        if try members.decodeNil(forKey: .at) { return nil }
        return try WireCheck.time(try members.decode(Double.self, forKey: .at), "at")
    }

    /// `null` removes the limit; an absent member is an error.
    private static func rate(_ members: KeyedDecodingContainer<Key>) throws -> Int? {
        if try members.decodeNil(forKey: .rate) { return nil }
        return try WireCheck.number(try members.decode(Int.self, forKey: .rate), atLeast: 1, "rate")
    }
}
