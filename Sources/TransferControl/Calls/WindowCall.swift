// SPDX-License-Identifier: MIT

import FoundationEssentials
import TransferModel

/// Rows of a list around one of them.
struct WindowCall: ControlCall {
    static let method = "window"
    static var bare: WindowCall? { WindowCall(WindowRequest()) }
    /// The subscription whose window this one replaces; absent: the reply has the rows.
    var subscription: Int?
    var request: WindowRequest

    init(_ request: WindowRequest, subscription: Int? = nil) {
        self.request = request
        self.subscription = subscription
    }

    private enum Key: CodingKey { case subscription }

    /// The members of the request stand beside the subscription.
    init(from decoder: any Decoder) throws {
        request = try WindowRequest(from: decoder)
        subscription = try decoder.container(keyedBy: Key.self).decodeIfPresent(Int.self, forKey: .subscription)
    }

    func encode(to encoder: any Encoder) throws {
        try request.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(subscription, forKey: .subscription)
    }

    /// Empty if the rows come with the subscription.
    struct Reply: Sendable, Hashable, Codable { var window: WindowUpdate? }

    func carryOut(in session: ServerSession, bytes: Int) async throws -> Reply {
        if let subscription {
            guard session.window(subscription) != nil else {
                throw ControlError(.invalidParams, "subscription \(subscription) has no window")
            }
            return Reply()
        }
        var listing = QueueListing(reason: session.filterReason)
        let transfers = try await session.queue.snapshot().transfers
        listing.show(request.spec, agesFrom: Date().timeIntervalSince1970) { _ in nil }
        listing.replaceAll(transfers)
        let known = TransferTable(transfers)
        return Reply(window: listing.window(request) { known[$0] }.update(since: nil))
    }

    func replied(in session: ServerSession) {
        if let subscription { session.window(subscription)?.move(to: request) }
    }
}

extension WindowCall.Reply: DirectRecord {
    static var blank: WindowCall.Reply { WindowCall.Reply() }

    mutating func visit(_ visitor: inout some MemberVisitor) throws { try visitor.optional("window", &window) }
}
