// SPDX-License-Identifier: MIT

/// One request, for a log. Nothing in it opens anything: of links and uploads the path has only the beginning of their
/// IDs, and never a query.
package struct RequestRecord: Sendable, Equatable {
    /// When the request arrived, in seconds since 1970.
    package var time: Double
    /// The address; behind a proxy, that of the proxy.
    package var client: String
    /// As the path, printable ASCII without spaces.
    package var method: String
    /// Percent-encoded, as it was requested.
    package var path: String
    /// `nil` if the connection broke before there was a response.
    package var status: Int?
    /// Where the response says that the content is now.
    package var stored: String?
    /// Bytes of content, received and sent.
    package var received: Int64
    package var sent: Int64
    package var seconds: Double
    /// Whether the response was sent to its end.
    package var isComplete: Bool

    package init(
        time: Double, client: String, method: String, path: String, status: Int? = nil, stored: String? = nil,
        received: Int64 = 0, sent: Int64 = 0, seconds: Double = 0, isComplete: Bool = false
    ) {
        (self.time, self.client, self.method, self.path) = (time, client, method, path)
        (self.status, self.stored, self.received, self.sent) = (status, stored, received, sent)
        (self.seconds, self.isComplete) = (seconds, isComplete)
    }
}
