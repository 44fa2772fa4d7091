// SPDX-License-Identifier: MIT

public import TransferModel

/// Everything of one transfer that outlives the process, but its description, which is fetched when it is needed
/// (``TransferStore/description(of:)``). Times are seconds since 1970. Nothing in it is a secret.
public struct StoredTransfer: Sendable, Hashable, Identifiable {
    public let id: TransferID
    /// The queue runs in rising order of ranks. Changed by ``TransferStore/setRanks(_:)`` alone.
    public internal(set) var rank: Int64
    /// The session that the transfer belongs to: the identifier given to `background(identifier)`.
    public let session: String
    public let kind: TransferKind
    /// Without user information. Changed by ``TransferStore/replaceDescription(of:with:)`` alone.
    public internal(set) var url: String
    public let addedAt: Double

    /// As for ``TransferModel/TransferSnapshot/file``.
    public var file: String
    /// 0…1; higher goes first.
    public var priority = 0.5
    public var state: TransferState
    /// As for ``TransferModel/TransferSnapshot/pausedBy``.
    public var pausedBy: PauseOrigin?
    public var reason: String?
    /// Last final HTTP status.
    public var status: Int?
    @Boxed public var error: TransferError?
    /// 1 for the first try.
    public var attempt = 1
    /// Tries that failed in a row without progress that lasts.
    public var failures = 0
    /// When its first try began: what the resource timeout counts from.
    public var startedAt: Double?
    public var endedAt: Double?
    /// When the next try starts, while retrying.
    public var retryAt: Double?
    public var bytes: Int64 = 0
    public var total: Int64?
    public var confirmed: Int64?
    @Boxed public var resume: StoredResume?
    @Boxed public var upload: StoredUpload?
    /// Bytes a second; `nil`: unlimited.
    public var rateLimit: Int?
    /// Not to begin before.
    public var earliestBeginAt: Double?
    public var isDiscretionary = false
    /// The client's own words; never read here.
    public var taskDescription: String?

    /// - Parameter rank: as it was read; where it is not known, changes leave the stored one as it is.
    public init(id: TransferID, rank: Int64 = 0, session: String, kind: TransferKind, url: String, addedAt: Double, file: String,
                state: TransferState) {
        self.id = id
        self.rank = rank
        self.session = session
        self.kind = kind
        self.url = url
        self.addedAt = addedAt
        self.file = file
        self.state = state
    }
}

/// A transfer that is to be queued.
public struct NewTransfer: Sendable, Hashable {
    public var description: Spec
    public var session: String
    /// As for ``TransferModel/TransferSnapshot/file``.
    public var file: String
    public var isPaused = false
    public var priority = 0.5
    /// Seconds since 1970.
    public var addedAt: Double
    public var earliestBeginAt: Double?
    public var isDiscretionary = false
    public var taskDescription: String?

    public init(_ description: Spec, session: String, file: String, addedAt: Double) {
        self.description = description
        self.session = session
        self.file = file
        self.addedAt = addedAt
    }
}

/// From where a download may go on.
public struct StoredResume: Sendable, Hashable, Codable {
    /// Its ranges are those that were synced before they were stored: all that another boot may trust.
    public var data: ResumeData
    /// Inode of the partial file: by it the file is known again under its final name.
    public var inode: UInt64?

    public init(_ data: ResumeData, inode: UInt64? = nil) {
        self.data = data
        self.inode = inode
    }
}

/// What makes it safe to send an upload again, or to go on with it.
public struct StoredUpload: Sendable, Hashable, Codable {
    /// One UUID for all tries of a FileQ upload of the same bytes.
    public var key: String?
    /// What the source was when it was looked at first; bytes of another one are never joined to it.
    public var source: Source

    public struct Source: Sendable, Hashable, Codable {
        public var inode: UInt64
        public var size: Int64
        public var seconds: Int64
        public var nanoseconds: Int64

        public init(inode: UInt64, size: Int64, seconds: Int64, nanoseconds: Int64) {
            self.inode = inode
            self.size = size
            self.seconds = seconds
            self.nanoseconds = nanoseconds
        }
    }

    public init(source: Source, key: String? = nil) {
        self.source = source
        self.key = key
    }
}

/// One try of a transfer. Of each transfer the last ``maximumKept`` are kept.
public struct StoredAttempt: Sendable, Hashable {
    public static let maximumKept = 100

    /// 1 for the first try. A later record of the same number replaces the earlier one.
    public var number: Int
    public var startedAt: Double
    public var endedAt: Double?
    /// The address it asked, without user information.
    public var url: String
    /// Where it began and where it ended, in bytes of the file.
    public var firstByte: Int64
    public var lastByte: Int64
    /// Last final HTTP status.
    public var status: Int?
    public var error: TransferError?
    public var metrics: TransferMetrics?

    public init(number: Int, startedAt: Double, endedAt: Double? = nil, url: String = "", firstByte: Int64 = 0, lastByte: Int64 = 0,
                status: Int? = nil, error: TransferError? = nil, metrics: TransferMetrics? = nil) {
        self.number = number
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.url = url
        self.firstByte = firstByte
        self.lastByte = lastByte
        self.status = status
        self.error = error
        self.metrics = metrics
    }
}

/// Something that a session's delegate has not been told yet.
public struct StoredEvent: Sendable, Hashable {
    /// Rises with every event of the store; never used twice.
    public let sequence: Int64
    public let transfer: TransferID
    /// As it was recorded.
    public let payload: [UInt8]
}
