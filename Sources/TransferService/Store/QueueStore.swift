// SPDX-License-Identifier: MIT

import TransferModel
import TransferStore

/// Stores a queue: the spec of each transfer, its record, and its history.
///
/// `get` and `put` use one that stores nothing (``NullStore``), the service one on a local disk (``SQLiteStore``); the
/// engine is the same. The contract allows for a store that several machines share: the engine owns every ID that it
/// was given until it removes it, writes only transfers that it added or loaded, and relies only on replies. A lease
/// with a fencing token can then come with each ID and go with each ``StoreChange``, and a change with an outdated
/// token is refused through `completion`.
///
/// Throwing calls block until the store has replied: they are made only on the engine's storing queues, serially on
/// each. When such a call of a store that stores has returned, its effect survives the end of the process, however it
/// ends; with ``StoreChange/Urgency/now`` a power cut, too. ``record(_:then:)``, ``keep(_:)``, ``flush(then:)`` and
/// ``commit(then:)`` never block, and keep their order: changes of one transfer take effect in the order in which they
/// were recorded.
protocol QueueStore: Sendable {
    /// Appends transfers, in order, all or none.
    /// - Parameter drafts: their records, one for each of `specs`, without ID and rank.
    /// - Returns: the stored records. IDs rise and are never reused, not even after ``remove(_:)``.
    /// - Throws: code `usage` for a transfer that cannot be stored; code `cannotWrite`.
    func add(_ specs: [Spec], as drafts: [Transfer]) throws(TransferError) -> [Transfer]

    /// The specs, including secrets; unknown IDs are omitted.
    /// - Throws: if the store cannot be read at all; a single spec that cannot be decoded is a failure in the result.
    func descriptions(of ids: [TransferID]) throws(TransferError) -> [TransferID: Result<Spec, TransferError>]

    /// Replaces the spec; progress and history stay. The old secrets are deleted when the new ones are committed.
    /// - Throws: code `usage` for an unknown ID; code `cannotWrite`. Then nothing has changed.
    func replaceDescription(of id: TransferID, with description: Spec) throws(TransferError)

    /// Replaces only the operation: a URL that was changed meanwhile stays.
    /// - Throws: as ``replaceDescription(of:with:)``.
    func replaceOperation(of id: TransferID, with operation: Spec.Operation) throws(TransferError)

    /// Queue positions (``QueueRank``); all or none.
    func setPlaces(_ places: [TransferID: Int64]) throws(TransferError)

    /// One transfer, finished ones included; `nil` if there is none.
    func transfer(_ id: TransferID) throws(TransferError) -> Transfer?

    /// The finished attempts, oldest first, and one without an end that was paused.
    func attempts(of id: TransferID) throws(TransferError) -> [TransferAttempt]

    /// Finished transfers, the latest end first, after `place`.
    func history(before place: (endedAt: Double, id: TransferID)?, limit: Int) throws(TransferError) -> [Transfer]

    /// Removes transfers with their attempts and secrets; unknown IDs are skipped. Events that their session has not
    /// acknowledged stay.
    func remove(_ ids: [TransferID]) throws(TransferError)

    /// Whether finished transfers are part of the queue when it is opened again; unknown IDs are skipped.
    func setListed(_ ids: [TransferID], _ isListed: Bool) throws(TransferError)

    /// Hides ended transfers from queue and history until the next opening removes them, or returns them; unknown IDs
    /// are skipped.
    func setCleared(_ ids: [TransferID], _ isCleared: Bool) throws(TransferError)

    /// Events that a background session has not acknowledged, oldest first; the same ones until it does.
    func events(of session: String, limit: Int) throws(TransferError) -> [StoredEvent]

    func acknowledgeEvents(of session: String, upTo sequence: Int64) throws(TransferError)

    /// Records changes of transfers, to be committed as soon as each one's urgency demands, data before record.
    /// - Parameter completion: called once for all of them, on any thread, possibly before this returns: `nil` once
    ///   they or newer changes of the same transfers are committed; else the error. A failed commit is repeated
    ///   automatically.
    func record(_ changes: @autoclosure () -> [StoreChange], then completion: StoreWriter.Completion?)

    /// Records limits, timetable and hold of the queue, to be committed immediately and durably. No change that is
    /// recorded later is committed without them. A failed commit is repeated automatically, with the latest ones.
    func keep(_ settings: StoreSettings)

    /// Commits everything recorded so far, durably; syncs the files that changes wait for first.
    func flush(then completion: @escaping StoreWriter.Completion)

    /// Commits everything recorded so far that waits for no file: it then survives the end of the process.
    /// - Parameter id: a transfer whose changes are committed even if a file has to be synced first.
    func commit(including id: TransferID?, then completion: @escaping StoreWriter.Completion)

    /// Commits that files will get their names next, before this returns.
    /// - Parameters:
    ///   - isDurable: whether the record must survive a power cut, too.
    ///   - outdated: groups whose transfers have been committed since; they are dropped.
    /// - Returns: the number of the group.
    func intend(
        _ group: PlacementGroup, isDurable: Bool, dropping outdated: [Int64]
    ) throws(TransferError) -> Int64

    /// Drops groups whose transfers have been committed since.
    func dropPlacements(_ numbers: [Int64]) throws(TransferError)

    /// The device number of the file system that holds the store; `nil` if unknown.
    var device: UInt64? { get }

    /// The last call. Waits for pending calls.
    func close()
}

extension QueueStore {
    func commit(then completion: @escaping StoreWriter.Completion) { commit(including: nil, then: completion) }
}
