// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel
import TransferStore

/// The queue on a local disk: SQLite, and a writer that batches changes into few commits.
struct SQLiteStore: QueueStore {
    private let store: TransferStore
    private let writer: StoreWriter

    /// - Parameter report: called with the error of a failed commit, which is repeated.
    init(_ store: TransferStore, scheduler: any Scheduler, report: @escaping @Sendable (TransferError) -> Void) {
        self.store = store
        writer = StoreWriter(
            store: store, now: { scheduler.now }, schedule: { scheduler.schedule(at: $0, $1) }, reportFailure: report)
    }

    func add(_ specs: [Spec], as drafts: [Transfer]) throws(TransferError) -> [Transfer] {
        try store.add(specs, as: drafts)
    }

    func descriptions(of ids: [TransferID]) throws(TransferError) -> [TransferID: Result<Spec, TransferError>] {
        try store.descriptions(of: ids)
    }

    func replaceDescription(of id: TransferID, with description: Spec) throws(TransferError) {
        _ = try store.replaceDescription(of: id, with: description)
    }

    func replaceOperation(of id: TransferID, with operation: Spec.Operation) throws(TransferError) {
        var stored = try store.description(of: id)
        stored.operation = operation
        _ = try store.replaceDescription(of: id, with: stored)
    }

    func setPlaces(_ places: [TransferID: Int64]) throws(TransferError) { try store.setPlaces(places) }
    func transfer(_ id: TransferID) throws(TransferError) -> Transfer? { try store.transfer(id) }
    func attempts(of id: TransferID) throws(TransferError) -> [TransferAttempt] { try store.attempts(of: id) }

    func history(before place: (endedAt: Double, id: TransferID)?, limit: Int) throws(TransferError) -> [Transfer] {
        try store.history(before: place, limit: limit)
    }

    func remove(_ ids: [TransferID]) throws(TransferError) { try store.remove(ids) }
    func setListed(_ ids: [TransferID], _ isListed: Bool) throws(TransferError) { try store.setListed(ids, isListed) }
    func setCleared(_ ids: [TransferID], _ isCleared: Bool) throws(TransferError) {
        try store.setCleared(ids, isCleared)
    }
    func events(of session: String, limit: Int) throws(TransferError) -> [StoredEvent] {
        try store.events(of: session, limit: limit)
    }

    func acknowledgeEvents(of session: String, upTo sequence: Int64) throws(TransferError) {
        try store.acknowledgeEvents(of: session, upTo: sequence)
    }

    func record(_ changes: @autoclosure () -> [StoreChange], then completion: StoreWriter.Completion?) {
        writer.record(changes(), then: completion)
    }

    func keep(_ settings: StoreSettings) { writer.keep(settings) }
    func flush(then completion: @escaping StoreWriter.Completion) { writer.flush(then: completion) }
    func commit(including id: TransferID?, then completion: @escaping StoreWriter.Completion) {
        writer.commit(including: id, then: completion)
    }

    func intend(
        _ group: PlacementGroup, isDurable: Bool, dropping outdated: [Int64]
    ) throws(TransferError) -> Int64 {
        try store.intend(group, isDurable: isDurable, dropping: outdated)
    }

    func dropPlacements(_ numbers: [Int64]) throws(TransferError) { try store.dropPlacements(numbers) }
    var device: UInt64? { store.device }
    func close() { store.close() }
}
