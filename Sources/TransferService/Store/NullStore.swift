// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel
import TransferStore

/// Assigns IDs and stores nothing: the store of a queue that ends with its process.
final class NullStore: QueueStore {
    private let lastID = Mutex(0)

    func add(_ specs: [Spec], as drafts: [Transfer]) -> [Transfer] {
        let first = lastID.withLock { last in
            defer { last += drafts.count }
            return last + 1
        }
        return drafts.enumerated().map { index, draft in
            Transfer(draft, id: TransferID(rawValue: first + index), place: Int64(first + index) * QueueRank.spacing)
        }
    }

    func record(_ changes: @autoclosure () -> [StoreChange], then completion: StoreWriter.Completion?) {
        completion?(nil)
    }
    func flush(then completion: @escaping StoreWriter.Completion) { completion(nil) }
    func commit(including id: TransferID?, then completion: @escaping StoreWriter.Completion) { completion(nil) }

    func descriptions(of ids: [TransferID]) -> [TransferID: Result<Spec, TransferError>] { [:] }
    func replaceDescription(of id: TransferID, with description: Spec) {}
    func replaceOperation(of id: TransferID, with operation: Spec.Operation) {}
    func setPlaces(_ places: [TransferID: Int64]) {}
    func keep(_ settings: StoreSettings) {}
    func transfer(_ id: TransferID) -> Transfer? { nil }
    func attempts(of id: TransferID) -> [TransferAttempt] { [] }
    func history(before place: (endedAt: Double, id: TransferID)?, limit: Int) -> [Transfer] { [] }
    func remove(_ ids: [TransferID]) {}
    func setListed(_ ids: [TransferID], _ isListed: Bool) {}
    func setCleared(_ ids: [TransferID], _ isCleared: Bool) {}
    func events(of session: String, limit: Int) -> [StoredEvent] { [] }
    func acknowledgeEvents(of session: String, upTo sequence: Int64) {}
    func intend(_ group: PlacementGroup, isDurable: Bool, dropping outdated: [Int64]) -> Int64 { 0 }
    func dropPlacements(_ numbers: [Int64]) {}
    var device: UInt64? { nil }
    func close() {}
}
