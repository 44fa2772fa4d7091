// SPDX-License-Identifier: MIT

public import HTTPTypes
public import TransferModel

/// One request to one origin and its response, as a ``Transport`` executes it.
///
/// A transport decides nothing: it does not follow redirects, evaluate statuses, or repeat anything.
public struct Exchange: Sendable {
    public var url: TransferURL
    public var method: HTTPRequest.Method
    /// Sent as they are, in order. `Content-Length`, `Host` and `Connection` belong to the transport.
    public var fields = HTTPFields()
    public var body = Body.none
    public var authentication = Authentication.none
    /// Seconds for name, connection and TLS together.
    public var connectTimeout: Double
    /// Seconds in which no byte moved, either way. Off while paused.
    public var requestTimeout: Double
    /// Seconds from the moment when the peer has the whole request body to the head of the response. `nil`:
    /// ``requestTimeout`` applies.
    public var responseTimeout: Double?
    public var trust = TrustDemand.system
    /// `sha256//BASE64` of public keys; any of them satisfies.
    public var pins: [String] = []
    /// SHA-256 of certificates in DER; the server's own must be one of them. Empty: not checked.
    public var certificatePins: [[UInt8]] = []
    public var certificateAuthorities: String?
    /// What to show a server that asks for a certificate.
    public var clientIdentity: ClientIdentity?
    /// Whether a handshake in which the server asks for a certificate ends the exchange before its request, with cause
    /// ``ExchangeFailure/Cause/clientCertificateRequested``. A connection that is used again has none.
    public var reportsCertificateRequest = false
    /// The oldest TLS version to accept; `nil`: the TLS library's own limit.
    public var minimumTLS: TLSVersion?
    public var maximumTLS: TLSVersion?
    /// The proxy; `nil`: a direct connection, whatever the environment says.
    public var proxy: ProxyServer?
    /// `none`: the proxy's own credential, if it has one, as Basic or for SOCKS. `bearer` is refused.
    public var proxyAuthentication = Authentication.none
    /// Where connections begin: an interface's name (`eth0`, `if!eth0`) or an address of this machine (`192.0.2.1`,
    /// `host!192.0.2.1`).
    public var interface: String?
    /// New connections are made with Multipath TCP (RFC 8684) where the kernel has it, else with TCP. One that is used
    /// again stays what it is.
    public var usesMultipath = false
    /// Of the connection while this exchange has it. Exchanges that share one (HTTP/2) share the mark of the last to
    /// begin.
    public var serviceType = NetworkServiceType.default
    public var httpVersion = TransferOptions.HTTPVersion.automatic
    /// The server is believed to speak HTTP/3: it is tried first where libcurl can, and any other version if that
    /// fails.
    public var assumesHTTP3Capable = false
    /// Connect there instead of to the URL's host; the certificate must be that of the URL's host all the same (RFC
    /// 7838).
    public var alternative: Alternative?
    /// From 0 to 1: the share of a connection that HTTP/2 streams have against each other. `nil`: the usual one.
    public var priority: Double?
    /// The limit in bytes per second, each way.
    public var rateLimit: Int?
    /// Seconds: a connection made earlier is not used again. `nil`: any.
    public var maximumConnectionAge: Int?
    /// Seconds: an address that was found for a name earlier is not used again. `nil`: as long as the transport keeps
    /// them.
    public var maximumNameAge: Int?
    /// Never send on a connection that was used before: libcurl repeats a request silently when such a connection
    /// turns out dead, which only methods that may be repeated can bear.
    public var needsFreshConnection = false
    /// A connection that was used before and turns out dead ends the exchange with code `noResponse`, once some of the
    /// body was sent: the server may have it, and only its response was lost.
    package var sendsBodyOnce = false
    /// No other exchange uses the connection afterwards: it is closed.
    package var closesConnection = false
    /// A body in one of ``Transport/supportedCodings`` is delivered decoded. Its head describes what was received.
    public var decodesBody = false
    /// The digest to compute of the body while it passes, sent or received.
    public var digest: Checksum.Algorithm?
    /// A 2xx whose head comes before the peer has the whole body ends the exchange with
    /// ``ExchangeFailure/Cause/answeredEarly(status:)`` after the handler has been given the head. `false`: the body is
    /// sent on.
    public var endsWhenAnsweredEarly = false
    /// Makes the calls on the file of either body, if its file system may hang; `nil`: the transport makes them itself.
    package var lane: (any FileLane)?
    /// How the body goes into its file; `nil`: at its end.
    package var placement: BodyPlacement?
    /// A request under way that this exchange continues instead of sending its own.
    package var ticket: FetchTicket?
    /// Holds content back until it may be sent; `nil`: all may be sent.
    package var gate: BodyGate?

