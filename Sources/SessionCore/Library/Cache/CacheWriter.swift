// SPDX-License-Identifier: MIT

package import HTTPTypes

/// Collects a response until it can be stored.
///
/// Stops silently when the body exceeds the limit: the response is then not stored.
package struct CacheWriter: Sendable {
    private let request: CacheRequest
    private let head: HTTPResponse
    private let requestTime: Int64
    private let storedTime: Int64
    private let limit: Int
    private var body: [UInt8] = []
    package private(set) var hasGivenUp = false

    /// - Parameters:
    ///   - storedTime: when the head was received; seconds since 1970.
    ///   - limit: bytes of body; see ``ResponseCache/entryLimit``.
    /// - Returns: `nil` if the response may not be stored, or declares more than `limit`.
    package init?(
        answering request: CacheRequest, head: HTTPResponse, requestTime: Int64, storedTime: Int64, limit: Int
    ) {
        guard CachedResponse.storagePolicy(of: head, answering: request) != .notAllowed else { return nil }
        let announced = ResumePolicy.bodyLength(head)
        if let announced, announced > Int64(limit) { return nil }
        self.request = request
        self.head = head
        self.requestTime = requestTime
        self.storedTime = storedTime
        self.limit = limit
        if let announced { body.reserveCapacity(Int(announced)) }
    }

    /// Appends body bytes.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        guard !hasGivenUp else { return }
        guard bytes.count <= limit - body.count else {
            hasGivenUp = true
            body = []
            return
        }
        body.append(contentsOf: bytes)
    }

    /// The response, after a complete body.
    /// - Returns: `nil` if it has stopped, or the body does not have the declared length.
    package func finished() -> CachedResponse? {
        guard !hasGivenUp, ResumePolicy.bodyLength(head).map({ $0 == Int64(body.count) }) ?? true else { return nil }
        return CachedResponse(
            answering: request, head: head, body: body, requestTime: requestTime, storedTime: storedTime)
    }
}
