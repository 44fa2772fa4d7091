// SPDX-License-Identifier: MIT

/// The response to `POST /session`: JSON with the SID to send from then on.
public struct FileQSession: Sendable, Hashable, Codable {
    public static let path = "/session"

    public var sid: String

    public init(sid: String) { self.sid = sid }
}

/// The response to `GET /files`: JSON with the uploads that the server holds, oldest first. Of many it has a page.
public struct FileQListing: Sendable, Hashable, Codable {
    public static let path = "/files"

    public var files: [Entry]
    /// The server has more uploads than ``files``.
    public var isTruncated: Bool
    /// The path of the next page, with its query; `nil` at the end.
    public var next: String?

    /// - Parameter next: `nil` for the last page, which is not truncated.
    public init(files: [Entry], next: String? = nil) {
        (self.files, self.next) = (files, next)
        isTruncated = next != nil
    }

    /// Servers that know no pages state neither.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        files = try values.decode([Entry].self, forKey: .files)
        isTruncated = try values.decodeIfPresent(Bool.self, forKey: .isTruncated) ?? false
        next = try values.decodeIfPresent(String.self, forKey: .next)
    }

    public struct Entry: Sendable, Hashable, Codable {
        public var id: String
        /// As the sender named it, made safe as a file name.
        public var name: String
        /// Bytes.
        public var size: Int64
        /// `/files/ID/NAME`, percent-encoded.
        public var location: String
        /// Hexadecimal digits.
        public var sha256: String
        /// The sender's modification time, seconds since 1970.
        public var modified: Int64?
        /// When the last byte was here, seconds since 1970.
        public var received: Double
        public var metadata: [FileQUpload.Metadata]

        public init(
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
