// SPDX-License-Identifier: MIT

import GRDB
import Synchronization
package import TransferModel

/// The durable queue: transfers, their tries, what their sessions have not been told, and settings, in SQLite.
///
/// From any thread; calls wait for the disk, so a queue that must not wait calls from elsewhere, and gives what changes
/// often to a ``StoreWriter``. One store has one opener at a time, over all processes.
///
/// What a call has returned from is committed. The database is in WAL mode: a commit survives the end of the process,
/// however it comes. Against a power cut each commit is synced before its call returns (`synchronous=FULL`), except
/// those that hold progress alone (`NORMAL`): the last of them may then be missing, and nothing is ever torn or out of
/// order.
package final class TransferStore: Sendable {
    /// What opening found. A warning in it must be shown: the queue began anew.
    package let report: StoreReport
    let folder: StoreFolder
    /// `nil` once it is closed. GRDB's own `close` is not used: a call that comes after it crashes.
    private let connection: Mutex<DatabaseQueue?>
    /// Used on the database's queue alone; the mutex tells the compiler so.
    let credentials: Mutex<CredentialFile>
    private let lock: StoreLock

    /// Opens the store in `folder`, or makes it: folder 0700, files 0600.
    ///
    /// A damaged file is set aside under a name that is free, and a new one is begun; ``report`` says so.
    /// - Parameter time: seconds since 1970, for the names of what is set aside.
    /// - Throws: code `other` where another process has it open, or where a newer version of this program wrote it;
    ///   then nothing was changed. Code `cannotWrite` where it cannot be read or written.
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

    /// Ends the use of the store, so that another may be opened at once: flush its writer first. Waits for calls that
    /// are under way; later ones throw. Without it, the store is closed when the last reference goes.
    package func close() {
        guard let database = connection.withLock({ $0.take() }) else { return }
        database.writeWithoutTransaction { _ in }
        lock.unlock()
    }

    private func open() throws(TransferError) -> DatabaseQueue {
        guard let database = connection.withLock({ $0 }) else {
            throw TransferError(.other, "\(folder.database): the queue is closed")
        }
        return database
    }

    /// Reads, on the database's queue.
    func read<Result>(_ body: (Database) throws -> Result) throws(TransferError) -> Result {
        let database = try open()
        // GRDB's own `read` has every kept statement prepared anew.
        do { return try database.writeWithoutTransaction(body) } catch {
            throw StoreFailure.translate(error, path: folder.database)
        }
    }

    /// Changes, in one transaction that survives a power cut from the moment this returns.
    func change<Result>(_ body: (Database) throws -> Result) throws(TransferError) -> Result {
        try onQueue { try Self.transact($0, body) }
    }

    /// For work on database and credentials together, which the database's queue keeps in order.
    func onQueue<Result>(_ body: (Database) throws -> Result) throws(TransferError) -> Result {
        let database = try open()
        do { return try database.writeWithoutTransaction(body) } catch {
            if (error as? DatabaseError)?.resultCode == .SQLITE_FULL { Self.shrinkJournal(database) }
            throw StoreFailure.translate(error, path: folder.database)
        }
    }

    /// What was taken back still takes room in the write-ahead log, of which there is none to spare.
    private static func shrinkJournal(_ database: DatabaseQueue) {
        try? database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    /// - Parameter isDurable: whether it must survive a power cut from the moment this returns.
    static func transact<Result>(
        _ db: Database, isDurable: Bool = true, _ body: (Database) throws -> Result
    ) throws -> Result {
        try db.execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
        var result: Result?
        try db.inTransaction(.immediate) {
            result = try body(db)
            return .commit
        }
        guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return result
    }
}