    public enum Body: Sendable, Equatable {
        case none
        case bytes([UInt8])
        /// `count` bytes of an open regular file from `offset` on. The descriptor stays the caller's and must stay open
        /// until the exchange has completed.
        case file(descriptor: Int32, offset: Int64, count: Int64)
        /// All that can be read from the descriptor until its end. Sent chunked on HTTP/1.1.
        case stream(descriptor: Int32)
    }

    /// Where the same service is to be had, over HTTP/3 first.
    public struct Alternative: Sendable, Hashable {
        /// Without brackets.
        public var host: String
        public var port: Int

        public init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }

    public enum Authentication: Sendable, Equatable {
        case none
        case basic(Credential)
        /// RFC 7616. Needs two requests, both within the exchange; the first has no body, its answer is not handed up.
        case digest(Credential)
        /// RFC 6750. Sent only to the origin, never to a tunneling proxy.
        case bearer(Secret)
        /// Authenticates a connection, which serves only this exchange. `DOMAIN\user` names a domain. Only HTTP/1.1.
        case ntlm(Credential)
        /// Kerberos with the tickets that the system holds (RFC 4559); as ``ntlm(_:)`` otherwise. May ask a key server,
        /// which holds up the transport's thread meanwhile.
        case negotiate
    }

    public init(url: TransferURL, method: HTTPRequest.Method, connectTimeout: Double = 30, requestTimeout: Double = 60)
    {
        self.url = url
        self.method = method
        self.connectTimeout = connectTimeout
        self.requestTimeout = requestTimeout
    }

    /// How long nothing may move, and how the exchange ends then.
    /// - Parameter awaitsResponse: the peer has the whole body, and has sent no head.
    package func silence(awaitsResponse: Bool) -> (seconds: Double, cause: ExchangeFailure.Cause) {
        guard awaitsResponse, body != .none, let responseTimeout else {
            return (requestTimeout, .requestTimeout(seconds: requestTimeout))
        }
        return (responseTimeout, .responseTimeout(seconds: responseTimeout))
    }
}

/// Names one exchange of one transport.
public struct ExchangeID: Hashable, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The destination of a response body, decided once, when its head arrives.
public enum BodyDisposition: Sendable, Equatable {
    /// Read it and discard it.
    case discard
    /// Handed to ``ExchangeHandler/exchange(_:didReceive:)-(_,UnsafeRawBufferPointer)``.
    case deliver
    /// Written to a regular file from `offset` on. The caller owns the descriptor. Disk space is reserved up to
    /// `expectedEnd` first, without changing the file's length, so that a full disk is detected immediately.
    case file(descriptor: Int32, offset: Int64, expectedEnd: Int64?)
    /// Written in order to a pipe or the like; waits while that is full.
    case stream(descriptor: Int32)
    /// Read nothing until ``Transport/decide(_:_:)`` is called.
    case hold
    /// The exchange ends here with ``ExchangeFailure/Cause/aborted``.
    case abort
}

/// The byte counts of an exchange.
public struct ExchangeProgress: Sendable, Equatable {
    /// Body bytes received and stored.
    public var received: Int64 = 0
    /// Body bytes sent: on TCP those that the peer's kernel has acknowledged.
    public var sent: Int64 = 0

    public init(received: Int64 = 0, sent: Int64 = 0) {
        self.received = received
        self.sent = sent
    }
}

