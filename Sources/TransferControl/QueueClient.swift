// SPDX-License-Identifier: MIT

public import TransferModel

/// The operations of a transfer queue for front ends, in this process or another.
///
/// Calls may come from any thread, concurrently; the queue executes them serially. A call returns when the queue has
/// accepted it, not when the transfers have changed: ``updates()`` reports that.
public protocol QueueClient: Sendable {
    /// Appends transfers to the queue, in order.
    /// - Returns: one ID per transfer, in the same order.
    /// - Throws: a ``TransferError`` if a spec cannot be accepted; then none was added.
    func add(_ descriptions: [Spec], on terms: TransferTerms) async throws -> [TransferID]

    /// Executes `command` for each of `ids`; IDs to which it does not apply now (pausing a finished transfer) are
    /// skipped.
    /// - Throws: code `usage` if an ID is unknown; then nothing was done.
    func perform(_ command: QueueCommand, on ids: [TransferID]) async throws

    /// Bytes per second for all transfers together, in each direction; `nil`: unlimited. Also holds or releases the
    /// whole queue (``QueueLimits/isHeld``).
    func setLimits(_ limits: QueueLimits) async throws

    /// Holds the whole queue, or releases it (``QueueLimits/isHeld``); its limits stay as they are, also those
    /// that another client sets meanwhile.
    func setHeld(_ isHeld: Bool) async throws

    /// The whole queue at this moment.
    func snapshot() async throws -> QueueSnapshot

    /// First a snapshot, then every change since, in order, without a gap. A slow listener may get a new snapshot
    /// instead of the changes it missed. The stream ends when the queue shuts down. Each listener has its own stream.
    func updates() -> AsyncStream<QueueUpdate>

    /// As ``updates()``, for the transfers of one background session: snapshots contain only these, and `order` and
    /// `limits` are omitted.
    func updates(of session: String) -> AsyncStream<QueueUpdate>

    // The following have a default implementation for queues in this process; see QueueClient+Defaults.swift.

    /// The transfers that match `filter`, in the order of the queue.
    func transfers(matching filter: QueueFilter) async throws -> [Transfer]

    /// One transfer with its recorded attempts.
    /// - Throws: code `usage` if the ID is neither in the queue nor in the history.
    func info(_ id: TransferID) async throws -> TransferInfo

    /// Gives a transfer a new URL, new credentials, or a download another file; its bytes stay. A running one starts
    /// its next attempt with them.
    ///
    /// If the new URL has another origin (RFC 6454: scheme, host, port), possible secrets of the old one are dropped
    /// unless `place` replaces them: header fields that are not impersonal, cookies, login, SID, client certificate.
    /// - Returns: the names of what was dropped, without values: `Authorization`, `cookie c`, `login of 'bob'`, `SID`,
    ///   `client certificate`.
    /// - Throws: code `usage` if the ID is unknown, the transfer is completed, or the queue does not support it; code
    ///   `cannotWrite` if the bytes so far cannot get another name. Then nothing has changed.
    @discardableResult
    func relocate(_ id: TransferID, to place: Relocation) async throws -> [String]

    /// Finished transfers, latest first.
    /// - Throws: code `usage` if the queue has no history.
    func history(_ query: HistoryQuery) async throws -> [HistoryEntry]

    /// Removes finished transfers that match `filter`, from the queue and the history.
    /// - Returns: the number of removed transfers.
    func clear(_ filter: QueueFilter) async throws -> Int

    /// - Throws: code `usage` if the queue has no timetable.
    func timetable() async throws -> LimitTimetable

    /// - Throws: code `usage` if the queue has no timetable, or an entry is invalid.
    func setTimetable(_ timetable: LimitTimetable) async throws

    /// The limits of the whole queue, without those of the timetable.
    func limits() async throws -> QueueLimits

    /// Reverts the latest command that can be reverted: pausing, resuming, cancelling with the partial file kept,
    /// removing from the list, moving, relocating, and changing start, priority or limits. The queue keeps the last 50
    /// commands, for ten minutes. Transfers that have changed otherwise since stay as they are.
    /// - Throws: code `usage` if there is none.
    func undo() async throws -> UndoneCommand

    /// What moved in the last seconds, and the limits in force.
    /// - Parameters:
    ///   - seconds: of the graph, 1…``RateReport/maximumSeconds``; the reply may have fewer.
    ///   - id: a transfer whose own rates are wanted, too; the reply has none if it has moved no byte lately.
    /// - Throws: code `usage` if the queue takes no samples.
    func rates(seconds: Int, of id: TransferID?) async throws -> RateReport

    /// What happened to transfers since the queue began: the last 10,000 events.
    /// - Throws: code `usage` if the queue keeps no log.
    func log(_ query: LogQuery) async throws -> LogPage

    /// The ends of a background session's transfers that its delegate has not received, oldest first. The same ones
    /// until they are acknowledged.
    /// - Parameter limit: maximum events, 1…``SessionEvent/maximumLimit``.
    /// - Throws: code `usage` if the queue has no such events.
    func sessionEvents(of session: String, limit: Int) async throws -> [SessionEvent]

