// SPDX-License-Identifier: MIT

import GRDB
import Synchronization
package import TransferModel

/// The durable queue: transfers, their attempts, unacknowledged session events, and settings, in SQLite.
///
/// From any thread; calls wait for the disk, so an engine that must not wait calls from another thread, and passes
/// frequent changes to a ``StoreWriter``. One store has one opener at a time, over all processes.
///
/// When a call has returned, its effect is committed. The database is in WAL mode: a commit survives any end of the
/// process. Against a power cut each commit is synced before its call returns (`synchronous=FULL`), except those that
/// contain only progress (`NORMAL`): the last of these may be missing then, but nothing is ever torn or out of order.
package final class TransferStore: Sendable {
    /// Damage found while opening. Its warning must be shown: the queue is new.
    package let report: StoreReport
    let folder: StoreFolder
    /// `nil` after ``close()``. GRDB's own `close` is not used: a call after it crashes.
    private let connection: Mutex<DatabaseQueue?>
    /// Used only on the database's queue; the mutex is for the compiler.
    let credentials: Mutex<CredentialFile>
    /// Whether commits are synced; `nil`: not set yet. Used as `credentials` is.
    private let syncsCommits = Mutex<Bool?>(nil)
    /// The write-ahead log could not be synced. Used as `credentials` is.
    private let hasLostLog = Mutex(false)
    private let lock: StoreLock

    /// Opens the store in `folder`, or creates it: folder 0700, files 0600.
    ///
    /// A damaged file is renamed to an unused name, and a new one created; see ``report``.
    /// - Parameter time: seconds since 1970, for the names of damaged files.
    /// - Throws: code `other` if another process has it open, or if a newer version of this program wrote it; then
    ///   nothing has changed. Code `cannotWrite` if it cannot be read or written.
    package init(folder path: String, time: Double) throws(TransferError) {
        folder = StoreFolder(path: path)
        try folder.prepare()
        lock = try StoreLock(path: folder.lock)
        var report = StoreReport()
        let database = try Self.openDatabase(folder, time: time, &report)
        connection = Mutex(database)
        let file = try Self.openCredentials(folder, time: time, &report)
        credentials = Mutex(file)
        self.report = report
        removeUnusedSecrets()
        folder.sync()
    }

    /// Closes the store, so that another can be opened immediately: flush its writer first. Waits for pending calls;
    /// later ones throw. Without this call, the store is closed when the last reference is released.
    package func close() {
        guard let database = connection.withLock({ $0.take() }) else { return }
        database.writeWithoutTransaction { _ in }
        lock.unlock()
    }

    private func open() throws(TransferError) -> DatabaseQueue {
        guard let database = connection.withLock({ $0 }) else {
            throw TransferError(.other, file: .closed, path: folder.database)
        }
        return database
    }

    /// Reads, on the database's queue.
    func read<Result>(_ body: (Database) throws -> Result) throws(TransferError) -> Result {
        let database = try open()
        // GRDB's own `read` prepares every cached statement again.
        do { return try database.writeWithoutTransaction(body) } catch {
            throw StoreFailure.translate(error, path: folder.database)
        }
    }

    /// Writes, in one transaction that survives a power cut once this returns.
    func change<Result>(_ body: (Database) throws -> Result) throws(TransferError) -> Result {
        try onQueue { try transact($0, body) }
    }

    /// For work on database and credentials together, which the database's queue serializes.
    func onQueue<Result>(_ body: (Database) throws -> Result) throws(TransferError) -> Result {
        let database = try open()
        do { return try database.writeWithoutTransaction(body) } catch {
            if (error as? DatabaseError)?.resultCode == .SQLITE_FULL { Self.shrinkJournal(database) }
            throw StoreFailure.translate(error, path: folder.database)
        }
    }

    /// A transaction that was rolled back still takes space in the write-ahead log, and the disk is full.
    private static func shrinkJournal(_ database: DatabaseQueue) {
        try? database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    /// Linux reports once that bytes could not be written (fsync(2)). SQLite syncs the log again with the next commit
    /// and succeeds, but after a power cut the log ends where the disk lacks an earlier one. So what it holds goes to
    /// the database, and the log begins again.
    private func replaceLostLog(_ db: Database) throws {
        guard hasLostLog.withLock({ $0 }) else { return }
        let isBusy = try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        guard isBusy == 0 else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
        hasLostLog.withLock { $0 = false }
    }

    /// - Parameter isDurable: whether it must survive a power cut once this returns.
    func transact<Result>(
        _ db: Database, isDurable: Bool = true, _ body: (Database) throws -> Result
    ) throws -> Result {
        if syncsCommits.withLock({ $0 }) != isDurable {
            try db.execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
            syncsCommits.withLock { $0 = isDurable }
        }
        try replaceLostLog(db)
        var result: Result?
        do {
            try db.inTransaction(.immediate) {
                result = try body(db)
                return .commit
            }
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_IOERR_FSYNC {
            hasLostLog.withLock { $0 = true }
            throw error
        }
        guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return result
    }
}
