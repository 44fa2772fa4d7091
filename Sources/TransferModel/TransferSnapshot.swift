// SPDX-License-Identifier: MIT

/// All that a front end can know of one transfer at one moment. Nothing in it is a secret.
///
/// Text that came from the network or from file names is raw: a front end cleans it for its own medium.
public struct TransferSnapshot: Sendable, Hashable, Identifiable, Codable {
    public let id: TransferID
    public var kind: TransferKind
    /// The address without user information.
    public var url: String
    /// The local path: source of an upload, final name of a download (the best known until the server has named it);
    /// `-` for a stream.
    public var file: String
    public var state: TransferState
    /// While paused: who wanted it; `nil` where the queue itself set the transfer aside, for want of room or for a
    /// question. Of a cancelled one: how it was paused when it was cancelled, so that a retry finds it paused again.
    /// Else `nil`.
    public var pausedBy: PauseOrigin?
    /// Bytes of the file that moved, earlier tries included; for an upload those the peer's kernel has acknowledged.
    public var bytes: Int64 = 0
    /// Size of the whole file, where known.
    public var total: Int64?
    /// Bytes that are safe: on this disk for a download, acknowledged by the server's answer for an upload.
    public var confirmed: Int64?
    /// Bytes a second over the last seconds; `nil` when nothing can be said.
    public var rate: Double?
    /// Seconds to go at that rate.
    public var eta: Double?
    /// 1 for the first try.
    public var attempt = 1
    /// Why it waits, retries or started from zero, in a person's words.
    public var reason: String?
    /// Seconds since 1970 when the next try starts, while retrying.
    public var retryAt: Double?
    /// While waiting: seconds since 1970 when that began; another reason does not begin it anew.
    public var waitingSince: Double?
    /// While waiting for a network that is allowed: `cellular`, `expensive` or `constrained`, as the one is that is
    /// there.
    public var unavailableReason: String?
    /// While waiting: what somebody could do about it, in a person's words.
    public var advice: String?
    /// Last final HTTP status.
    public var status: Int?
    /// What somebody must say before it goes on, while it is paused for that; of a failed one what nobody was there to
    /// answer.
    @Boxed public var question: ConsentQuestion?
    @Boxed public var error: TransferError?
    @Boxed public var metrics: TransferMetrics?
    /// Bytes a second it may use; `nil`: unlimited.
    public var rateLimit: Int?
    /// 0…1, the highest starts first; `nil`: 0.5.
    public var priority: Double?
    /// `nil` for the usual ones; see below.
    @Boxed public var terms: TransferTerms?
    /// Seconds since 1970 when it was added.
    public var addedAt: Double = 0
    /// Seconds since 1970 when it ended.
    public var endedAt: Double?

    public init(id: TransferID, kind: TransferKind, url: String, file: String, state: TransferState) {
        self.id = id
        self.kind = kind
        self.url = url
        self.file = file
        self.state = state
    }

    /// Whether it waits only because it may not use the network that is there, so that its owner can let it go on.
    public var canBeLifted: Bool { state == .waiting && unavailableReason != nil }

    /// Whether it goes on when the whole queue is resumed: where the whole queue was paused, or the queue set it aside
    /// for want of room.
    public var isResumedWithQueue: Bool { pausedBy != .transfer && (state != .paused || question == nil) }

    /// Where redirects led, if that has another origin (RFC 6454) than ``url``; known once an exchange has ended.
    /// Without user information and query.
    public var finalURL: String? {
        guard let metrics, metrics.redirects > 0, let last = metrics.transactions.last?.url,
            let place = try? TransferURL(last),
            let asked = try? TransferURL(url), place.origin != asked.origin
        else { return nil }
        return last
    }

    /// 0…1, or `nil` without a known total. An empty file counts as whole once it is completed.
    public var fraction: Double? {
        guard let total else { return nil }
        guard total > 0 else { return state == .completed ? 1 : 0 }
        return min(1, max(0, Double(bytes) / Double(total)))
    }
}

/// What a pause was asked for.
public enum PauseOrigin: String, Sendable, Hashable, Codable, CaseIterable {
    /// This transfer: it stays paused until it is meant again.
    case transfer
    /// The whole queue: what resumes that resumes this one too.
    case queue
}

/// On what terms a transfer was added to a queue, where they are not the usual ones.
public struct TransferTerms: Sendable, Hashable, Codable {
    /// Seconds since 1970; it does not start before.
    public var earliestBegin: Double?
    /// It starts only on a network that costs nothing, while nothing else runs; `nil`: no.
    public var isDiscretionary: Bool?
    /// The background session that it belongs to.
    public var session: String?
    /// The words of the client that added it.
    public var taskDescription: String?

    public init() {}
}

extension TransferSnapshot {
    public var earliestBegin: Double? {
        get { terms?.earliestBegin }
        set { setTerm(\.earliestBegin, newValue) }
    }

    public var isDiscretionary: Bool? {
        get { terms?.isDiscretionary }
        set { setTerm(\.isDiscretionary, newValue) }
    }

    public var session: String? {
        get { terms?.session }
        set { setTerm(\.session, newValue) }
    }

    public var taskDescription: String? {
        get { terms?.taskDescription }
        set { setTerm(\.taskDescription, newValue) }
    }

    private mutating func setTerm<Value: Equatable>(_ member: WritableKeyPath<TransferTerms, Value?>, _ value: Value?) {
        var changed = terms ?? TransferTerms()
        guard changed[keyPath: member] != value else { return }
        changed[keyPath: member] = value
        terms = changed == TransferTerms() ? nil : changed
    }
}

/// What one finished transfer cost, over all its exchanges.
public struct TransferMetrics: Sendable, Hashable, Codable {
    /// Seconds spent on each stage of the last exchange; `nil` where it was skipped (a reused connection has no
    /// connect).
    public var nameLookup: Double?
    public var connect: Double?
    public var tls: Double?
    /// From the request sent to the first byte of the answer.
    public var firstByte: Double?
    /// The whole last exchange.
    public var total: Double = 0
    /// Body bytes over all exchanges, whether or not they were kept.
    public var bodyReceived: Int64 = 0
    public var bodySent: Int64 = 0
    /// The first byte asked for by the last exchange; above 0 when it resumed.
    public var resumedFrom: Int64 = 0
    public var exchanges = 0
    public var redirects = 0
    /// `http/1.1`, `h2`, `h3`.
    public var protocolName: String?
    public var remoteAddress: String?
    public var isReusedConnection = false
    /// Seconds since 1970 when the task was made, and when it ended.
    public var taskStart: Double?
    public var taskEnd: Double?
    /// One for each exchange, in order; of very many the first and the last (see ``append(_:)``).
    public var transactions: [TransactionMetrics] = []

    /// How often an answer led to another address (`URLSessionTaskMetrics.redirectCount`).
    public var redirectCount: Int { redirects }

    public init() {}
}
