// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The conditions of a request on the state of its resource (RFC 9110, section 13).
struct Preconditions {
    /// The state of the resource; `nil` members: it does not exist.
    struct Resource: Equatable {
        var entityTag: String?
        /// Seconds since 1970.
        var modified: Int64?
    }

    enum Outcome: Equatable { case proceed, notModified, failed }

    private let ifMatch: EntityTagList?
    private let ifNoneMatch: EntityTagList?
    private let ifModifiedSince: Int64?
    private let ifUnmodifiedSince: Int64?
    private let ifRange: String?
    private let isReading: Bool

    init(_ request: HTTPRequest) {
        let fields = request.headerFields
        ifMatch = fields[.ifMatch].map { EntityTagList(parsing: $0) }
        ifNoneMatch = fields[.ifNoneMatch].map { EntityTagList(parsing: $0) }
        ifModifiedSince = fields[.ifModifiedSince].flatMap { HTTPDate.parse($0) }
        ifUnmodifiedSince = fields[.ifUnmodifiedSince].flatMap { HTTPDate.parse($0) }
        ifRange = fields[.ifRange]
        isReading = request.method == .get || request.method == .head
    }

    /// `If-None-Match: *`: only if nothing exists.
    var demandsAbsence: Bool { ifNoneMatch == .any }

    /// In the order of RFC 9110, section 13.2.2.
    func outcome(for resource: Resource) -> Outcome {
        if let ifMatch {
            guard ifMatch.matchesStrongly(resource.entityTag) else { return .failed }
        } else if let ifUnmodifiedSince, let modified = resource.modified, modified > ifUnmodifiedSince {
            return .failed
        }
        if let ifNoneMatch {
            guard !ifNoneMatch.matchesWeakly(resource.entityTag) else { return isReading ? .notModified : .failed }
        } else if isReading, let ifModifiedSince, let modified = resource.modified, modified <= ifModifiedSince {
            return .notModified
        }
        return .proceed
    }

    /// Whether `Range` applies; otherwise the complete file is sent. A date must match exactly.
    func allowsRange(of resource: Resource) -> Bool {
        guard let ifRange else { return true }
        if ifRange.hasPrefix("\"") { return ifRange == resource.entityTag }
        guard let modified = resource.modified else { return false }
        return HTTPDate.parse(ifRange) == modified
    }
}
