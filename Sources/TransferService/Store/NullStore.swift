// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel
import TransferStore

/// Numbers transfers and forgets them: the store of a queue that ends with its process.
final class NullStore: QueueStore {
    private let lastID = Mutex(0)

    let promise = StorePromise.none

    func add(_ transfers: [NewTransfer]) -> [StoredTransfer] {
        let first = lastID.withLock { last in
            defer { last += transfers.count }
            return last + 1
        }
        return transfers.enumerated().map { index, new in
            StoredTransfer(new, id: TransferID(rawValue: first + index), rank: Int64(first + index) * OrderRank.spacing)
        }
    }

    func record(_ changes: @autoclosure () -> [StoreChange], then completion: StoreWriter.Completion?) {
        completion?(nil)
    }
    func flush(then completion: @escaping StoreWriter.Completion) { completion(nil) }
    func settle(then completion: @escaping StoreWriter.Completion) { completion(nil) }

    func descriptions(of ids: [TransferID]) -> [TransferID: Result<Spec, TransferError>] { [:] }
    func replaceDescription(of id: TransferID, with description: Spec) {}
    func replaceOperation(of id: TransferID, with operation: Spec.Operation) {}
    func setRanks(_ ranks: [TransferID: Int64]) {}
    func keep(_ settings: StoreSettings) {}
    func transfer(_ id: TransferID) -> StoredTransfer? { nil }
    func attempts(of id: TransferID) -> [StoredAttempt] { [] }
    func history(before place: (endedAt: Double, id: TransferID)?, limit: Int) -> [StoredTransfer] { [] }
    func remove(_ ids: [TransferID]) {}
    func setListed(_ ids: [TransferID], _ isListed: Bool) {}
    func events(of session: String, limit: Int) -> [StoredEvent] { [] }
    func acknowledgeEvents(of session: String, upTo sequence: Int64) {}
    func close() {}
}
