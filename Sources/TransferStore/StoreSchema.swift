// SPDX-License-Identifier: MIT

import GRDB

/// The tables, as a list of migrations that only grows: a released migration never changes.
enum StoreSchema {
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1", foreignKeyChecks: .immediate, migrate: first)
        migrator.registerMigration("paused by", foreignKeyChecks: .immediate, migrate: addPauses)
        migrator.registerMigration("notes", foreignKeyChecks: .immediate, migrate: addNotes)
        migrator.registerMigration("placements", foreignKeyChecks: .immediate, migrate: addPlacements)
        migrator.registerMigration("postponed", foreignKeyChecks: .immediate, migrate: addPostponed)
        migrator.registerMigration("predecessors", foreignKeyChecks: .immediate, migrate: addPredecessors)
        migrator.registerMigration("batches", foreignKeyChecks: .immediate, migrate: addBatches)
        return migrator
    }()

    /// Adds who paused a transfer, and whether a finished one is still shown in the queue. A pause without a reason was
    /// the user's.
    @Sendable private static func addPauses(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE transfers ADD COLUMN paused_by TEXT;
                ALTER TABLE transfers ADD COLUMN is_listed INTEGER NOT NULL DEFAULT 1;
                UPDATE transfers SET paused_by = 'transfer' WHERE state = 'paused' AND reason IS NULL;
                """)
    }

    /// Notes as values; `reason` has the texts of earlier versions.
    @Sendable private static func addNotes(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE transfers ADD COLUMN note TEXT")
    }

    /// Commands that were confirmed while a file was being verified.
    @Sendable private static func addPostponed(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE transfers ADD COLUMN postponed TEXT")
    }

    /// Transfers that one starts after, as a list of their IDs.
    @Sendable private static func addPredecessors(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE transfers ADD COLUMN predecessors TEXT")
    }

    /// The batch of a transfer: its ID, a blank, its name.
    @Sendable private static func addBatches(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE transfers ADD COLUMN batch TEXT")
    }

    /// Groups of files about to get their names; see ``TransferStore/intend(_:)``.
    @Sendable private static func addPlacements(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE placements (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    boot TEXT,
                    are_synced INTEGER NOT NULL,
                    files BLOB NOT NULL
                ) STRICT;
                """)
    }

    @Sendable private static func first(_ db: Database) throws {
        // AUTOINCREMENT: an ID is never reused, even after its row is deleted. STRICT: a column holds its type or NULL.
        try db.execute(
            sql: """
                CREATE TABLE transfers (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    rank INTEGER NOT NULL,
                    session TEXT NOT NULL,
                    kind TEXT NOT NULL,
                    url TEXT NOT NULL,
                    added_at REAL NOT NULL,
                    subject TEXT NOT NULL,
                    options TEXT NOT NULL,
                    secrets INTEGER,
                    file TEXT NOT NULL,
                    priority REAL NOT NULL,
                    state TEXT NOT NULL,
                    reason TEXT,
                    status INTEGER,
                    error TEXT,
                    attempt INTEGER NOT NULL,
                    failures INTEGER NOT NULL,
                    started_at REAL,
                    ended_at REAL,
                    retry_at REAL,
                    bytes INTEGER NOT NULL,
                    total INTEGER,
                    confirmed INTEGER,
                    resume TEXT,
                    upload TEXT,
                    rate_limit INTEGER,
                    earliest_begin_at REAL,
                    is_discretionary INTEGER NOT NULL,
                    task_description TEXT
                ) STRICT;
                CREATE INDEX transfers_by_rank ON transfers (rank);
                CREATE INDEX transfers_by_secrets ON transfers (secrets) WHERE secrets IS NOT NULL;
                CREATE INDEX transfers_by_end ON transfers (ended_at) WHERE state IN ('completed', 'failed', \
                'cancelled');

                CREATE TABLE attempts (
                    transfer INTEGER NOT NULL REFERENCES transfers (id) ON DELETE CASCADE,
                    number INTEGER NOT NULL,
                    started_at REAL NOT NULL,
                    ended_at REAL,
                    url TEXT NOT NULL,
                    first_byte INTEGER NOT NULL,
                    last_byte INTEGER NOT NULL,
                    status INTEGER,
                    error TEXT,
                    metrics TEXT,
                    PRIMARY KEY (transfer, number)
                ) STRICT, WITHOUT ROWID;

                -- An event outlives its transfer: it stays until the delegate has received it.
                CREATE TABLE events (
                    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                    session TEXT NOT NULL,
                    transfer INTEGER NOT NULL,
                    payload BLOB NOT NULL
                ) STRICT;
                CREATE INDEX events_by_session ON events (session, sequence);

                CREATE TABLE settings (
                    name TEXT PRIMARY KEY,
                    value TEXT NOT NULL
                ) STRICT, WITHOUT ROWID;
                """)
    }
}
