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
        // The secrets of a database that was set aside belong to it: their numbers mean others in the new one.
        if !report.setAside.isEmpty { report.setAside += try folder.setAside(folder.credentials, at: time) }
        do throws(CredentialFile.Trouble) {
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

    /// - Throws: a `DatabaseError` of damage where the file must be set aside; then it is closed.
    private static func connect(_ folder: StoreFolder) throws -> DatabaseQueue {
        // SQLite would make it as the umask says, and gives its companions the mode that it finds here.
        _ = try StoreFolder.open(folder.database)
        var configuration = Configuration()
        configuration.label = "fileq.store.database"
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: folder.database, configuration: configuration)
        do {
            try queue.writeWithoutTransaction { db in
                // Before anything is changed: a newer program's file stays as it is.
                guard try !StoreSchema.migrator.hasBeenSuperseded(db) else {
                    throw TransferError(
                        .other,
                        "\(folder.database): was written by a newer version of this program; "
                            + "use that one, or another folder")
                }
                let answer = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no answer"
                guard answer == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: answer) }
                try db.execute(sql: "PRAGMA journal_mode = WAL")
                try db.execute(sql: "PRAGMA journal_size_limit = 16777216")
                // Each checkpoint syncs twice: as seldom as that limit allows.
                try db.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
                // Learns of a disk or a file that cannot be written before anybody relies on it.
                try db.inTransaction(.immediate) { .commit }
            }
            try StoreSchema.migrator.migrate(queue)
            return queue
        } catch {
            try? queue.close()
            throw error
        }
    }

    /// What a process that ended too early left: sets that no transfer names. On a full disk they stay until the next
    /// time.
    func removeUnusedSecrets() {
        try? onQueue { db in
            let used = try Set(
                Int64.fetchAll(db, sql: "SELECT DISTINCT secrets FROM transfers WHERE secrets IS NOT NULL"))
            try credentials.withLock { try $0.keep(only: used) }
        }
    }
}
