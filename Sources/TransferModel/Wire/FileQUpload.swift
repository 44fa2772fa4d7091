// SPDX-License-Identifier: MIT

/// The description of a FileQ upload's file; sent in cookies. See the wire format in docs/FileQ.md.
public struct FileQUpload: Sendable, Hashable, Codable {
    /// The sender's session, `fileuploadSID`. `nil`: ask the server for one (`POST /session`).
    public var sid: String? {
        get { secretSID?.value }
        set { secretSID = newValue.map { Secret($0) } }
    }
    private var secretSID: Secret?
    /// Free metadata, `fileq-meta-NAME`; in order.
    public var metadata: [Metadata]

    public struct Metadata: Sendable, Hashable, Codable {
        public var name: String
        public var value: String
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public init(sid: String? = nil, metadata: [Metadata] = []) {
        secretSID = sid.map { Secret($0) }
        self.metadata = metadata
    }

    private enum CodingKeys: String, CodingKey {
        case secretSID = "sid"
        case metadata
    }
}