/// Why an exchange ended before its response was complete.
public struct ExchangeFailure: Error, Sendable, Equatable {
    public enum Cause: Sendable, Equatable {
        /// The transport failed. `errno` of the failed call, 0 if unknown; `number` is the transport library's own.
        case transport(TransferError.Code, errno: Int32 = 0, number: Int32? = nil)
        case requestTimeout(seconds: Double)
        /// The peer had the whole body of the request. See ``Exchange/responseTimeout``.
        case responseTimeout(seconds: Double)
        case connectTimeout(seconds: Double)
        /// An option of this exchange is not supported; nothing was sent. `problem` or `detail` names it, for the user.
        case misconfigured(TransferError.Code)
        /// The proxy answered CONNECT with this; fields such as `Proxy-Authenticate` say more.
        case proxyRefused(HTTPResponse)
        /// The SOCKS proxy made no connection; nothing was sent.
        case proxyFailed(ProxyFailure)
        /// The connection stands, nothing was sent: someone has to say whether this server is trusted. See
        /// ``TrustDemand``.
        case trustUndecided(ServerTrust)
        /// The server's own certificate is none of ``Exchange/certificatePins``; nothing was sent.
        case certificatePinMismatch
        /// The server asked for a certificate of the client in the handshake, and may do without; nothing was sent. See
        /// ``Exchange/reportsCertificateRequest``.
        case clientCertificateRequested
        /// The server wants a certificate of the client, and ``Exchange/clientIdentity`` had none.
        case clientCertificateRequired
        /// The server does not accept ``Exchange/clientIdentity``; `detail` holds its reason.
        case clientCertificateRefused
        case cannotWrite(errno: Int32)
        case cannotRead(errno: Int32)
        /// A call on the body's file had no result.
        case file(TransferError)
        /// The source held fewer bytes than were announced.
        case sourceShrank
        /// A 2xx came before the peer had the whole body. See ``Exchange/endsWhenAnsweredEarly``.
        case answeredEarly(status: Int)
        /// A response's head or trailers, the server's or the proxy's, have more fields or bytes than the transport
        /// takes.
        case headTooLarge
        /// The content of a 206 is longer than its `Content-Range` (RFC 9110, section 15.3.7). What is too much may be
        /// in front: none of it counts as received, and what its file has of it is to be removed.
        case rangeExceeded
        /// The handler answered ``BodyDisposition/abort``.
        case aborted
        case cancelled
    }

    public var cause: Cause
    /// The transport's reason as the end of a sentence; empty if the cause suffices.
    public var detail: String
    /// Of a certificate that the system does not trust, as far as the transport can tell.
    public var certificate: CertificateProblem?
    /// The reason as a value, instead of ``detail``.
    package var problem: TransferProblem?

    public init(_ cause: Cause, detail: String = "", certificate: CertificateProblem? = nil) {
        self.cause = cause
        self.detail = detail
        self.certificate = certificate
    }

    package init(
        _ cause: Cause, detail: String = "", certificate: CertificateProblem? = nil, problem: TransferProblem?
    ) {
        self.init(cause, detail: detail, certificate: certificate)
        self.problem = problem
    }
}

/// How an exchange ended.
public struct ExchangeOutcome: Sendable {
    /// `nil`: the response is complete as far as HTTP's framing shows.
    public var failure: ExchangeFailure?
    public var progress: ExchangeProgress
    /// Bytes of the request body that libcurl took; at least `progress.sent`.
    public var bodyHandedOver: Int64
    /// The final head came before the peer had all of the request body. The peer has it once the transport has sent it
    /// and, on TCP, the peer's kernel has acknowledged it.
    public var hasEarlyResponse: Bool
    /// Of ``Exchange/digest``; `nil` if not requested, or the body did not pass completely and in order.
    public var digest: [UInt8]?
    public var metrics: ExchangeMetrics
    public var trailers: HTTPFields

    public init(
        failure: ExchangeFailure? = nil, progress: ExchangeProgress = .init(), bodyHandedOver: Int64 = 0,
        hasEarlyResponse: Bool = false, digest: [UInt8]? = nil, metrics: ExchangeMetrics = .init(),
        trailers: HTTPFields = [:]
    ) {
        self.failure = failure
        self.progress = progress
        self.bodyHandedOver = bodyHandedOver
        self.hasEarlyResponse = hasEarlyResponse
        self.digest = digest
        self.metrics = metrics
        self.trailers = trailers
    }
}

/// What the transport measured of one exchange. Times are seconds from its start; `nil` for a stage that did not take
/// place.
public struct ExchangeMetrics: Sendable, Equatable {
    /// Seconds since 1970 at the start; `nil` for an exchange that never started.
    public var began: Double?
    public var nameLookup: Double?
    public var connect: Double?
    public var tls: Double?
    /// When the request began to be sent.
    public var requestSent: Double?
    /// When the last byte of the body was taken; `nil` without one.
    public var bodySent: Double?
    public var firstByte: Double?
    public var total: Double = 0
    /// Of the last head; `nil` without one.
    public var status: Int?
    public var protocolName: String?
    public var remoteAddress: String?
    public var remotePort: Int?
    public var localAddress: String?
    public var localPort: Int?
    public var tlsVersion: String?
    public var tlsCipher: String?
    public var isReusedConnection = false
    public var isProxyConnection = false
    public var isMultipath = false
    /// Bytes as ``TransferModel/TransactionMetrics`` counts them.
    public var requestHeaderBytes: Int64 = 0
    public var requestBodyBytesSent: Int64 = 0
    public var responseHeaderBytes: Int64 = 0
    public var responseBodyBytesReceived: Int64 = 0

    public init() {}
}