    /// The delegate has received all events up to and including `sequence`: they are deleted.
    /// - Throws: code `usage` if the queue has no such events.
    func acknowledgeSessionEvents(of session: String, upTo sequence: Int64) async throws
}

/// The queue at one moment.
public struct QueueSnapshot: Sendable, Hashable, Codable {
    /// In starting order.
    public var transfers: [Transfer]
    public var limits: QueueLimits

    public init(transfers: [Transfer] = [], limits: QueueLimits = .init()) {
        self.transfers = transfers
        self.limits = limits
    }
}

/// Limits over all transfers of a queue.
public struct QueueLimits: Sendable, Hashable, Codable {
    /// Concurrent transfers; at least 1.
    public var concurrent: Int
    /// Of these, to one host on any port; at least 1; `nil`: unlimited.
    public var perHost: Int?
    /// Bytes per second over all downloads; `nil`: unlimited.
    public var download: Int?
    /// Bytes per second over all uploads; `nil`: unlimited.
    public var upload: Int?
    /// Whether the whole queue is held: its transfers are paused as by ``QueueCommand/hold``, and so are those that are
    /// added. For ``QueueClient/setLimits(_:)`` true holds it, false releases what a hold has paused, and `nil` changes
    /// nothing; what a queue reports is true or `nil`.
    public var isHeld: Bool?

    public init(
        concurrent: Int = 4, perHost: Int? = nil, download: Int? = nil, upload: Int? = nil, isHeld: Bool? = nil
    ) {
        self.concurrent = concurrent
        self.perHost = perHost
        self.download = download
        self.upload = upload
        self.isHeld = isHeld
    }

    /// - Throws: code `usage` if one is not above 0.
    public func validate() throws(TransferError) {
        guard concurrent >= 1, perHost ?? 1 >= 1, download ?? 1 > 0, upload ?? 1 > 0 else {
            throw TransferError(ParameterProblem("limits", .aboveZero))
        }
    }
}

/// One message of ``QueueClient/updates()``.
public enum QueueUpdate: Sendable, Hashable {
    /// The whole state; replaces everything before.
    case snapshot(QueueSnapshot)
    /// Changes of transfers, oldest first.
    case events([TransferEvent])
    /// The new order of all transfers.
    case order([TransferID])
    /// These are no longer in the queue.
    case removed([TransferID])
    case limits(QueueLimits)
}

/// Commands on transfers of the queue.
public enum QueueCommand: Sendable, Hashable {
    /// Stops it and keeps everything; it blocks no other transfer.
    case pause
    /// The same for the whole queue: marked as ``TransferModel/PauseOrigin/queue``, so that resuming the queue resumes
    /// these transfers and no others. Paused ones do not change.
    case hold
    /// Resumes after `pause` or `hold`.
    case resume
    /// Ends it. The partial file stays for a later `retry` unless it is deleted.
    case cancel(deletingPartial: Bool)
    /// Starts a failed or cancelled transfer again, from its partial file; a transfer that waits for its next attempt
    /// starts it now. One that was paused when it was cancelled is paused again.
    case retry
    /// Transfers that are moved past others take over their priority, so that one moved to the top starts next. Several
    /// keep their relative order.
    case move(QueueMove)
    /// Bytes per second for this transfer; `nil`: unlimited.
    case limit(Int?)
    /// Uses any network from now on, in later attempts too. A transfer that waits for a cheaper one continues
    /// immediately.
    case liftRestrictions
    /// The earliest start of a transfer that is queued or paused, or that a retry queues again, in seconds since 1970;
    /// `nil`: as soon as there is a slot.
    case schedule(Double?)
    /// The transfers after which one starts that is queued or paused, or that a retry queues again; empty: none. They
    /// are in the queue or the history, and none of them waits for it: else it throws, and nothing was done.
    case after([TransferID])
    /// 0…1, default 0.5: of the queued transfers the highest starts first. Within its new priority it is sorted by when
    /// it was added.
    case priority(Double)
    /// Removes a finished transfer from the queue and the history.
    case remove
    /// Removes a finished transfer from the queue; the history keeps it. Without a history the same as `remove`.
    case dismiss
    /// Answers a trust question: the displayed key is right. Applies to all transfers of the queue with the same
    /// question, as the next two do. Throws if the answer cannot be stored permanently; then nothing was done. With the
    /// question that was displayed, it is skipped where the transfer asks something else by now: about another key.
    case trust(ConsentPersistence, to: ConsentQuestion? = nil)
    /// Answers a login question; stored permanently only after the server has accepted it. With the question that was
    /// displayed, it is skipped where the transfer asks something else by now: another server does not receive it.
    case login(Credential, ConsentPersistence, to: ConsentQuestion? = nil)
    /// Declines any question. The transfer fails with the error that raised the question, and so do later ones with the
    /// same question, until one of them is retried. With the question that was displayed, it is skipped where the
    /// transfer asks something else by now, which the user has not seen.
    case decline(to: ConsentQuestion? = nil)
}

public enum QueueMove: String, Sendable, Hashable, Codable, CaseIterable { case top, up, down, bottom }
