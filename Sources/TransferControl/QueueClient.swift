// SPDX-License-Identifier: MIT

public import TransferModel

/// Everything a front end can ask of a queue of transfers, wherever that queue lives.
///
/// Calls may come from any thread and in any number at once; the queue works them off one after the other. A call
/// returns when the queue has recorded it; ``updates()`` reports its effect.
public protocol QueueClient: Sendable {
    /// Puts transfers at the end of the queue, in order.
    /// - Returns: one id for each, in the same order.
    /// - Throws: a ``TransferError`` where a description cannot be accepted; then none was added.
    func add(_ descriptions: [Spec], on terms: TransferTerms) async throws -> [TransferID]

    /// Carries out `command` for each of `ids`; ids for which it has no meaning now (pausing what has ended) are
    /// skipped.
    /// - Throws: code `usage` when an id is unknown; then nothing was done.
    func perform(_ command: QueueCommand, on ids: [TransferID]) async throws

    /// Bytes a second for all transfers together, each way; `nil`: unlimited.
    func setLimits(_ limits: QueueLimits) async throws

    /// The whole queue at this moment.
    func snapshot() async throws -> QueueSnapshot

    /// A snapshot first, then every change since, in order, without a gap. A listener that does not keep up may find a
    /// new snapshot in place of the changes it missed. The stream ends when the queue shuts down. Any number of
    /// listeners; each has its own stream.
    func updates() -> AsyncStream<QueueUpdate>

    /// As ``updates()``, of the transfers of one background session: snapshots hold them alone, `order` and `limits` do
    /// not come.
    func updates(of session: String) -> AsyncStream<QueueUpdate>

    /// Whether the queue replies: first the present state, then each change. `false` comes one to two seconds
    /// after it ceased to: what is shown may be old from then on. A queue in this process always replies; its stream is
    /// over at once.
    func answering() -> AsyncStream<Bool>

    // What follows has an implementation for queues that live in one process only; see QueueClient+Defaults.swift.

    /// The transfers that `filter` takes in, in the order of the queue.
    func transfers(matching filter: QueueFilter) async throws -> [Transfer]

    /// One transfer with its attempts, as far as they are recorded.
    /// - Throws: code `usage` when the id is unknown, in the queue and in the history.
    func info(_ id: TransferID) async throws -> TransferInfo

    /// Gives a transfer a new address or new credentials; the bytes it has stay. A running one starts its next try with
    /// them.
    ///
    /// Where the new address has another origin (RFC 6454: scheme, host, port), what may be a secret of the old one is
    /// dropped unless `place` gives it: header fields that are not impersonal, cookies, login, SID, client certificate.
    /// - Returns: the names of what was dropped, without values: `Authorization`, `cookie c`, `login of 'bob'`, `SID`,
    ///   `client certificate`.
    /// - Throws: code `usage` when the id is unknown, the transfer is completed, or the queue cannot do it.
    @discardableResult
    func relocate(_ id: TransferID, to place: Relocation) async throws -> [String]

    /// What has ended, latest first.
    /// - Throws: code `usage` where the queue keeps no history.
    func history(_ query: HistoryQuery) async throws -> [HistoryEntry]

    /// Forgets what has ended and what `filter` takes in, in the queue and in the history.
    /// - Returns: how many transfers were forgotten.
    func clear(_ filter: QueueFilter) async throws -> Int

    /// - Throws: code `usage` where the queue keeps no timetable.
    func timetable() async throws -> LimitTimetable

    /// - Throws: code `usage` where the queue keeps no timetable, or an entry is none.
    func setTimetable(_ timetable: LimitTimetable) async throws

    /// How transfers of a background session have ended that its delegate has not received, oldest first. The same
    /// until they are acknowledged.
    /// - Parameter limit: events at most, 1…``SessionEvent/maximumLimit``.
    /// - Throws: code `usage` where the queue keeps no such events.
    func sessionEvents(of session: String, limit: Int) async throws -> [SessionEvent]

