// SPDX-License-Identifier: MIT

public import HTTPTypes
public import TransferModel

/// Asking whether a stored answer still holds (RFC 9111, section 4.3).
extension CachedResponse {
    public var validator: Validator { Validator(head.headerFields) }

    /// Fields that describe the stored body and that a 304 leaves as they are (RFC 9111, section 3.2).
    private static let keptFields: Set<HTTPField.Name> = [.contentEncoding, .contentLength, .contentRange]

    /// The answer as a 304 confirms it: its fields replace those of the same name (RFC 9111, section 4.3.4).
    ///
    /// - Parameters:
    ///   - head: the answer to `request` with the fields of ``CacheDecision/revalidate(_:)``.
    ///   - request: without those fields.
    /// - Returns: what to use and to store in place of this; `nil` where the head is no 304, or one of another version
    ///   than is stored: remove what is stored and load.
    public func freshened(
        by head: HTTPResponse, for request: CacheRequest, requestTime: Int64, storedTime: Int64
    )
        -> CachedResponse?
    {
        guard head.status.code == 304, isConfirmed(by: Validator(head.headerFields)) else { return nil }
        let dropped = Self.connectionFields(of: head.headerFields).union(Self.keptFields)
        let news = head.headerFields.filter { !dropped.contains($0.name) }
        // Date and age are those of this exchange, or unknown; the old ones would make the answer older than it is.
        let replaced = Set(news.map(\.name)).union([.date, .age])
        var merged = self.head
        merged.headerFields = HTTPFields(self.head.headerFields.filter { !replaced.contains($0.name) } + news)
        var result = CachedResponse(
            answering: request, head: merged, body: body, requestTime: requestTime,
            storedTime: storedTime)
        if storagePolicy == .allowedInMemoryOnly, result.storagePolicy == .allowed {
            result.storagePolicy = .allowedInMemoryOnly
        }
        return result
    }

    /// A 304 that names no validator speaks of the only one that was asked about.
    private func isConfirmed(by theirs: Validator) -> Bool {
        let mine = validator
        guard let tag = theirs.entityTag else {
            guard let date = theirs.lastModified, let known = mine.lastModified else { return true }
            return date == known
        }
        guard let known = mine.entityTag else { return false }
        // Servers that compress weaken a tag on the way; a strong one speaks of exactly its own version.
        return tag == known || tag.hasPrefix("W/") && tag.dropFirst(2) == known
    }
}
