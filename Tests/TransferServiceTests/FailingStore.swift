// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel
import TransferStore
import TransferTesting

@testable import TransferService

/// A store of a folder that refuses what a test says, as a full disk does.
final class FailingStore: StoreDouble {
    enum Refusal: Hashable { case changes, intentions, removals }

    private struct State {
        var refused: Set<Refusal> = []
        /// Changes whose commit is repeated once there is space.
        var held: [StoreChange] = []
        var count = 0
    }

    static let error = TransferError(.cannotWrite, "the disk is full", systemErrno: 28)
    let store: SQLiteStore
    private let state = Mutex(State())

    init(_ folder: TemporaryFolder) throws {
        store = try SQLiteStore(in: folder)
    }

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
        let isIntention = changes.contains { $0.urgency == .now }
        guard refuses(.changes) || (isIntention && refuses(.intentions)) else {
            return store.record(changes, then: completion)
        }
        state.withLock { $0.held += changes }
        completion?(Self.error)
    }

    func flush(then completion: @escaping StoreWriter.Completion) {
        let held = state.withLock { state in
            guard state.refused.isDisjoint(with: [.changes, .intentions]) else { return state.held }
            defer { state.held = [] }
            return state.held
        }
        if !held.isEmpty, refuses(.changes) || refuses(.intentions) { return completion(Self.error) }
        if !held.isEmpty { store.record(held, then: nil) }
        store.flush(then: completion)
    }

    func remove(_ ids: [TransferID]) throws(TransferError) {
        if refuses(.removals) { throw Self.error }
        try store.remove(ids)
    }
    func setListed(_ ids: [TransferID], _ isListed: Bool) throws(TransferError) {
        if refuses(.removals) { throw Self.error }
        try store.setListed(ids, isListed)
    }
    func setCleared(_ ids: [TransferID], _ isCleared: Bool) throws(TransferError) {
        if refuses(.removals) { throw Self.error }
        try store.setCleared(ids, isCleared)
    }
}
