// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel
import TransferStore
import TransferTesting

@testable import TransferService

/// A store in front of another one, which does what a test does not change.
protocol StoreDouble: QueueStore {
    var store: SQLiteStore { get }
}

extension SQLiteStore {
    /// In a folder of a test.
    init(in folder: TemporaryFolder) throws {
        self.init(
            try TransferStore(folder: folder.file("state"), time: 0), scheduler: SystemScheduler(), report: { _ in })
    }
}

extension StoreDouble {
    var device: UInt64? { store.device }

    func add(_ specs: [Spec], as drafts: [Transfer]) throws(TransferError) -> [Transfer] {
        try store.add(specs, as: drafts)
    }
    func descriptions(of ids: [TransferID]) throws(TransferError) -> [TransferID: Result<Spec, TransferError>] {
        try store.descriptions(of: ids)
    }
    func replaceDescription(of id: TransferID, with description: Spec) throws(TransferError) {
        try store.replaceDescription(of: id, with: description)
    }
    func replaceOperation(of id: TransferID, with operation: Spec.Operation) throws(TransferError) {
        try store.replaceOperation(of: id, with: operation)
    }
    func setPlaces(_ places: [TransferID: Int64]) throws(TransferError) { try store.setPlaces(places) }
    func keep(_ settings: StoreSettings) { store.keep(settings) }
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
        store.record(changes(), then: completion)
    }
    func flush(then completion: @escaping StoreWriter.Completion) { store.flush(then: completion) }
    func commit(including id: TransferID?, then completion: @escaping StoreWriter.Completion) {
        store.commit(including: id, then: completion)
    }
    func intend(
        _ group: PlacementGroup, isDurable: Bool, dropping outdated: [Int64]
    ) throws(TransferError) -> Int64 {
        try store.intend(group, isDurable: isDurable, dropping: outdated)
    }
    func dropPlacements(_ numbers: [Int64]) throws(TransferError) { try store.dropPlacements(numbers) }
    func close() { store.close() }
}
