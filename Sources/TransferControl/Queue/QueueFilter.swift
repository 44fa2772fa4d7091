// SPDX-License-Identifier: MIT

package import TransferModel

/// Selects the transfers that match all members. A member that is `nil` or empty matches all.
package struct QueueFilter: Sendable, Hashable, Codable {
    package var ids: [TransferID]?
    package var states: [TransferState]?
    package var kind: TransferKind?
    /// The background session of the transfers.
    package var session: String?
    /// Further conditions; see ``Term``.
    package var terms: [Term]?
    /// At most so many of them, the first in the queue's order; `nil`: all. For lists only.
    package var limit: Int?

    package init(
        ids: [TransferID]? = nil, states: [TransferState]? = nil, kind: TransferKind? = nil, session: String? = nil,
        terms: [Term]? = nil, limit: Int? = nil
    ) {
        self.ids = ids
        self.states = states
        self.kind = kind
        self.session = session
        self.terms = terms
        self.limit = limit
    }

    /// The matching ones of `transfers`, in the given order.
    package func apply(to transfers: [Transfer]) -> [Transfer] {
        let matcher = QueueFilterMatcher(self)
        let matching = matcher.takesAll ? transfers : transfers.filter(matcher.takes)
        return limit.map { Array(matching.prefix(max(0, $0))) } ?? matching
    }
}

/// A filter prepared for many transfers.
package struct QueueFilterMatcher: Sendable {
    private let filter: QueueFilter
    private let ids: Set<TransferID>?
    private let terms: [QueueFilter.Term]

    package init(_ filter: QueueFilter) {
        self.filter = filter
        ids = filter.ids.map(Set.init)
        terms = filter.terms ?? []
    }

    var takesAll: Bool {
        ids == nil && filter.states == nil && filter.kind == nil && filter.session == nil && terms.isEmpty
    }

    package func takes(_ transfer: Transfer) -> Bool {
        if let ids, !ids.contains(transfer.id) { return false }
        if let states = filter.states, !states.contains(transfer.state) { return false }
        if let kind = filter.kind, kind != transfer.kind { return false }
        if let session = filter.session, session != transfer.session { return false }
        return terms.allSatisfy { $0.takes(transfer) }
    }
}
