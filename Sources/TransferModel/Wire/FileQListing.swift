// SPDX-License-Identifier: MIT

/// The response to `POST /session`: JSON with the SID to send from then on.
package struct FileQSession: Sendable, Hashable, Codable {
    package static let path = "/session"

    package var sid: String

    package init(sid: String) { self.sid = sid }
}

/// The response to `GET /files`: JSON with the uploads that the server holds, oldest first. Of many it has a page.
package struct FileQListing: Sendable, Hashable, Codable {
    package static let path = "/files"

    package var files: [Entry]
    /// The server has more uploads than ``files``.
    package var isTruncated: Bool
    /// The path of the next page, with its query; `nil` at the end.
    package var next: String?

    /// - Parameter next: `nil` for the last page, which is not truncated.
    package init(files: [Entry], next: String? = nil) {
        (self.files, self.next) = (files, next)
        isTruncated = next != nil
    }

    /// Servers that know no pages state neither.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        files = try values.decode([Entry].self, forKey: .files)
        isTruncated = try values.decodeIfPresent(Bool.self, forKey: .isTruncated) ?? false
        next = try values.decodeIfPresent(String.self, forKey: .next)
    }

    package struct Entry: Sendable, Hashable, Codable {
        package var id: String
        /// As the sender named it, made safe as a file name.
        package var name: String
        /// Bytes.
        package var size: Int64
        /// `/files/ID/NAME`, percent-encoded.
        package var location: String
        /// Hexadecimal digits.
        package var sha256: String
        /// The sender's modification time, seconds since 1970.
        package var modified: Int64?
        /// When the last byte was here, seconds since 1970.
        package var received: Double
        package var metadata: [FileQUpload.Metadata]

        package init(
            id: String, name: String, size: Int64, location: String, sha256: String, modified: Int64?,
            received: Double, metadata: [FileQUpload.Metadata]
        ) {
            self.id = id
            self.name = name
            self.size = size
            self.location = location
            self.sha256 = sha256
            self.modified = modified
            self.received = received
            self.metadata = metadata
        }
    }
}
