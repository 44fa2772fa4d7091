// SPDX-License-Identifier: MIT

public import TransferModel

/// Which transfers are meant. A member that is `nil` leaves nobody out.
public struct QueueFilter: Sendable, Hashable, Codable {
    public var ids: [TransferID]?
    public var states: [TransferState]?
    public var kind: TransferKind?
    /// The background session that they belong to.
    public var session: String?

    public init(ids: [TransferID]? = nil, states: [TransferState]? = nil, kind: TransferKind? = nil, session: String? = nil) {
        self.ids = ids
        self.states = states
        self.kind = kind
        self.session = session
    }

    /// Those of `transfers` that are meant, in the order given.
    public func apply(to transfers: [TransferSnapshot]) -> [TransferSnapshot] {
        let wanted = ids.map(Set.init)
        return transfers.filter { transfer in
            wanted?.contains(transfer.id) ?? true && states?.contains(transfer.state) ?? true
                && kind ?? transfer.kind == transfer.kind && session ?? transfer.session == transfer.session
        }
    }
}
