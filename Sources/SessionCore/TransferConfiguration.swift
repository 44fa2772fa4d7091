// SPDX-License-Identifier: MIT

public import HTTPTypes
public import TransferModel

/// What all tasks of a session share. Copied when the session is made; a request's own options go before it.
public struct TransferConfiguration: Sendable {
    // MARK: Time

    /// Seconds for name, connection and TLS together.
    public var connectTimeout: Double = 30
    /// Seconds in which no byte moved, either way (`timeoutIntervalForRequest`).
    public var requestTimeout: Double = 60
    /// Seconds for a whole task (`timeoutIntervalForResource`); seven days.
    public var resourceTimeout: Double = 7 * 86_400
    /// Whether a task waits for a network that can carry it instead of failing at once for want of one. Needs a
    /// ``pathMonitor``.
    public var waitsForConnectivity = false
    /// Seconds for which a suspended task holds its connection, where it can come back without it.
    public var suspensionGrace: Double = 15

    // MARK: Requests

    public var maximumRedirects = 20
    /// Whether a redirect may lead from https to http, as `URLSession` follows it; secrets stay behind as at any other
    /// origin, the body of an upload does not. `false`: the task fails with code `other`. A request's `allowsDowngrade`
    /// goes before it.
    public var allowsDowngradeRedirects = true
    /// The file with logins that are used where a server asks for one and the request has none. `nil`: what `$NETRC`
    /// names, else `~/.netrc`.
    public var netrcFile: String?
    public var userAgent = "fileq/\(ProgramVersion.current)"
    /// Added to every request; a request's own field of the same name replaces it.
    public var additionalFields = HTTPFields()
    /// How requests use ``cache`` that say nothing of their own.
    public var cachePolicy = CachePolicy.useProtocolCachePolicy

    /// Whether data tasks ask for compressed bodies (gzip, brotli, zstd, as libcurl has them) and get them decoded, as
    /// `URLSession` does. The response's head then has neither `Content-Encoding` nor `Content-Length`, and the body
    /// cannot be resumed by range after a long suspension. Files are never asked for so: their bytes are the server's.
    /// A request that names a range is not either.
    public var decodesBodies = false

    /// Whether an upload ends with ``TransferModel/TransferError/Code/sendFailed`` as soon as a 2xx comes before the
    /// server has the whole body: whoever sent that response has not stored the file. `false`, as `URLSession` has it:
    /// the body is sent on, and the status is the result; see ``UploadTask/isAnsweredEarly``.
    public var endsUploadsAnsweredEarly = false

    // MARK: Connections

    /// Exchanges with one host that run at once (`httpMaximumConnectionsPerHost`). A host that speaks HTTP/2 takes 100
    /// on one connection.
    public var maximumConnectionsPerHost = 6
    /// Exchanges of the whole session that run at once.
    public var maximumConcurrentExchanges = 256
    /// At first what the environment of the process says.
    public var proxy = ProxyPolicy.Configuration.processEnvironment
    /// Whether a delegate that decides on challenges is asked about certificates that the system accepts too, as
    /// `URLSession` does. It costs one more handshake for each server; `false`: it is asked only about those that the
    /// system refuses.
    public var challengesTrustedServers = true
    public var minimumTLSVersion = TLSVersion.tls12
    public var maximumTLSVersion: TLSVersion?
    /// Whether connections may use several paths at once (RFC 8684), where kernel and server do. A request's own goes
    /// before it.
    public var multipathServiceType = MultipathServiceType.none
    /// What the packets say of their urgency.
    public var networkServiceType = NetworkServiceType.default
    /// The network interface, such as `wlan0`, that all connections go out by.
    public var interface: String?

    // MARK: The network

    /// Whether mobile networks may be used.
    public var allowsCellularAccess = true
    /// Whether networks may be used whose use may cost money (`allowsExpensiveNetworkAccess`).
    public var allowsExpensiveNetworkAccess = true
    /// Whether networks may be used whose owner wants little traffic on them (`allowsConstrainedNetworkAccess`).
    public var allowsConstrainedNetworkAccess = true
    /// What knows the network. `nil`: nothing does; then every network may be used, and a task fails where no server
    /// can be reached, whatever ``waitsForConnectivity`` says, unless it is the name server that is silent. The
    /// ready-made sessions of `FileQTransfer` have the system's, `LazyLinkMonitor.shared`.
    public var pathMonitor: (any NetworkPathMonitor)?

    /// Asks the resolver about a name; blocks. For tests to replace.
    var nameCheck: @Sendable (String) -> NameAnswer = { NameCheck.ask($0) }

    // MARK: What is remembered

    /// Cookies received and sent. `nil`: none (`httpCookieStorage`, `httpShouldSetCookies`). Its accept policy goes
    /// with it.
    public var cookieStorage: CookieStorage?
    /// The cookie files that requests may name.
    public var cookieJars: CookieJars?
    public var credentialStorage: CredentialStorage?
    /// Server keys that somebody has accepted against the system's judgement.
    public var trustStore: TrustStore?
    /// Hosts that want TLS always (RFC 6797).
    public var transportSecurity: TransportSecurityStore?
    /// Hosts that can be reached by HTTP/3 (RFC 7838).
    public var alternativeServices: AlternativeServiceStore?
    /// Answers that need not be fetched again. `nil`: none (`urlCache`).
    public var cache: ResponseCache?

    /// Where downloads go that name no file. `nil`: `$TMPDIR`, else `/tmp`.
    public var temporaryFolder: String?

    // MARK: Background sessions

    /// Names a background session: another process carries its transfers, and a session of a later run that is made
    /// with the same name goes on with them (`background(withIdentifier:)`). Percent-encoded it has 1…200 bytes. `nil`:
    /// the transfers are this process's.
    public var identifier: String?
    /// Whether the transfers of a background session start only on a network that costs nothing, while nothing else of
    /// the queue runs.
    public var isDiscretionary = false

    public init() {}

    /// What a background session is made with. Of all else the service has its own: cookies, credentials, keys, cache,
    /// proxies, TLS versions, and what it may do at once. It always waits for connectivity.
    public static func background(_ identifier: String) -> TransferConfiguration {
        var configuration = TransferConfiguration()
        configuration.identifier = identifier
        configuration.waitsForConnectivity = true
        return configuration
    }
}
