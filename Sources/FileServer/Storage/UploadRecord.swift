// SPDX-License-Identifier: MIT

import TransferModel

/// The metadata of a FileQ upload.
struct UploadRecord: Codable, Sendable, Equatable {
    /// Identifies an upload of a sender, to recognize repeats.
    struct Key: Hashable, Sendable, Codable {
        /// SHA-256 of the SID, which is a credential.
        var owner: String
        /// The sender's UUID.
        var upload: String
    }

    static let currentVersion = 1

    var version = UploadRecord.currentVersion
    var id: String
    /// `nil` if the sender sent no UUID: it has no repeats.
    var key: Key?
    var name: String
    var size: Int64
    var sha256: String
    var modified: Int64?
    var received: Double
    var metadata: [FileQUpload.Metadata]
    /// The entity tag of the stored file; a different one means that the file was changed from outside.
    var entityTag: String

    var location: String { "/files/\(id)/\(PercentCoding.encode(name))" }
    var path: [String] { ["files", id, name] }

    /// The size of metadata, roughly.
    static func bytes(of metadata: [FileQUpload.Metadata]) -> Int {
        metadata.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }

    var listing: FileQListing.Entry {
        FileQListing.Entry(
            id: id, name: name, size: size, location: location, sha256: sha256, modified: modified,
            received: received, metadata: metadata)
    }

    /// The digest, as long as the file is unchanged.
    func reprDigest(entityTag: String) -> ReprDigest? {
        guard entityTag == self.entityTag, let bytes = Hex.decode(sha256) else { return nil }
        return ReprDigest(Checksum(algorithm: .sha256, bytes: bytes))
    }
}
