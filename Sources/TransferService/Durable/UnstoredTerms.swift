// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel
import TransferStore

/// Limits, timetable and order of the queue that the store does not have yet, because it is their turn soon or because
/// it could not write them. Written together, the latest of each.
final class UnstoredTerms: Sendable {
    private struct Terms {
        var settings: StoreSettings?
        var places: [TransferID: Int64] = [:]
    }

    private let terms = Mutex(Terms())

    func add(_ settings: StoreSettings) { terms.withLock { $0.settings = settings } }

    func add(_ places: [TransferID: Int64]) { terms.withLock { $0.places.merge(places) { _, newer in newer } } }

    /// Serially. What fails is written with the next call.
    func write(
        settings keep: (StoreSettings) throws(TransferError) -> Void,
        places setPlaces: ([TransferID: Int64]) throws(TransferError) -> Void
    ) throws(TransferError) {
        let taken = terms.withLock { terms in
            defer { terms = Terms() }
            return terms
        }
        var failure: TransferError?
        if let settings = taken.settings {
            do throws(TransferError) { try keep(settings) } catch {
                failure = error
                terms.withLock { $0.settings = $0.settings ?? settings }
            }
        }
        if !taken.places.isEmpty {
            do throws(TransferError) { try setPlaces(taken.places) } catch {
                failure = error
                terms.withLock { $0.places.merge(taken.places) { newer, _ in newer } }
            }
        }
        if let failure { throw failure }
    }

    func write(to store: any QueueStore) throws(TransferError) {
        try write(
            settings: { (settings) throws(TransferError) in try store.keep(settings) },
            places: { (places) throws(TransferError) in try store.setPlaces(places) })
    }
}
