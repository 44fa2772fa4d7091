// SPDX-License-Identifier: MIT

/// The interop versions of "Resumable Uploads for HTTP" (draft-ietf-httpbis-resumable-upload) that fileq speaks, and
/// how they differ. ``traits`` is the only place with per-version behaviour.
package enum UploadInterop: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// Draft 01.
    case v3 = 3
    /// Draft 03.
    case v5 = 5
    /// Drafts 04 and 05.
    case v6 = 6
    /// Drafts 09 to 11.
    case v8 = 8
    /// Draft 12.
    case v9 = 9
    /// Draft 13.
    case v10 = 10
    /// The RFC, whose requests have no ``field``. Offered and accepted once it is in ``preferred``.
    case published = 1000

    /// Newest first, the order in which a client offers them. A server knows no others.
    package static let preferred: [UploadInterop] = [.v10, .v9, .v8, .v6, .v5, .v3]
    package static let newest = preferred[0]

    /// The value of `Upload-Draft-Interop-Version` in every request and in 104.
    package var field: String? { self == .published ? nil : String(rawValue) }

    package static func < (one: UploadInterop, other: UploadInterop) -> Bool { one.rawValue < other.rawValue }

    /// A row of the table of differences.
    package struct Traits: Sendable, Hashable {
        /// The field that carries completeness.
        package var completeness: Completeness
        /// The media type that an append must have; `nil`: any.
        package var appendType: String?
        /// 104 may repeat, with `Upload-Offset`.
        package var reportsProgress: Bool
        /// The key of the remaining lifetime in `Upload-Limit`; `nil`: there is no such field.
        package var lifetimeKey: String?
        /// The problem types of 409 and 400.
        package var problems: Set<UploadProblemDetails.Kind>
        /// Without completeness, an append is malformed; else it completes the upload.
        package var appendStatesCompleteness: Bool
        /// A creation with `Upload-Offset` is malformed.
        package var rejectsOffsetInCreation: Bool
        /// The status of an append that leaves the upload incomplete.
        package var incompleteAppendStatus: Int
        /// The final response of a creation that completes the upload has the upload's URL as `Location`; else the
        /// targeted resource chooses it.
        package var finalLocationIsUpload: Bool
        /// A repeat of the completing append gets the final response again; else 400.
        package var replaysFinalResponse: Bool
        /// `Upload-Length` exists.
        package var hasLength: Bool
    }

    /// The field that states whether this request, or this state, is the end of the upload.
    package enum Completeness: Sendable, Hashable {
        /// `Upload-Complete`
        case complete
        /// `Upload-Incomplete`: the opposite value.
        case incomplete
    }

    package var traits: Traits {
        switch self {
        case .v3:
            Traits(
                completeness: .incomplete, appendType: nil, reportsProgress: false, lifetimeKey: nil, problems: [],
                appendStatesCompleteness: false, rejectsOffsetInCreation: true, incompleteAppendStatus: 201,
                finalLocationIsUpload: true, replaysFinalResponse: false, hasLength: false)
        case .v5:
            Traits(
                completeness: .complete, appendType: nil, reportsProgress: true, lifetimeKey: nil, problems: [],
                appendStatesCompleteness: false, rejectsOffsetInCreation: true, incompleteAppendStatus: 201,
                finalLocationIsUpload: true, replaysFinalResponse: false, hasLength: false)
        case .v6:
            Traits(
                completeness: .complete, appendType: UploadFields.partialType, reportsProgress: true,
                lifetimeKey: "expires", problems: [.mismatchingOffset, .completed],
                appendStatesCompleteness: false, rejectsOffsetInCreation: true, incompleteAppendStatus: 201,
                finalLocationIsUpload: true, replaysFinalResponse: false, hasLength: true)
        case .v8, .v9, .v10, .published:
            Traits(
                completeness: .complete, appendType: UploadFields.partialType, reportsProgress: true,
                lifetimeKey: "max-age", problems: [.mismatchingOffset, .inconsistentLength],
                appendStatesCompleteness: true, rejectsOffsetInCreation: false, incompleteAppendStatus: 204,
                finalLocationIsUpload: false, replaysFinalResponse: true, hasLength: true)
        }
    }
}
