// SPDX-License-Identifier: MIT

public import HTTPTypes

/// The validator of a version of a resource: entity tag and modification date (RFC 9110, section 8.8).
public struct Validator: Sendable, Hashable, Codable {
    /// With quotes, and `W/` where weak, exactly as the server sent it.
    public var entityTag: String?
    /// As the server sent it.
    public var lastModified: String?
    /// The `Date` of the response that named ``lastModified``, as the server sent it. `nil` if there was none, and
    /// in records that were written without it.
    package var date: String?
    /// Scheme, host and port of the server that sent it: an entity tag is of one resource (RFC 9110, section 8.8.3).
    /// `nil` if unknown, as in records that were written without it.
    public var origin: String?

    /// Seconds by which `Date` must be later than `Last-Modified`: a second change within them could have the same
    /// date.
    static let strongAge: Int64 = 60

    public init(entityTag: String? = nil, lastModified: String? = nil, date: String? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.date = date
    }

    /// - Parameter origin: of the response's URL.
    public init(_ fields: HTTPFields, origin: String? = nil) {
        self.origin = origin
        entityTag = fields.first(.eTag)
        lastModified = fields.first(.lastModified)
        date = lastModified == nil ? nil : fields.first(.date)
    }

    /// The value for `If-Range`, or `nil` if ranges of this resource must not be combined: a strong tag, else a strong
    /// date without any tag. A weak tag forbids it (RFC 9110, section 13.1.5).
    package var ifRange: String? {
        if let entityTag {
            let isStrong = entityTag.count >= 2 && entityTag.hasPrefix("\"") && entityTag.hasSuffix("\"")
            return isStrong ? entityTag : nil
        }
        return hasStrongDate ? lastModified : nil
    }

    /// Whether ``lastModified`` is a date, and so much older than the response that no other version can have it (RFC
    /// 9110, section 8.8.2.2).
    private var hasStrongDate: Bool {
        guard let modified = lastModified.flatMap({ HTTPDate.parse($0) }),
            let sent = date.flatMap({ HTTPDate.parse($0) })
        else { return false }
        return sent - modified >= Self.strongAge
    }

    /// Whether `other`, met in a later response, is surely the same version as far as both say anything.
    package func agrees(with other: Validator) -> Bool {
        if let mine = entityTag, let theirs = other.entityTag { return mine == theirs && !mine.hasPrefix("W/") }
        if let mine = lastModified, let theirs = other.lastModified { return mine == theirs }
        return true
    }

    /// Whether both are certainly of different servers.
    package func isOfOtherOrigin(than other: Validator) -> Bool {
        if let mine = origin, let theirs = other.origin { mine != theirs } else { false }
    }

    /// Whether a response with `other` proves that it is of this version: by the same strong tag, or by the same strong
    /// date. A response that states neither proves nothing, although it has to (RFC 9110, section 15.3.7): its server
    /// may not know `If-Range`.
    package func isConfirmed(by other: Validator) -> Bool {
        if entityTag != nil, other.entityTag != nil { return agrees(with: other) }
        return hasStrongDate && other.lastModified == lastModified
    }
}
