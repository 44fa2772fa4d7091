// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The problem details (RFC 9457) of a rejected resumable upload; `application/problem+json`.
package struct UploadProblemDetails: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// 409
        case mismatchingOffset = "https://iana.org/assignments/http-problem-types#mismatching-upload-offset"
        /// 400; version 6 only.
        case completed = "https://iana.org/assignments/http-problem-types#completed-upload"
        /// 400
        case inconsistentLength = "https://iana.org/assignments/http-problem-types#inconsistent-upload-length"
        /// 400; of draft-ietf-httpapi-digest-fields-problem-types, and so of every version.
        case mismatchingDigest = "https://iana.org/assignments/http-problem-types#digest-mismatched-values"
    }

    package static let mediaType = "application/problem+json"

    package var kind: Kind
    package var title: String
    /// The offset of the upload; only of ``Kind/mismatchingOffset``, as ``providedOffset``.
    package var expectedOffset: Int64?
    /// The offset of the request.
    package var providedOffset: Int64?

    private enum CodingKeys: String, CodingKey {
        case kind = "type"
        case title
        case expectedOffset = "expected-offset"
        case providedOffset = "provided-offset"
    }

    package init(_ kind: Kind, expectedOffset: Int64? = nil, providedOffset: Int64? = nil) {
        self.kind = kind
        title =
            switch kind {
            case .mismatchingOffset: "offset from request does not match offset of resource"
            case .completed: "upload is already completed"
            case .inconsistentLength: "inconsistent length values for upload"
            case .mismatchingDigest: "mismatched digest values"
            }
        self.expectedOffset = expectedOffset
        self.providedOffset = providedOffset
    }

    /// `nil` for other problem types and for what is not JSON.
    package init?(parsing body: some Sequence<UInt8>) {
        guard let problem = try? JSONDecoder().decode(Self.self, from: Data(body)) else { return nil }
        self = problem
    }

    package func json() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A string and two integers always encode.
        return (try? Array(encoder.encode(self))) ?? []
    }
}
