// SPDX-License-Identifier: MIT

/// State that a later attempt needs besides the record. It is stored with the transfer and never sent to clients.
package struct Checkpoint: Sendable, Hashable, Codable {
    /// Failed attempts in a row that stored no new bytes.
    package var failures = 0
    /// When the resource timeout began to count, in seconds since 1970. Each pause shifts it by its length.
    package var startedAt: Double?
    package var download: DownloadCheckpoint?
    package var upload: UploadCheckpoint?
    /// A command that was accepted while the file was being verified.
    package var postponed: PostponedCommand?

    package init() {}
}

/// A command on a transfer whose file is being verified. It is executed after the verification, unless that completes
/// the transfer.
package enum PostponedCommand: String, Sendable, Hashable, Codable, CaseIterable {
    case pause, hold, cancel
    /// Deletes the partial file, too.
    case discard

    package var cancels: Bool { self == .cancel || self == .discard }
}

/// Where a later attempt may resume a download.
package struct DownloadCheckpoint: Sendable, Hashable, Codable {
    /// Its ranges are those that were synced before they were stored: all that another boot may trust.
    package var data: ResumeData
    /// Inode of the partial file: by it the file is known again under its final name.
    package var inode: UInt64?

    package init(_ data: ResumeData, inode: UInt64? = nil) {
        self.data = data
        self.inode = inode
    }
}

/// State that makes it safe to send an upload again, or to resume it.
package struct UploadCheckpoint: Sendable, Hashable, Codable {
    /// One UUID for all attempts of a FileQ upload of the same bytes.
    package var key: String?
    /// The source as it was at the first attempt. Bytes of a changed source are never joined to those of this one.
    package var source: Source
    /// Where a resumable upload continues, once the server has created it.
    package var point: UploadPoint?
    /// The kernel's boot ID when ``point`` was stored: after another boot more may have been sent than it says.
    package var bootID: String?

    package struct Source: Sendable, Hashable, Codable {
        package var inode: UInt64
        package var size: Int64
        package var seconds: Int64
        package var nanoseconds: Int64
        /// The time of the last change, which no program can set back, as it can that of modification. `nil`: stored
        /// by a version before this member.
        package var changedSeconds: Int64?
        package var changedNanoseconds: Int64?

        package init(
            inode: UInt64, size: Int64, seconds: Int64, nanoseconds: Int64, changedSeconds: Int64? = nil,
            changedNanoseconds: Int64? = nil
        ) {
            self.inode = inode
            self.size = size
            self.seconds = seconds
            self.nanoseconds = nanoseconds
            self.changedSeconds = changedSeconds
            self.changedNanoseconds = changedNanoseconds
        }

        /// Whether both are the same file with the same bytes, as far as is known of both. A new mode, owner or link
        /// counts as new bytes: the kernel does not distinguish them.
        /// - Parameter isVerified: the bytes are compared with a checksum, so that the time of modification is enough.
        package func matches(_ other: Self, isVerified: Bool = false) -> Bool {
            guard inode == other.inode, size == other.size, seconds == other.seconds,
                nanoseconds == other.nanoseconds
            else { return false }
            guard !isVerified, let changedSeconds, let changedNanoseconds, let otherSeconds = other.changedSeconds,
                let otherNanoseconds = other.changedNanoseconds
            else { return true }
            return changedSeconds == otherSeconds && changedNanoseconds == otherNanoseconds
        }
    }

    package init(source: Source, key: String? = nil, point: UploadPoint? = nil, bootID: String? = nil) {
        self.source = source
        self.key = key
        self.point = point
        self.bootID = bootID
    }
}

extension UploadCheckpoint {
    /// A point that this version cannot read is dropped, the key is not.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            source: try container.decode(Source.self, forKey: .source),
            key: try container.decodeIfPresent(String.self, forKey: .key),
            point: (try? container.decodeIfPresent(UploadPoint.self, forKey: .point)) ?? nil,
            bootID: try container.decodeIfPresent(String.self, forKey: .bootID))
    }
}
