// SPDX-License-Identifier: MIT

import TransferModel

/// What the server keeps of one FileQ upload, beside its bytes.
struct UploadRecord: Codable, Sendable, Equatable {
    /// One upload of one sender: what makes a repeat a repeat.
    struct Key: Hashable, Sendable, Codable {
        /// SHA-256 of the SID; the SID itself is a credential.
        var owner: String
        /// The sender's UUID.
        var upload: String
    }

    static let currentVersion = 1

    var version = UploadRecord.currentVersion
    var id: String
    /// `nil` where the sender gave no UUID: then nothing can be a repeat of it.
    var key: Key?
    var name: String
    var size: Int64
    var sha256: String
    var modified: Int64?
    var received: Double
    var metadata: [FileQUpload.Metadata]
    /// Of the stored file; another one means that the bytes were changed behind the server's back.
    var entityTag: String

    var location: String { "/files/\(id)/\(PercentCoding.encode(name))" }
    var path: [String] { ["files", id, name] }

    var listing: FileQListing.Entry {
        FileQListing.Entry(
            id: id, name: name, size: size, location: location, sha256: sha256, modified: modified,
            received: received, metadata: metadata)
    }

    /// The digest, as long as the file is the one that was hashed.
    func reprDigest(entityTag: String) -> ReprDigest? {
        guard entityTag == self.entityTag, let bytes = Hex.decode(sha256) else { return nil }
        return ReprDigest(Checksum(algorithm: .sha256, bytes: bytes))
    }
}
