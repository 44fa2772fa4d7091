// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel
import TransferStore

/// The order of the queue as far as the store does not have it yet, because it is its turn soon or because it could not
/// write it. Written together, the latest place of each transfer.
final class UnstoredPlaces: Sendable {
    private let places = Mutex<[TransferID: Int64]>([:])

    func add(_ moved: [TransferID: Int64]) { places.withLock { $0.merge(moved) { _, newer in newer } } }

    /// Serially. What fails is written with the next call.
    func write(
        _ setPlaces: ([TransferID: Int64]) throws(TransferError) -> Void
    ) throws(TransferError) {
        let taken = places.withLock { places in
            defer { places = [:] }
            return places
        }
        guard !taken.isEmpty else { return }
        do throws(TransferError) { try setPlaces(taken) } catch {
            places.withLock { $0.merge(taken) { newer, _ in newer } }
            throw error
        }
    }

    func write(to store: any QueueStore) throws(TransferError) {
        try write { (places) throws(TransferError) in try store.setPlaces(places) }
    }
}
