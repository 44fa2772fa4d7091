// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// All that a download needs to be resumed later, in this process or in another. Versioned and self-contained.
///
/// It promises that the bytes of `ranges` are in the file at `partialPath` and belong to the version that `validator`
/// names. It holds no credential and no cookie: they must be supplied again.
public struct ResumeData: Sendable, Hashable, Codable {
    public static let currentVersion = 1

    public var version = ResumeData.currentVersion
    public var url: String
    /// The address that sent the bytes, after redirects; `nil`: ``url``, or unknown.
    public var finalURL: String?
    public var validator: Validator
    /// Which bytes are surely on disk.
    public var ranges: ByteRangeSet
    /// The complete size, if the server stated it.
    public var total: Int64?
    public var partialPath: String
    /// The file belongs to the download: removed at its end unless it was moved. Absent: it is the caller's own.
    public var isTemporary: Bool?
    /// The kernel's boot id when `ranges` was written. In the same boot the file's length may be trusted beyond
    /// `ranges`.
    public var bootID: String?
    /// The media type of the bytes, without parameters, lower case; `nil` if unknown.
    public var contentType: String?
    /// The content coding of the bytes, lower case; `nil` without one, or if an older record lacks it.
    public var contentEncoding: String?
    /// Some of the bytes came in response to a range. Absent: none, or unknown.
    public var hasComeInRanges: Bool?

    public init(
        url: String, validator: Validator, ranges: ByteRangeSet, total: Int64?, partialPath: String,
        bootID: String? = nil, contentType: String? = nil, contentEncoding: String? = nil
    ) {
        self.url = url
        self.validator = validator
        self.ranges = ranges
        self.total = total
        self.partialPath = partialPath
        self.bootID = bootID
        self.contentType = contentType
        self.contentEncoding = contentEncoding
    }

    /// JSON, keys sorted.
    public func encoded() -> Data { sortedJSON }

    /// - Throws: code `rangeRefused` if the data is damaged or of a newer version.
    public init(decoding data: Data) throws(TransferError) {
        self = try Self.decoded(data)
    }
}

extension ResumeData: VersionedData {}
