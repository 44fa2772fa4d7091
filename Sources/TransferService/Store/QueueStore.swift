// SPDX-License-Identifier: MIT

import TransferModel
import TransferStore

/// Remembers a queue: what was asked for, how each transfer is now, and what happened on the way.
///
/// `get` and `put` use one that remembers nothing (``NullStore``), the service one on a local disk (``SQLiteStore``);
/// the engine is the same. The contract leaves room for a store that several machines share: the engine holds every id
/// that it was given until it removes it, writes only transfers that it added or loaded, and asks for nothing that is
/// not in a reply. A lease with a fencing token can then come with each id and go with each ``StoreChange``, and a
/// change whose token is outdated is refused through `completion`.
///
/// Calls that throw block until the store has replied: they are made on the engine's storing queues alone, one after
/// the other on each. What such a call has returned from holds as far as ``promise`` says. ``record(_:then:)``,
/// ``flush(then:)`` and ``settle(then:)`` never block, and keep their order: changes of one transfer take effect in the
/// order in which they were recorded.
protocol QueueStore: Sendable {
    /// What a commit survives. The engine asks this once; it decides what becomes of unfinished transfers when the
    /// queue ends.
    var promise: StorePromise { get }

    /// Stores transfers behind all others, in order, all or none.
    /// - Parameter drafts: their records, one for each of `specs`, without number and place.
    /// - Returns: them as they are stored. Ids rise and are never used again, not even after ``remove(_:)``.
    /// - Throws: code `usage` for a transfer that the store cannot keep; code `cannotWrite`.
    func add(_ specs: [Spec], as drafts: [Transfer]) throws(TransferError) -> [Transfer]

    /// What was asked for, secrets included; ids that are unknown are left out.
    /// - Throws: where the store cannot be read at all; a single description that cannot be restored fails alone.
    func descriptions(of ids: [TransferID]) throws(TransferError) -> [TransferID: Result<Spec, TransferError>]

    /// Replaces what was asked for; progress and history stay. The old secrets are dropped when the new ones are
    /// committed.
    /// - Throws: code `usage` for an unknown id; code `cannotWrite`. Then nothing was changed.
    func replaceDescription(of id: TransferID, with description: Spec) throws(TransferError)

    /// Replaces the operation alone: an address that was given meanwhile stays.
    /// - Throws: as ``replaceDescription(of:with:)``.
    func replaceOperation(of id: TransferID, with operation: Spec.Operation) throws(TransferError)

    /// Queue positions (``QueueRank``); all or none.
    func setPlaces(_ places: [TransferID: Int64]) throws(TransferError)

    /// Limits and timetable.
    func keep(_ settings: StoreSettings) throws(TransferError)

    /// One transfer, finished ones included; `nil` where there is none.
    func transfer(_ id: TransferID) throws(TransferError) -> Transfer?

    /// The attempts that have ended, oldest first.
    func attempts(of id: TransferID) throws(TransferError) -> [TransferAttempt]

    /// Finished transfers, the latest end first, from behind `place` on.
    func history(before place: (endedAt: Double, id: TransferID)?, limit: Int) throws(TransferError) -> [Transfer]

    /// Forgets transfers with their attempts and secrets; unknown ids are skipped. Events that no session has
    /// acknowledged stay.
    func remove(_ ids: [TransferID]) throws(TransferError)

    /// Whether finished transfers are part of the queue when it is opened again; unknown ids are skipped.
    func setListed(_ ids: [TransferID], _ isListed: Bool) throws(TransferError)

    /// What a background session has not acknowledged, oldest first; the same until it does.
    func events(of session: String, limit: Int) throws(TransferError) -> [StoredEvent]

    func acknowledgeEvents(of session: String, upTo sequence: Int64) throws(TransferError)

    /// Takes note of changes of transfers, to be committed as soon as each one's urgency asks, data before record.
    /// - Parameter completion: called once for all of them, on any thread, possibly before this returns: `nil` once
    ///   they are committed, or newer ones of the same transfers are; else why not. What could not be committed is
    ///   attempted again without being asked.
    func record(_ changes: @autoclosure () -> [StoreChange], then completion: StoreWriter.Completion?)

    /// Commits at once all that was recorded before, durably; files that changes wait for are synced first.
    func flush(then completion: @escaping StoreWriter.Completion)

    /// Commits at once all that was recorded before and waits for no file: from then on the end of the process takes
    /// none of it back.
    func settle(then completion: @escaping StoreWriter.Completion)

    /// The last call. Waits for calls under way.
    func close()
}

/// What a commit survives.
enum StorePromise: Sendable {
    /// Nothing: the queue ends with its process.
    case none
    /// The end of the process, however it comes; where ``StoreChange/Urgency/now`` asks for it, a power cut too.
    case powerCut
}
