// SPDX-License-Identifier: MIT

import TransferModel

/// The requests of a client.
enum ControlRequest: Sendable, Hashable {
    case hello(ClientHello)
    case add(AddParams)
    case list(QueueFilter)
    case snapshot
    case info(TransferID)
    case perform(PerformParams)
    case relocate(RelocateParams)
    case getLimits
    case setLimits(QueueLimits)
    case getTimetable
    case setTimetable(LimitTimetable)
    /// The client chooses the number, which every message of the subscription carries. With a background session, it
    /// receives only that one's transfers.
    case subscribe(Int, session: String?)
    case unsubscribe(Int)
    case history(HistoryQuery)
    case clear(QueueFilter)
    case sessionEvents(SessionEventsParams)
    case acknowledgeSessionEvents(AcknowledgeParams)
    case status
    /// Requests an empty reply.
    case ping
    case shutDown

    var method: ControlMethod {
        switch self {
        case .hello: .hello
        case .add: .add
        case .list: .list
        case .snapshot: .snapshot
        case .info: .info
        case .perform: .perform
        case .relocate: .relocate
        case .getLimits: .getLimits
        case .setLimits: .setLimits
        case .getTimetable: .getTimetable
        case .setTimetable: .setTimetable
        case .subscribe: .subscribe
        case .unsubscribe: .unsubscribe
        case .history: .history
        case .clear: .clear
        case .sessionEvents: .sessionEvents
        case .acknowledgeSessionEvents: .acknowledgeSessionEvents
        case .status: .status
        case .ping: .ping
        case .shutDown: .shutDown
        }
    }
}

struct ClientHello: Sendable, Hashable, Codable {
    /// ``ControlProtocol/version``
    var `protocol`: Int
    /// The program's version.
    var version: String
    var program: String?
    /// Whether this client accepts the reserved connection; absent: false.
    var reserved: Bool?
}

struct PerformParams: Sendable, Hashable, Codable {
    var command: WireCommand
    var ids: [TransferID]

    init(command: WireCommand, ids: [TransferID]) {
        self.command = command
        self.ids = ids
    }

    private enum Key: CodingKey { case ids }

    /// The command's members are beside the IDs.
    init(from decoder: any Decoder) throws {
        command = try WireCommand(from: decoder)
        ids = try decoder.container(keyedBy: Key.self).decode([TransferID].self, forKey: .ids)
    }

    func encode(to encoder: any Encoder) throws {
        try command.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(ids, forKey: .ids)
    }
}

struct RelocateParams: Sendable, Hashable, Codable {
    var id: TransferID
    var place: Relocation

    init(id: TransferID, place: Relocation) {
        self.id = id
        self.place = place
    }

    /// The members of the relocation are beside the ID.
    init(from decoder: any Decoder) throws {
        id = try IDParams(from: decoder).id
        place = try Relocation(from: decoder)
        try place.check()
    }

    func encode(to encoder: any Encoder) throws {
        try IDParams(id: id).encode(to: encoder)
        try place.encode(to: encoder)
    }
}

struct IDParams: Sendable, Hashable, Codable { var id: TransferID }

struct SubscriptionParams: Sendable, Hashable, Codable {
    /// Absent: 1.
    var subscription: Int?
    /// Absent: every transfer.
    var session: String?
}

struct SessionEventsParams: Sendable, Hashable, Codable {
    var session: String
    /// Absent: 100.
    var limit: Int?
}

struct AcknowledgeParams: Sendable, Hashable, Codable {
    var session: String
    /// The number of the last delivered event.
    var upTo: Int64
}

struct HistoryParams: Sendable, Hashable, Codable {
    var filter: QueueFilter?
    var before: HistoryEntry.Place?
    /// Absent: 100.
    var limit: Int?
}
