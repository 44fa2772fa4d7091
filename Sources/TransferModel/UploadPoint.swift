// SPDX-License-Identifier: MIT

/// The protocol of a resumable upload. Its description is stored, travels, and is shown.
package enum UploadCarrier: Sendable, Hashable, CaseIterable, LosslessStringConvertible {
    case ietf(UploadInterop)
    case tus
    /// The multipart uploads of S3.
    case s3

    package static let allCases: [UploadCarrier] = UploadInterop.allCases.reversed().map { .ietf($0) } + [.tus, .s3]

    package var description: String { name }

    private var name: String {
        switch self {
        case .ietf(let version): "ietf-\(version.rawValue)"
        case .tus: "tus-\(Tus.version)"
        case .s3: "s3"
        }
    }

    /// The name of the protocol for people.
    package var words: String {
        switch self {
        case .ietf(let version): "Resumable Uploads for HTTP, interop version \(version.rawValue)"
        case .tus: "tus \(Tus.version)"
        case .s3: "S3 multipart upload"
        }
    }

    /// For people, of a description that may be that of another version.
    package static func words(_ description: String) -> String { UploadCarrier(description)?.words ?? description }

    package init?(_ description: String) {
        guard let known = Self.allCases.first(where: { $0.name == description }) else { return nil }
        self = known
    }
}

/// Where an interrupted upload continues: a resource of the server that has the first ``offset`` bytes of the file.
package struct UploadPoint: Sendable, Hashable {
    package var carrier: UploadCarrier
    /// The upload resource, perhaps at another origin than ``target``. Who knows it can continue the upload.
    package var url: String
    /// The address that the file is uploaded to.
    package var target: String
    /// Bytes that the server has confirmed.
    package var offset: Int64
    /// The most bytes of one request, if the server states it; with S3 those of each part but the last.
    package var maximumAppend: Int64?
    /// Behind the last byte of the file that any process may have sent; `nil`: not known.
    package var reach: Int64?
    /// The algorithm of the digests that requests state of their content; `nil`: they state none.
    package var checksum: Checksum.Algorithm?
    /// Every byte was sent at least once: if the server no longer knows the upload, it may have completed it.
    package var isTailSent = false
    /// Seconds since 1970: how long the server keeps an unfinished upload, as it last stated; it may keep it longer.
    package var expires: Double?
    /// S3: the entity tag and the checksum that the complete object will have.
    package var completeTag: String?
    package var completeChecksum: String?
    /// tus: the uploads that the server joins, in the order of the file; ``offset`` is what it has of all of them, and
    /// ``url`` the first one that exists. `nil`: the file is one upload.
    package var parts: [Part]?

    /// An upload of its own, of a part of the file.
    package struct Part: Sendable, Hashable, Codable {
        /// `nil` until the server has created it.
        package var url: String?
        /// Bytes of the file.
        package var length: Int64
        /// Bytes of these that the server has confirmed.
        package var offset: Int64
        /// As ``UploadPoint/reach``, of the part.
        package var reach: Int64?

        package init(url: String? = nil, length: Int64, offset: Int64 = 0) {
            (self.url, self.length, self.offset) = (url, length, offset)
        }
    }

    package init(
        _ carrier: UploadCarrier, url: String, target: String, offset: Int64 = 0, maximumAppend: Int64? = nil
    ) {
        (self.carrier, self.url, self.target) = (carrier, url, target)
        (self.offset, self.maximumAppend) = (offset, maximumAppend)
    }

    /// More may have been sent than was stored.
    package mutating func forgetReach() {
        reach = nil
        for number in parts?.indices ?? 0..<0 { parts?[number].reach = nil }
    }
}

/// Members that a later version adds are optional, so that this one reads its points; an unknown carrier is not read.
extension UploadPoint: Codable {
    private enum Key: CodingKey {
        case carrier, url, target, offset, maximumAppend, reach, isTailSent, checksum, expires, completeTag
        case completeChecksum, parts
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let name = try container.decode(String.self, forKey: .carrier)
        guard let carrier = UploadCarrier(name) else {
            throw DecodingError.dataCorruptedError(
                forKey: .carrier, in: container, debugDescription: "no protocol of this version")
        }
        self.init(
            carrier, url: try container.decode(String.self, forKey: .url),
            target: try container.decode(String.self, forKey: .target),
            offset: try container.decode(Int64.self, forKey: .offset),
            maximumAppend: try container.decodeIfPresent(Int64.self, forKey: .maximumAppend))
        guard offset >= 0, maximumAppend ?? 1 > 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: .offset, in: container, debugDescription: "a negative number of bytes")
        }
        reach = try container.decodeIfPresent(Int64.self, forKey: .reach)
        isTailSent = try container.decodeIfPresent(Bool.self, forKey: .isTailSent) ?? false
        checksum = try container.decodeIfPresent(String.self, forKey: .checksum).flatMap { .init(rawValue: $0) }
        expires = try container.decodeIfPresent(Double.self, forKey: .expires)
        completeTag = try container.decodeIfPresent(String.self, forKey: .completeTag)
        completeChecksum = try container.decodeIfPresent(String.self, forKey: .completeChecksum)
        parts = try container.decodeIfPresent([Part].self, forKey: .parts)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(carrier.description, forKey: .carrier)
        try container.encode(url, forKey: .url)
        try container.encode(target, forKey: .target)
        try container.encode(offset, forKey: .offset)
        try container.encodeIfPresent(maximumAppend, forKey: .maximumAppend)
        try container.encodeIfPresent(reach, forKey: .reach)
        if isTailSent { try container.encode(true, forKey: .isTailSent) }
        try container.encodeIfPresent(checksum?.rawValue, forKey: .checksum)
        try container.encodeIfPresent(expires, forKey: .expires)
        try container.encodeIfPresent(completeTag, forKey: .completeTag)
        try container.encodeIfPresent(completeChecksum, forKey: .completeChecksum)
        try container.encodeIfPresent(parts, forKey: .parts)
    }
}
