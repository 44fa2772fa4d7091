// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// An accepted body and its destination.
struct Reception: Sendable {
    enum Purpose: Sendable {
        /// A plain file at this path.
        case put([String])
        /// A FileQ upload.
        case fileQ(StoredUpload)
    }

    var purpose: Purpose
    /// Checked again after the body, as the file may have changed.
    var conditions: Preconditions
    /// The expected checksums.
    var expected: [Checksum]
    /// The expected size, besides `Content-Length`.
    var expectedSize: Int64?

    /// The algorithms of the digests that are needed.
    var algorithms: [Checksum.Algorithm] {
        switch purpose {
        case .put: Checksum.Algorithm.allCases.filter { one in expected.contains { $0.algorithm == one } }
        case .fileQ: [.sha256]
        }
    }
}
