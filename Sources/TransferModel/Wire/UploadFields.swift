// SPDX-License-Identifier: MIT

package import HTTPTypes
import StructuredFieldValues

/// The fields of a resumable upload (IETF draft): what a request or response states. Written for one version with
/// ``write(to:version:)``, read with ``init(_:version:)``.
package struct UploadFields: Sendable, Hashable {
    /// `Upload-Offset`: bytes.
    package var offset: Int64?
    /// `Upload-Length`: bytes of the entire representation.
    package var length: Int64?
    /// `Upload-Complete`, or the opposite of `Upload-Incomplete`.
    package var isComplete: Bool?
    /// `Upload-Limit`
    package var limits: UploadLimits?

    package static let partialType = "application/partial-upload"
    /// The largest integer of a structured field: fifteen digits.
    package static let largestInteger: Int64 = 999_999_999_999_999

    package init(
        offset: Int64? = nil, length: Int64? = nil, isComplete: Bool? = nil, limits: UploadLimits? = nil
    ) {
        self.offset = offset
        self.length = length
        self.isComplete = isComplete
        self.limits = limits
    }

    /// Ignores fields with values of another type, as the draft requires: negative, fractional, quoted, or present
    /// twice.
    package init(_ fields: HTTPFields, version: UploadInterop) {
        offset = Self.integer(fields, .uploadOffset)
        length = version.traits.hasLength ? Self.integer(fields, .uploadLength) : nil
        isComplete =
            switch version.traits.completeness {
            case .complete: Self.boolean(fields, .uploadComplete)
            case .incomplete: Self.boolean(fields, .uploadIncomplete).map { !$0 }
            }
        limits = fields[.uploadLimit].flatMap { UploadLimits(parsing: $0) }
    }

    package func write(to fields: inout HTTPFields, version: UploadInterop) {
        if let offset { fields[.uploadOffset] = String(offset) }
        if let length, version.traits.hasLength { fields[.uploadLength] = String(length) }
        if let isComplete {
            switch version.traits.completeness {
            case .complete: fields[.uploadComplete] = isComplete ? "?1" : "?0"
            case .incomplete: fields[.uploadIncomplete] = isComplete ? "?0" : "?1"
            }
        }
        if let text = limits?.field(for: version) { fields[.uploadLimit] = text }
    }

    /// A request with completeness, whatever its version and value: it is, or wants to be, a resumable upload.
    package static func mentionsCompleteness(_ fields: HTTPFields) -> Bool {
        fields[.uploadComplete] != nil || fields[.uploadIncomplete] != nil
    }

    /// The version of a request or response; `nil` if it is missing, malformed or unknown.
    package static func version(of fields: HTTPFields) -> UploadInterop? {
        integer(fields, .uploadInterop).flatMap { number in UploadInterop.preferred.first { $0.rawValue == number } }
    }

    private static func integer(_ fields: HTTPFields, _ name: HTTPField.Name) -> Int64? {
        guard let text = fields[name],
            let item = try? StructuredFieldValueDecoder().decode(Integer.self, from: Array(text.utf8))
        else { return nil }
        return item.item >= 0 ? item.item : nil
    }

    private static func boolean(_ fields: HTTPFields, _ name: HTTPField.Name) -> Bool? {
        guard let text = fields[name] else { return nil }
        return (try? StructuredFieldValueDecoder().decode(Boolean.self, from: Array(text.utf8)))?.item
    }

    private struct Integer: StructuredFieldValue {
        static let structuredFieldType = StructuredFieldType.item
        var item: Int64
    }

    private struct Boolean: StructuredFieldValue {
        static let structuredFieldType = StructuredFieldType.item
        var item: Bool
    }
}

extension HTTPField.Name {
    package static let uploadInterop = HTTPField.Name("Upload-Draft-Interop-Version")!
    package static let uploadOffset = HTTPField.Name("Upload-Offset")!
    package static let uploadLength = HTTPField.Name("Upload-Length")!
    package static let uploadComplete = HTTPField.Name("Upload-Complete")!
    package static let uploadIncomplete = HTTPField.Name("Upload-Incomplete")!
    package static let uploadLimit = HTTPField.Name("Upload-Limit")!
    /// RFC 10036
    package static let incremental = HTTPField.Name("Incremental")!
}

extension HTTPResponse.Status {
    package static let uploadResumptionSupported = HTTPResponse.Status(
        code: 104, reasonPhrase: "Upload Resumption Supported")
}
