// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// All that the upload of a file needs to be resumed later, in this process or in another. Versioned and
/// self-contained.
///
/// It promises that the server at ``url`` has the first ``confirmed`` bytes of the file at ``filePath``, as that was
/// then: if the file has changed since, the upload is refused. It contains no credential and no cookie: they must be
/// supplied again. The address at which the upload continues is in it; who knows it can continue the upload.
public struct UploadResumeData: Sendable, Hashable, Codable {
    public static let currentVersion = 1

    public var version = UploadResumeData.currentVersion
    /// The address that the file is uploaded to.
    public var url: String
    public var method: String
    /// An absolute path.
    public var filePath: String
    package var source: UploadCheckpoint.Source
    package var point: UploadPoint

    /// Bytes that the server has confirmed.
    public var confirmed: Int64 { point.offset }
    /// The size of the file in bytes.
    public var total: Int64 { source.size }

    package init(url: String, method: String, filePath: String, source: UploadCheckpoint.Source, point: UploadPoint) {
        (self.url, self.method, self.filePath) = (url, method, filePath)
        (self.source, self.point) = (source, point)
        // It may be used several times.
        self.point.forgetReach()
    }

    /// JSON, keys sorted.
    public func encoded() -> Data { sortedJSON }

    /// - Throws: code `rangeRefused` if the data is damaged or of a newer version.
    public init(decoding data: Data) throws(TransferError) {
        self = try Self.decoded(data) { $0.filePath.beginsWithSlash && $0.confirmed >= 0 && $0.confirmed <= $0.total }
    }
}

extension UploadResumeData: VersionedData {}
