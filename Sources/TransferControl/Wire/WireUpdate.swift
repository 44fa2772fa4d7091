// SPDX-License-Identifier: MIT

import TransferModel

/// One message of a subscription: its number, and exactly one further member.
struct WireUpdate: Sendable, Hashable, Codable {
    enum Content: Sendable, Hashable {
        case update(QueueUpdate)
        case window(WindowUpdate)
        /// The queue has shut down; the last message of the subscription.
        case ended
    }

    var subscription: Int
    var content: Content

    init(subscription: Int, _ content: Content) {
        self.subscription = subscription
        self.content = content
    }

    private enum Key: CodingKey { case subscription, snapshot, events, order, removed, limits, window, ended }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        subscription = try container.decode(Int.self, forKey: .subscription)
        if let events = try container.decodeIfPresent([TransferEvent].self, forKey: .events) {
            content = .update(.events(events))
        } else if let snapshot = try container.decodeIfPresent(QueueSnapshot.self, forKey: .snapshot) {
            content = .update(.snapshot(snapshot))
        } else if let order = try container.decodeIfPresent([TransferID].self, forKey: .order) {
            content = .update(.order(order))
        } else if let removed = try container.decodeIfPresent([TransferID].self, forKey: .removed) {
            content = .update(.removed(removed))
        } else if let limits = try container.decodeIfPresent(QueueLimits.self, forKey: .limits) {
            content = .update(.limits(limits))
        } else if let window = try container.decodeIfPresent(WindowUpdate.self, forKey: .window) {
            content = .window(window)
        } else {
            _ = try container.decode(Bool.self, forKey: .ended)
            content = .ended
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(subscription, forKey: .subscription)
        switch content {
        case .update(.snapshot(let snapshot)): try container.encode(snapshot, forKey: .snapshot)
        case .update(.events(let events)): try container.encode(events, forKey: .events)
        case .update(.order(let order)): try container.encode(order, forKey: .order)
        case .update(.removed(let ids)): try container.encode(ids, forKey: .removed)
        case .update(.limits(let limits)): try container.encode(limits, forKey: .limits)
        case .window(let window): try container.encode(window, forKey: .window)
        case .ended: try container.encode(true, forKey: .ended)
        }
    }
}

/// A line as the client receives it.
enum ServerMessage: Decodable {
    case hello(ServerHello)
    case update(WireUpdate)
    /// A result; the caller decodes it.
    case answer(MessageID)
    /// Without an ID it concerns the whole connection.
    case error(MessageID?, ControlError)
    /// An update of a newer version.
    case unknown

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: MessageKey.self)
        switch try container.decodeIfPresent(String.self, forKey: .method) {
        case ControlNotice.hello: self = .hello(try container.decode(ServerHello.self, forKey: .params))
        case ControlNotice.update: self = .update(try container.decode(WireUpdate.self, forKey: .params))
        case .some: self = .unknown
        case nil:
            let id = try container.decodeIfPresent(MessageID.self, forKey: .id)
            if let error = try container.decodeIfPresent(ControlError.self, forKey: .error) {
                self = .error(id, error)
            } else if let id {
                self = .answer(id)
            } else {
                self = .unknown
            }
        }
    }
}
