// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// A body that will be taken in, and what is to become of it.
struct Reception: Sendable {
    enum Purpose: Sendable {
        /// A plain file at this path.
        case put([String])
        /// A FileQ upload: what its cookies say, the name already safe.
        case fileQ(FileQCookies, name: String, key: UploadRecord.Key?)
    }

    var purpose: Purpose
    /// Asked again when the bytes are here, as the file may have changed meanwhile.
    var conditions: Preconditions
    /// The sum the bytes must have.
    var expected: Checksum?
    /// What the bytes must come to, besides `Content-Length`.
    var expectedSize: Int64?

    var needsDigest: Bool {
        switch purpose {
        case .put: expected != nil
        case .fileQ: true
        }
    }
}
