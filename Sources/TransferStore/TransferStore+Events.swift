// SPDX-License-Identifier: MIT

import FoundationEssentials
import GRDB
package import TransferModel

extension TransferStore {
    /// The events that the delegate of `session` has not acknowledged, oldest first. The same ones until it does.
    package func events(of session: String, limit: Int = 1000) throws(TransferError) -> [StoredEvent] {
        try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: "SELECT sequence, transfer, payload FROM events WHERE session = ? "
                    + "ORDER BY sequence LIMIT ?", arguments: [session, limit])
            return try rows.map { row in
                StoredEvent(
                    sequence: try row.decode(Int64.self, atIndex: 0),
                    transfer: TransferID(rawValue: try row.decode(Int.self, atIndex: 1)),
                    payload: [UInt8](try row.decode(Data.self, atIndex: 2)))
            }
        }
    }

    /// Deletes the events of `session` up to and including `sequence`: its delegate has received them.
    package func acknowledgeEvents(of session: String, upTo sequence: Int64) throws(TransferError) {
        try change { db in
            try db.execute(
                sql: "DELETE FROM events WHERE session = ? AND sequence <= ?", arguments: [session, sequence])
        }
    }
}
