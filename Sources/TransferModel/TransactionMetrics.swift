// SPDX-License-Identifier: MIT

/// What one exchange of a transfer cost: one request, one response (`URLSessionTaskTransactionMetrics`).
///
/// Times are seconds since 1970 and rise in the order in which they stand here. A stage that did not take place has
/// none: a connection that was used again knows no lookup, no connect and no TLS.
public struct TransactionMetrics: Sendable, Hashable, Codable {
    /// Where the response came from.
    public enum FetchType: String, Sendable, Hashable, Codable { case networkLoad, localCache }

    public var method: String
    /// Without user information, and with `…` for secrets in the query (``TransferURL/displayed(_:)``).
    public var url: String
    /// The status of the last response head; `nil` if none came.
    public var status: Int?
    public var fetchType = FetchType.networkLoad

    /// When the transport was handed the request.
    public var fetchStart: Double?
    public var domainLookupStart: Double?
    public var domainLookupEnd: Double?
    public var connectStart: Double?
    /// Part of the connect: between TCP's connection (QUIC: its start) and ``connectEnd``. Includes the request for a
    /// proxy tunnel.
    public var secureConnectionStart: Double?
    public var secureConnectionEnd: Double?
    /// TLS included.
    public var connectEnd: Double?
    public var requestStart: Double?
    /// When the transport took the last byte of the body; ``requestStart`` if there was none.
    public var requestEnd: Double?
    /// The first byte of the first response, an informational one too.
    public var responseStart: Double?
    public var responseEnd: Double?

    /// ALPN's name: `http/1.1`, `h2`, `h3`; `http/1.0`.
    public var protocolName: String?
    public var isReusedConnection = false
    /// Whether it went through a proxy. Before libcurl 8.7 that follows from the proxy's response to CONNECT, and
    /// without TLS from a port that is not the address's own.
    public var isProxyConnection = false
    /// Multipath TCP that both ends speak.
    public var isMultipath = false
    /// An IP address without brackets; the proxy's if there is one.
    public var remoteAddress: String?
    public var remotePort: Int?
    public var localAddress: String?
    public var localPort: Int?
    /// As the TLS library calls it, such as `TLSv1.3` or `TLS1.3`.
    public var tlsVersion: String?
    public var tlsCipher: String?

    /// Request heads in bytes, as HTTP/1 writes them: HTTP/2 and 3 send fewer. With what a proxy was asked.
    public var requestHeaderBytes: Int64 = 0
    /// Body bytes that the transport took, repeats included. Without the framing of chunks, streams and TLS.
    public var requestBodyBytesSent: Int64 = 0
    /// The body's own bytes that were handed over.
    public var requestBodyBytes: Int64 = 0
    /// Response heads in bytes, informational ones and those of a proxy included.
    public var responseHeaderBytes: Int64 = 0
    public var responseBodyBytesReceived: Int64 = 0
    /// Body bytes that were stored or handed on.
    public var responseBodyBytes: Int64 = 0

    public init(method: String, url: TransferURL) {
        self.method = method
        self.url = url.displayString
    }

    /// From a record.
    /// - Parameter shownURL: ``url`` as it was recorded.
    public init(method: String, shownURL: String) {
        self.method = method
        url = shownURL
    }
}

extension TransferMetrics {
    /// The number of transactions stored of a long chain, at its start and at its end each.
    package static let storedTransactions = 50

    /// Adds one at the end. Of very many the first and the last ``storedTransactions`` stay; `exchanges` counts all.
    package mutating func append(_ transaction: TransactionMetrics) {
        if transactions.count >= 2 * Self.storedTransactions { transactions.remove(at: Self.storedTransactions) }
        transactions.append(transaction)
    }

    /// Takes in what attempts before this one cost: sums are added, their transactions stand first, and the interval
    /// begins with the first of them. Times of the last exchange stay as they are.
    package mutating func include(earlier: TransferMetrics) {
        exchanges += earlier.exchanges
        redirects += earlier.redirects
        bodyReceived += earlier.bodyReceived
        bodySent += earlier.bodySent
        taskStart = earlier.taskStart ?? taskStart
        let own = transactions
        transactions = earlier.transactions
        own.forEach { append($0) }
    }
}
