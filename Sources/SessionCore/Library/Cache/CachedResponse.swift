// SPDX-License-Identifier: MIT

public import HTTPTypes
import TransferModel

/// A complete stored response. Times are seconds since 1970.
public struct CachedResponse: Sendable, Hashable {
    /// Where a response may be stored, as `URLCache.StoragePolicy`.
    public enum StoragePolicy: Sendable, Hashable {
        /// In memory and on disk.
        case allowed
        /// In memory only.
        case allowedInMemoryOnly
        /// Nowhere.
        case notAllowed
    }

    /// Without hop-by-hop fields (RFC 9111, section 3.1); always with a `Date`.
    public let head: HTTPResponse
    public let body: [UInt8]
    /// When the request was sent.
    public let requestTime: Int64
    /// When the response head arrived, or that of the last validating 304.
    public let storedTime: Int64
    /// The request's values of the fields that the response varies by; absent ones are missing.
    let variant: HTTPFields
    /// As allowed by request and response. A delegate may restrict it before storing.
    public var storagePolicy: StoragePolicy

    /// The response to `request` for storing, with ``storagePolicy`` according to RFC 9111, section 3.
    /// - Parameter body: the complete body; never a part.
    public init(
        answering request: CacheRequest, head: HTTPResponse, body: [UInt8], requestTime: Int64, storedTime: Int64
    ) {
        let storedTime = Self.clamped(storedTime)
        let names = Self.variedNames(of: head)
        self.head = Self.storable(head, storedTime: storedTime)
        self.body = body
        self.requestTime = min(Self.clamped(requestTime), storedTime)
        self.storedTime = storedTime
        variant = HTTPFields(request.fields.filter { names?.contains($0.name) ?? false })
        storagePolicy = Self.storagePolicy(of: head, answering: request)
    }

    /// A response loaded from storage.
    init(
        head: HTTPResponse, body: [UInt8], requestTime: Int64, storedTime: Int64, variant: HTTPFields,
        storagePolicy: StoragePolicy
    ) {
        self.head = head
        self.body = body
        self.requestTime = Self.clamped(requestTime)
        self.storedTime = Self.clamped(storedTime)
        self.variant = variant
        self.storagePolicy = storagePolicy
    }

    /// Its approximate size in memory.
    var cost: Int {
        let fields = [head.headerFields, variant].joined()
        return fields.reduce(body.count + 512) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 64 }
    }

    /// Years 1970 to 9999, so that sums and differences of times cannot overflow.
    static func clamped(_ time: Int64) -> Int64 { min(max(time, 0), 253_402_300_799) }

    private static func storable(_ head: HTTPResponse, storedTime: Int64) -> HTTPResponse {
        var result = head
        let dropped = connectionFields(of: head.headerFields)
        result.headerFields = HTTPFields(head.headerFields.filter { !dropped.contains($0.name) })
        // RFC 9110, section 6.6.1.
        if !result.headerFields.contains(.date) { result.headerFields[.date] = HTTPDate.format(storedTime) }
        return result
    }

    private static let alwaysOfConnection = Set(
        [
            "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
            "proxy-connection",
            "te", "transfer-encoding", "upgrade",
        ].compactMap { HTTPField.Name($0) })

    /// Hop-by-hop fields (RFC 9110, section 7.6.1; RFC 9111, section 3.1).
    static func connectionFields(of fields: HTTPFields) -> Set<HTTPField.Name> {
        var names = alwaysOfConnection
        for field in fields where field.name == .connection {
            names.formUnion(
                field.value.split { $0 == "," || $0 == " " || $0 == "\t" }.compactMap { HTTPField.Name(String($0)) })
        }
        return names
    }
}
