// SPDX-License-Identifier: MIT

/// The response to `POST /session`: JSON with the SID to send from then on.
public struct FileQSession: Sendable, Hashable, Codable {
    public static let path = "/session"

    public var sid: String

    public init(sid: String) { self.sid = sid }
}

/// The response to `GET /files`: JSON with every upload that the server holds, oldest first.
public struct FileQListing: Sendable, Hashable, Codable {
    public static let path = "/files"

    public var files: [Entry]

    public init(files: [Entry]) { self.files = files }

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
