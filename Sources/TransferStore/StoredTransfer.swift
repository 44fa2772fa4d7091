// SPDX-License-Identifier: MIT

package import TransferModel

/// Everything of one transfer that outlives the process, but its description, which is fetched when it is needed
/// (``TransferStore/description(of:)``). Times are seconds since 1970. Nothing in it is a secret.
package struct StoredTransfer: Sendable, Hashable, Identifiable {
    package let id: TransferID
    /// The queue runs in rising order of ranks. Changed by ``TransferStore/setRanks(_:)`` alone.
    package internal(set) var rank: Int64
    /// The session that the transfer belongs to: the identifier given to `background(identifier)`.
    package let session: String
    package let kind: TransferKind
    /// Without user information. Changed by ``TransferStore/replaceDescription(of:with:)`` alone.
    package internal(set) var url: String
    package let addedAt: Double

    /// As for ``TransferModel/TransferSnapshot/file``.
    package var file: String
    /// 0…1; higher goes first.
    package var priority = 0.5
    package var state: TransferState
    /// As for ``TransferModel/TransferSnapshot/pausedBy``.
    package var pausedBy: PauseOrigin?
    package var reason: String?
    /// Last final HTTP status.
    package var status: Int?
    @Boxed package var error: TransferError?
    /// 1 for the first try.
    package var attempt = 1
    /// Tries that failed in a row without progress that lasts.
    package var failures = 0
    /// When its first try began: what the resource timeout counts from.
    package var startedAt: Double?
    package var endedAt: Double?
    /// When the next try starts, while retrying.
    package var retryAt: Double?
    package var bytes: Int64 = 0
    package var total: Int64?
    package var confirmed: Int64?
    @Boxed package var resume: StoredResume?
    @Boxed package var upload: StoredUpload?
    /// Bytes a second; `nil`: unlimited.
    package var rateLimit: Int?
    /// Not to begin before.
    package var earliestBeginAt: Double?
    package var isDiscretionary = false
    /// The client's own words; never read here.
    package var taskDescription: String?

    /// - Parameter rank: as it was read; where it is not known, changes leave the stored one as it is.
    package init(
        id: TransferID, rank: Int64 = 0, session: String, kind: TransferKind, url: String, addedAt: Double,
        file: String,
        state: TransferState
    ) {
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
package struct NewTransfer: Sendable, Hashable {
    package var description: Spec
    package var session: String
    /// As for ``TransferModel/TransferSnapshot/file``.
    package var file: String
    package var isPaused = false
    package var priority = 0.5
    /// Seconds since 1970.
    package var addedAt: Double
    package var earliestBeginAt: Double?
    package var isDiscretionary = false
    package var taskDescription: String?

    package init(_ description: Spec, session: String, file: String, addedAt: Double) {
        self.description = description
        self.session = session
        self.file = file
        self.addedAt = addedAt
    }
}

/// From where a download may go on.
package struct StoredResume: Sendable, Hashable, Codable {
    /// Its ranges are those that were synced before they were stored: all that another boot may trust.
    package var data: ResumeData
    /// Inode of the partial file: by it the file is known again under its final name.
    package var inode: UInt64?

    package init(_ data: ResumeData, inode: UInt64? = nil) {
        self.data = data
        self.inode = inode
    }
}

/// What makes it safe to send an upload again, or to go on with it.
package struct StoredUpload: Sendable, Hashable, Codable {
    /// One UUID for all tries of a FileQ upload of the same bytes.
    package var key: String?
    /// What the source was when it was looked at first; bytes of another one are never joined to it.
    package var source: Source

    package struct Source: Sendable, Hashable, Codable {
        package var inode: UInt64
        package var size: Int64
        package var seconds: Int64
        package var nanoseconds: Int64

        package init(inode: UInt64, size: Int64, seconds: Int64, nanoseconds: Int64) {
            self.inode = inode
            self.size = size
            self.seconds = seconds
            self.nanoseconds = nanoseconds
        }
    }

    package init(source: Source, key: String? = nil) {
        self.source = source
        self.key = key
    }
}

/// One try of a transfer. Of each transfer the last ``maximumKept`` are kept.
package struct StoredAttempt: Sendable, Hashable {
    package static let maximumKept = 100

    /// 1 for the first try. A later record of the same number replaces the earlier one.
    package var number: Int
    package var startedAt: Double
    package var endedAt: Double?
    /// The address it asked, without user information.
    package var url: String
    /// Where it began and where it ended, in bytes of the file.
    package var firstByte: Int64
    package var lastByte: Int64
    /// Last final HTTP status.
    package var status: Int?
    package var error: TransferError?
    package var metrics: TransferMetrics?

    package init(
        number: Int, startedAt: Double, endedAt: Double? = nil, url: String = "", firstByte: Int64 = 0,
        lastByte: Int64 = 0,
        status: Int? = nil, error: TransferError? = nil, metrics: TransferMetrics? = nil
    ) {
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
package struct StoredEvent: Sendable, Hashable {
    /// Rises with every event of the store; never used twice.
    package let sequence: Int64
    package let transfer: TransferID
    /// As it was recorded.
    package let payload: [UInt8]
}
