// SPDX-License-Identifier: MIT

package import TransferModel

/// A transfer queue for front ends, in this process or another. Its methods are calls (``QueueCall``), one beside the
/// type of each in `Calls`.
///
/// Calls may come from any thread, concurrently; the queue executes them serially. A call returns when the queue has
/// accepted it, not when the transfers have changed: ``updates()`` reports that.
package protocol QueueClient: Sendable {
    /// Carries out `call`.
    /// - Throws: code `usage` for a call that a queue in this process does not have.
    func call<Call: QueueCall>(_ call: Call) async throws -> Call.Reply

    /// First a snapshot, then every change since, in order, without a gap. A slow listener may get a new snapshot
    /// instead of the changes it missed. The stream ends when the queue shuts down. Each listener has its own stream.
    /// - Parameter session: of a background session only its transfers are reported, without `order` and `limits`;
    ///   `nil`: the whole queue.
    func updates(of session: String?) -> AsyncStream<QueueUpdate>
}

extension QueueClient {
    /// ``updates(of:)`` of the whole queue.
    package func updates() -> AsyncStream<QueueUpdate> { updates(of: nil) }
}

/// A call: its params, which are its members, and its reply. Also a method of the control protocol.
package protocol QueueCall: Codable, Hashable, Sendable {
    associatedtype Reply: Codable & Sendable = Done

    /// Its name in the control protocol.
    static var method: String { get }

    /// Whether the call has params. If not, none are written, and those of a client are ignored.
    static var hasParams: Bool { get }

    /// The ability that this call needs; `nil`: every queue has it.
    static var ability: TransferProblem.Ability? { get }

    /// Whether the call may take minutes; the client then waits that long.
    var mayTakeLong: Bool { get }
}

extension QueueCall {
    package static var hasParams: Bool { true }
    package static var ability: TransferProblem.Ability? { nil }
    package var mayTakeLong: Bool { false }
}

/// The reply without content.
package struct Done: Sendable, Hashable, Codable {
    package init() {}
}

/// The queue at one moment.
package struct QueueSnapshot: Sendable, Hashable, Codable {
    /// In starting order.
    package var transfers: [Transfer]
    package var limits: QueueLimits

    package init(transfers: [Transfer] = [], limits: QueueLimits = .init()) {
        self.transfers = transfers
        self.limits = limits
    }
}

/// Limits over all transfers of a queue.
package struct QueueLimits: Sendable, Hashable, Codable {
    /// Concurrent transfers; at least 1.
    package var concurrent: Int
    /// Of these, to one host on any port; at least 1; `nil`: unlimited.
    package var perHost: Int?
    /// Bytes per second over all downloads; `nil`: unlimited.
    package var download: Int?
    /// Bytes per second over all uploads; `nil`: unlimited.
    package var upload: Int?
    /// Whether the whole queue is held: its transfers are paused as by ``QueueCommand/hold``, and so are those that are
    /// added. For ``QueueClient/setLimits(_:)`` true holds it, false releases what a hold has paused, and `nil` changes
    /// nothing; what a queue reports is true or `nil`.
    package var isHeld: Bool?

    package init(
        concurrent: Int = 4, perHost: Int? = nil, download: Int? = nil, upload: Int? = nil, isHeld: Bool? = nil
    ) {
        self.concurrent = concurrent
        self.perHost = perHost
        self.download = download
        self.upload = upload
        self.isHeld = isHeld
    }

    /// - Throws: code `usage` if one is not above 0.
    package func validate() throws(TransferError) {
        guard concurrent >= 1, perHost ?? 1 >= 1, download ?? 1 > 0, upload ?? 1 > 0 else {
            throw TransferError(ParameterProblem("limits", .aboveZero))
        }
    }
}

/// One message of ``QueueClient/updates()``.
package enum QueueUpdate: Sendable, Hashable {
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
package enum QueueCommand: Sendable, Hashable {
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

package enum QueueMove: String, Sendable, Hashable, Codable, CaseIterable { case top, up, down, bottom }
