// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The conditions that a request ties to the state of its resource (RFC 9110, section 13).
struct Preconditions {
    /// How the resource stands; `nil` members: it does not exist.
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

    /// `If-None-Match: *`: only where nothing is there yet.
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

    /// Whether a `Range` field counts; where not, the whole is sent. A date must be exactly the one that was given.
    func allowsRange(of resource: Resource) -> Bool {
        guard let ifRange else { return true }
        if ifRange.hasPrefix("\"") { return ifRange == resource.entityTag }
        guard let modified = resource.modified else { return false }
        return HTTPDate.parse(ifRange) == modified
    }
}
