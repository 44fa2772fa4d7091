// SPDX-License-Identifier: MIT

import Glibc
import GRDB
import Synchronization
import TransferModel

extension TransferStore {
    static func openDatabase(
        _ folder: StoreFolder, time: Double, _ report: inout StoreReport
    ) throws(TransferError)
        -> DatabaseQueue
    {
        do {
            return try connect(folder)
        } catch {
            guard StoreFailure.isDamage(error) else { throw StoreFailure.translate(error, path: folder.database) }
        }
        // SQLite calls it damage, too, when a page cannot be read now (EIO): then nothing is set aside.
        try folder.checkReading(folder.database, with: ["-wal"])
        do {
            return try connect(folder)
        } catch {
            guard StoreFailure.isDamage(error) else { throw StoreFailure.translate(error, path: folder.database) }
            report.damage = (error as? DatabaseError)?.message ?? "damaged"
            report.setAside += try folder.setAside(folder.database, with: ["-wal", "-shm"], at: time)
        }
        do { return try connect(folder) } catch { throw StoreFailure.translate(error, path: folder.database) }
    }

    static func openCredentials(
        _ folder: StoreFolder, time: Double, _ report: inout StoreReport
    ) throws(TransferError)
        -> CredentialFile
    {
        // The secrets of a database that was set aside belong to it: in a new one their numbers would mean others.
        if !report.setAside.isEmpty { report.setAside += try folder.setAside(folder.credentials, at: time) }
        do throws(CredentialFile.LoadError) {
            return try CredentialFile(path: folder.credentials)
        } catch {
            switch error {
            case .refused(let error): throw error
            case .damaged(let damage):
                report.damage = report.damage ?? damage
                report.setAside += try folder.setAside(folder.credentials, at: time)
                return CredentialFile(emptyAt: folder.credentials)
            }
        }
    }

    /// - Throws: a `DatabaseError` of damage if the file must be set aside; then it is closed.
    private static func connect(_ folder: StoreFolder) throws -> DatabaseQueue {
        // SQLite would create it with the umask; its companion files get this file's mode.
        _ = try StoreFolder.open(folder.database)
        var configuration = Configuration()
        configuration.label = "fileq.store.database"
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: folder.database, configuration: configuration)
        do {
            try queue.writeWithoutTransaction { db in
                // Before any change: a newer program's file stays unchanged.
                guard try !StoreSchema.migrator.hasBeenSuperseded(db) else {
                    throw TransferError(.other, file: .newerVersion, path: folder.database, variant: .newerVersion)
                }
                let answer = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no answer"
                if let failure = StoreFailure.check(answer) { throw failure }
                try db.execute(sql: "PRAGMA journal_mode = WAL")
                try db.execute(sql: "PRAGMA journal_size_limit = 16777216")
                // Each checkpoint syncs twice: as rarely as that limit allows.
                try db.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
                // A process that was killed has left a log. Its last sync may have failed: a later one would succeed
                // without what the disk lacks. On a full disk the log stays.
                try? db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
            try StoreSchema.migrator.migrate(queue)
            // Where a file cannot be opened for writing, SQLite opens it for reading, and says so at the first change,
            // not at the beginning of a transaction: before anything relies on it.
            try queue.writeWithoutTransaction { try $0.execute(sql: "DELETE FROM transfers WHERE 0") }
            return queue
        } catch {
            try? queue.close()
            throw error
        }
    }

    /// Removes sets that no transfer refers to, left by a process that ended too early. On a full disk they stay until
    /// the next opening.
    func removeUnusedSecrets() {
        try? onQueue { db in
            let used = try Set(
                Int64.fetchAll(db, sql: "SELECT DISTINCT secrets FROM transfers WHERE secrets IS NOT NULL"))
            try credentials.withLock { credentials in
                guard credentials.hasOthers(than: used) else { return }
                // The last process may have ended before the disk had the commit that freed them.
                try db.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)")
                try credentials.keep(only: used)
            }
        }
    }
}
