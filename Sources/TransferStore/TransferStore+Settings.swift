// SPDX-License-Identifier: MIT

import GRDB
package import TransferModel

extension TransferStore {
    /// `nil` if none were stored, or if they cannot be decoded.
    package func settings() throws(TransferError) -> StoreSettings? {
        let text = try read { try String.fetchOne($0, sql: "SELECT value FROM settings WHERE name = 'queue'") }
        return try? StoreJSON.value(text)
    }

    package func keep(_ settings: StoreSettings) throws(TransferError) {
        try change { db in try Self.write(settings, db) }
    }

    static func write(_ settings: StoreSettings, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO settings (name, value) VALUES ('queue', ?) "
                + "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            arguments: [try StoreJSON.text(settings)])
    }
}
