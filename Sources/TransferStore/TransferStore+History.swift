// SPDX-License-Identifier: MIT

import GRDB
package import TransferModel

extension TransferStore {
    private static let ended = "state IN ('completed', 'failed', 'cancelled') AND (ended_at IS NULL OR ended_at >= 0)"

    /// Finished transfers, the latest end first.
    package func history(limit: Int = 1000, offset: Int = 0) throws(TransferError) -> [Transfer] {
        try read { db in
            try Self.transfers(
                db, "WHERE \(Self.ended) ORDER BY ended_at DESC, id DESC LIMIT ? OFFSET ?", [limit, offset])
        }
    }

    /// Finished transfers that the queue still shows, the latest end first.
    package func listedHistory(limit: Int) throws(TransferError) -> [Transfer] {
        try read { db in
            try Self.transfers(db, "WHERE \(Self.ended) AND is_listed ORDER BY ended_at DESC, id DESC LIMIT ?", [limit])
        }
    }

    /// A page of finished transfers, the latest end first: those after `place`, which is an end's time and its ID.
    package func history(
        before place: (endedAt: Double, id: TransferID)?, limit: Int
    ) throws(TransferError) -> [Transfer] {
        guard let place else { return try history(limit: limit) }
        return try read { db in
            try Self.transfers(
                db, "WHERE \(Self.ended) AND (ended_at, id) < (?, ?) ORDER BY ended_at DESC, id DESC LIMIT ?",
                [place.endedAt, place.id.rawValue, limit])
        }
    }

    /// Hides ended transfers from the queue and the history, or returns them as they were. The next pruning of the
    /// history removes what is hidden. Unknown IDs are skipped.
    package func setCleared(_ ids: [TransferID], _ isCleared: Bool) throws(TransferError) {
        guard !ids.isEmpty else { return }
        try change { db in
            let statement = try db.makeStatement(
                sql: """
                    UPDATE transfers SET ended_at = -1 - COALESCE(ended_at, 0)
                        WHERE id = ? AND state IN ('completed', 'failed', 'cancelled') \
                    AND (COALESCE(ended_at, 0) >= 0) = ?
                    """)
            for id in ids { try statement.execute(arguments: [id.rawValue, isCleared]) }
        }
    }

    /// Removes transfers that ended too long ago, those beyond the count, and what was cleared. One without an end time
    /// counts as the oldest.
    /// - Parameter time: seconds since 1970.
    /// - Returns: the removed ones.
    @discardableResult
    package func pruneHistory(_ limits: HistoryLimits, time: Double) throws(TransferError) -> [TransferID] {
        let found = try read { db in
            try Int.fetchAll(
                db,
                sql: """
                    SELECT id FROM (SELECT id, ended_at FROM transfers WHERE \(Self.ended) ORDER BY ended_at DESC, id \
                    DESC
                        LIMIT -1 OFFSET ?)
                    UNION SELECT id FROM transfers
                        WHERE state IN ('completed', 'failed', 'cancelled') AND ended_at < ?
                    """, arguments: [max(0, limits.count), time - limits.age])
        }
        let ids = found.map(TransferID.init(rawValue:))
        if !ids.isEmpty { try remove(ids) }
        return ids
    }
}
