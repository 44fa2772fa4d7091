// SPDX-License-Identifier: MIT

import FoundationEssentials
import GRDB
package import TransferModel

extension TransferStore {
    /// Records that files will get their names next.
    /// - Parameters:
    ///   - isDurable: whether the record must survive a power cut once this returns.
    ///   - outdated: groups whose transfers have been recorded since.
    /// - Returns: the number of the group.
    package func intend(
        _ group: PlacementGroup, isDurable: Bool, dropping outdated: [Int64]
    ) throws(TransferError) -> Int64 {
        try onQueue { db in
            try transact(db, isDurable: isDurable) { db in
                for number in outdated {
                    try db.cachedStatement(sql: "DELETE FROM placements WHERE number = ?").execute(arguments: [number])
                }
                try db.cachedStatement(sql: "INSERT INTO placements (boot, are_synced, files) VALUES (?, ?, ?)")
                    .execute(arguments: [group.bootID, group.areSynced, group.blob])
                return db.lastInsertedRowID
            }
        }
    }

    /// The groups of an earlier process are needed no more: what became of their files is recorded.
    package func dropPlacements(_ numbers: [Int64]) throws(TransferError) {
        guard !numbers.isEmpty else { return }
        try onQueue { db in
            try transact(db, isDurable: false) { db in
                for number in numbers {
                    try db.execute(sql: "DELETE FROM placements WHERE number = ?", arguments: [number])
                }
            }
        }
    }

    /// The numbers of all groups.
    package func placements() throws(TransferError) -> [Int64] {
        try read { try Int64.fetchAll($0, sql: "SELECT number FROM placements ORDER BY number") }
    }

    /// Of each transfer its last group.
    static func intentions(_ db: Database) throws -> [TransferID: (group: PlacementGroup, file: PlacementGroup.File)] {
        var found: [TransferID: (group: PlacementGroup, file: PlacementGroup.File)] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT boot, are_synced, files FROM placements ORDER BY number") {
            let files = PlacementGroup.files(try row.decode(Data.self, atIndex: 2))
            let group = PlacementGroup(
                [], bootID: try row.decode(String?.self, atIndex: 0),
                areSynced: try row.decode(Bool.self, atIndex: 1))
            for file in files { found[file.id] = (group, file) }
        }
        return found
    }

    /// The device number of the database's file system; `nil` if unknown.
    package var device: UInt64? { folder.device }
}
