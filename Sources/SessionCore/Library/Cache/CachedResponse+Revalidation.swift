// SPDX-License-Identifier: MIT

package import HTTPTypes
package import TransferModel

/// Validation of a stored response (RFC 9111, section 4.3).
extension CachedResponse {
    package var validator: Validator { Validator(head.headerFields) }

    /// Fields of the stored body that a 304 does not change (RFC 9111, section 3.2).
    private static let storedFields: Set<HTTPField.Name> = [.contentEncoding, .contentLength, .contentRange]

    /// The response updated by a 304: its fields replace those of the same name (RFC 9111, section 4.3.4).
    ///
    /// - Parameters:
    ///   - head: the response to `request` with the fields of ``CacheDecision/revalidate(_:)``.
    ///   - request: without those fields.
    /// - Returns: the response to use and store; `nil` if the head is not a 304, or of another version: remove the
    ///   stored response and load again.
    package func freshened(
        by head: HTTPResponse, for request: CacheRequest, requestTime: Int64, storedTime: Int64
    )
        -> CachedResponse?
    {
        guard head.status.code == 304, isConfirmed(by: Validator(head.headerFields)) else { return nil }
        let dropped = Self.connectionFields(of: head.headerFields).union(Self.storedFields)
        let news = head.headerFields.filter { !dropped.contains($0.name) }
        // Date and age are those of this exchange, or unknown; the old ones would make the response too old.
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

    /// A 304 without validator refers to the only one requested.
    private func isConfirmed(by theirs: Validator) -> Bool {
        let mine = validator
        guard let tag = theirs.entityTag else {
            guard let date = theirs.lastModified, let known = mine.lastModified else { return true }
            return date == known
        }
        guard let known = mine.entityTag else { return false }
        // Compressing servers weaken entity tags; a strong one identifies exactly its own version.
        return tag == known || tag.hasPrefix("W/") && tag.dropFirst(2) == known
    }
}
