// SPDX-License-Identifier: MIT

import SessionCore
import Synchronization
import TransferModel
import TransferStore
import TransferTesting

@testable import TransferService

/// A store of a folder that refuses what a test says, as a full disk does.
final class FailingStore: QueueStore {
    enum Refusal: Hashable { case intentions, removals }

    private struct State {
        var refused: Set<Refusal> = []
        /// Changes whose commit is repeated once there is space.
        var held: [StoreChange] = []
        var count = 0
    }

    static let error = TransferError(.cannotWrite, "the disk is full", systemErrno: 28)
    private let store: SQLiteStore
    private let state = Mutex(State())

    init(_ folder: TemporaryFolder) throws {
        store = SQLiteStore(
            try TransferStore(folder: folder.file("state"), time: 0), scheduler: SystemScheduler(), report: { _ in })
    }

    let promise = StorePromise.powerCut
    /// Calls that were refused.
    var refusals: Int { state.withLock { $0.count } }

    func refuse(_ calls: Set<Refusal>) { state.withLock { $0.refused = calls } }

    private func refuses(_ call: Refusal) -> Bool {
        state.withLock { state in
            guard state.refused.contains(call) else { return false }
            state.count += 1
            return true
        }
    }

    func record(_ changes: @autoclosure () -> [StoreChange], then completion: StoreWriter.Completion?) {
        let changes = changes()
        guard changes.contains(where: { $0.urgency == .now }), refuses(.intentions) else {
            return store.record(changes, then: completion)
        }
        state.withLock { $0.held += changes }
        completion?(Self.error)
    }

    func flush(then completion: @escaping StoreWriter.Completion) {
        let held = state.withLock { state in
            guard !state.refused.contains(.intentions) else { return state.held }
            defer { state.held = [] }
            return state.held
        }
        if !held.isEmpty, refuses(.intentions) { return completion(Self.error) }
        if !held.isEmpty { store.record(held, then: nil) }
        store.flush(then: completion)
    }

    func commit(then completion: @escaping StoreWriter.Completion) { store.commit(then: completion) }
    func add(_ specs: [Spec], as drafts: [Transfer]) throws(TransferError) -> [Transfer] {
        try store.add(specs, as: drafts)
    }
    func descriptions(of ids: [TransferID]) throws(TransferError) -> [TransferID: Result<Spec, TransferError>] {
        try store.descriptions(of: ids)
    }
    func replaceDescription(of id: TransferID, with description: Spec) {}
    func replaceOperation(of id: TransferID, with operation: Spec.Operation) {}
    func intend(
        _ group: PlacementGroup, isDurable: Bool, dropping outdated: [Int64]
    ) throws(TransferError) -> Int64 {
        try store.intend(group, isDurable: isDurable, dropping: outdated)
    }
    func dropPlacements(_ numbers: [Int64]) throws(TransferError) { try store.dropPlacements(numbers) }
    var device: UInt64? { store.device }
    func setPlaces(_ places: [TransferID: Int64]) throws(TransferError) { try store.setPlaces(places) }
    func keep(_ settings: StoreSettings) throws(TransferError) { try store.keep(settings) }
    func transfer(_ id: TransferID) throws(TransferError) -> Transfer? { try store.transfer(id) }
    func attempts(of id: TransferID) throws(TransferError) -> [TransferAttempt] { try store.attempts(of: id) }
    func history(before place: (endedAt: Double, id: TransferID)?, limit: Int) throws(TransferError) -> [Transfer] {
        try store.history(before: place, limit: limit)
    }
    func remove(_ ids: [TransferID]) throws(TransferError) {
        if refuses(.removals) { throw Self.error }
        try store.remove(ids)
    }
    func setListed(_ ids: [TransferID], _ isListed: Bool) throws(TransferError) {
        if refuses(.removals) { throw Self.error }
        try store.setListed(ids, isListed)
    }
    func events(of session: String, limit: Int) -> [StoredEvent] { [] }
    func acknowledgeEvents(of session: String, upTo sequence: Int64) {}
    func close() { store.close() }
}
