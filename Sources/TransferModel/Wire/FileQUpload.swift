// SPDX-License-Identifier: MIT

/// The description of a FileQ upload's file; sent in cookies. See the wire format in docs/FileQ.md.
package struct FileQUpload: Sendable, Hashable, Codable {
    /// The sender's session, `fileuploadSID`. `nil`: ask the server for one (`POST /session`).
    package var sid: String? {
        get { secretSID?.value }
        set { secretSID = newValue.map { Secret($0) } }
    }
    private var secretSID: Secret?
    /// Free metadata, `fileq-meta-NAME`; in order.
    package var metadata: [Metadata]

    package struct Metadata: Sendable, Hashable, Codable {
        package var name: String
        package var value: String
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(sid: String? = nil, metadata: [Metadata] = []) {
        secretSID = sid.map { Secret($0) }
        self.metadata = metadata
    }

    private enum CodingKeys: String, CodingKey {
        case secretSID = "sid"
        case metadata
    }
}