    /// The delegate has received all events up to and with `sequence`: they do not come again.
    /// - Throws: code `usage` where the queue keeps no such events.
    func acknowledgeSessionEvents(of session: String, upTo sequence: Int64) async throws
}

/// The queue at one moment.
public struct QueueSnapshot: Sendable, Hashable, Codable {
    /// In the order in which they start.
    public var transfers: [Transfer]
    public var limits: QueueLimits

    public init(transfers: [Transfer] = [], limits: QueueLimits = .init()) {
        self.transfers = transfers
        self.limits = limits
    }
}

/// What a queue keeps to, over all its transfers.
public struct QueueLimits: Sendable, Hashable, Codable {
    /// How many transfers run at once; at least 1.
    public var concurrent: Int
    /// How many of them with one host, whatever its port; at least 1; `nil`: unlimited.
    public var perHost: Int?
    /// Bytes a second over all downloads; `nil`: unlimited.
    public var download: Int?
    /// Bytes a second over all uploads; `nil`: unlimited.
    public var upload: Int?

    public init(concurrent: Int = 4, perHost: Int? = nil, download: Int? = nil, upload: Int? = nil) {
        self.concurrent = concurrent
        self.perHost = perHost
        self.download = download
        self.upload = upload
    }

    /// - Throws: code `usage` where one is not above 0.
    public func validate() throws(TransferError) {
        guard concurrent >= 1, perHost ?? 1 >= 1, download ?? 1 > 0, upload ?? 1 > 0 else {
            throw TransferError(.usage, "limits must be above 0")
        }
    }
}

/// One message of ``QueueClient/updates()``.
public enum QueueUpdate: Sendable, Hashable {
    /// The truth from here on; replaces all that was known.
    case snapshot(QueueSnapshot)
    /// What happened, oldest first.
    case events([TransferEvent])
    /// The new order of all transfers.
    case order([TransferID])
    /// These are no longer in the queue.
    case removed([TransferID])
    case limits(QueueLimits)
}

/// What can be done to a transfer that is in the queue.
public enum QueueCommand: Sendable, Hashable {
    /// Stop and keep everything; nothing behind it is held up.
    case pause
    /// The same, as part of the whole queue: marked as ``TransferModel/PauseOrigin/queue``, so that resuming the queue
    /// resumes these transfers and no others. What is paused already stays as it is.
    case hold
    /// Go on after `pause` or `hold`.
    case resume
    /// End it. The partial file stays for a later `retry` unless it is to be deleted.
    case cancel(deletingPartial: Bool)
    /// Start again what failed or was cancelled, from the bytes that are kept; what waits for its next attempt begins
    /// that now. A transfer that was paused when it was cancelled is paused again.
    case retry
    /// Who is moved past others takes over their priority, so that what is moved to the top starts next. Of several
    /// each keeps its place among them.
    case move(QueueMove)
    /// Bytes a second for this transfer; `nil`: unlimited.
    case limit(Int?)
    /// Use whatever network there is from now on, in later attempts, too. What waits for one that costs less resumes
    /// immediately.
    case liftRestrictions
    /// 0…1, 0.5 for all that were given none: of those that are queued the highest starts first. Among those of one
    /// priority it stands where it was added.
    case priority(Double)
    /// Forget a transfer that has ended, in the queue and in the history.
    case remove
    /// Take a transfer that has ended out of the queue; the history keeps it. Without a history the same as `remove`.
    case dismiss
    /// Answers a question of trust: the key shown is the right one. Holds for all transfers of the queue with the same
    /// question, as do the next two. Throws where the answer cannot be stored permanently; then nothing was done.
    case trust(ConsentPersistence)
    /// Answers a question for a login; stored permanently only once it has been accepted.
    case login(Credential, ConsentPersistence)
    /// Answers any question: no. The transfer fails with the error that led to the question; so do later ones with the
    /// same question, until one of them is retried.
    case decline
}

public enum QueueMove: String, Sendable, Hashable, Codable, CaseIterable { case top, up, down, bottom }
