// SPDX-License-Identifier: MIT

public import HTTPTypes
public import TransferModel

/// Settings shared by all tasks of a session. Copied when the session is created; a request's own options take
/// precedence.
public struct TransferConfiguration: Sendable {
    // MARK: Time

    /// Seconds for name resolution, connection and TLS together.
    public var connectTimeout: Double = 30
    /// Seconds without any byte in either direction (`timeoutIntervalForRequest`).
    public var requestTimeout: Double = 60
    /// Seconds from the last byte of a request's body to the head of the response, for requests with neither timeout.
    /// `nil`: ``requestTimeout``, as in `URLSession`.
    package var responseTimeout: Double?
    /// Seconds for a whole task (`timeoutIntervalForResource`); seven days.
    public var resourceTimeout: Double = 7 * 86_400
    /// Whether a task waits for connectivity instead of failing immediately. Needs a ``pathMonitor``.
    public var waitsForConnectivity = false
    /// Seconds for which a suspended task keeps its connection, if it can resume without it.
    public var suspensionGrace: Double = 15

    // MARK: Requests

    public var maximumRedirects = 20
    /// Whether redirects from https to http are followed, as `URLSession` does; secrets are dropped as for any other
    /// origin, and so is the body of an upload. `false`: the task fails with code `other`. A request's
    /// `allowsDowngrade` takes precedence.
    public var allowsDowngradeRedirects = true
    /// The file with logins for servers that ask for one when the request has none. `nil`: the file named by `$NETRC`,
    /// else `~/.netrc`.
    public var netrcFile: String?
    public var userAgent = "fileq/\(ProgramVersion.current)"
    /// Added to every request; a request's own field of the same name replaces it.
    public var additionalFields = HTTPFields()
    /// The cache policy of requests without their own.
    public var cachePolicy = CachePolicy.useProtocolCachePolicy

    /// Whether data tasks accept compressed bodies (gzip, brotli, zstd, as libcurl supports) and deliver them decoded,
    /// as `URLSession` does. The response's head then has neither `Content-Encoding` nor `Content-Length`, and the body
    /// cannot be resumed by range after a long suspension. Never for files, whose bytes are the server's, nor for
    /// requests with a range.
    public var decodesBodies = false

    /// Whether an upload ends with ``TransferModel/TransferError/Code/sendFailed`` as soon as a 2xx arrives before the
    /// server has the whole body: the sender of that response has not stored the file. `false`, as in `URLSession`: the
    /// rest of the body is sent, and the status is the result; see ``UploadTask/hasEarlyResponse``. But of a body above
    /// 1 MiB nothing is sent if the final response comes instead of `100 Continue`, which the transport waits for.
    public var endsUploadsOnEarlyResponse = false

    /// By which protocol uploads from files and memory may be resumed, in the same task after a wait for the network or
    /// a long suspension, and in another task by ``UploadTask/resumeData``. `auto`: the one that the server announces,
    /// for 1 MiB and more; each server is asked once, and again after 15 minutes. `ietf` also offers the IETF draft to
    /// servers that announce nothing, as `URLSession` does. Streams are sent without a protocol.
    ///
    /// tus creates files in folders: a `PUT` to `/folder/name` creates `name` in `/folder/`; any other method creates
    /// the file at the address itself.
    public var uploadResumption = UploadResumption.never

    // MARK: Connections

    /// Concurrent exchanges with one host (`httpMaximumConnectionsPerHost`). A host that supports HTTP/2 gets 100 on
    /// one connection.
    public var maximumConnectionsPerHost = 6
    /// Concurrent exchanges of the whole session.
    public var maximumConcurrentExchanges = 256
    /// The proxies. Default: those of the process's environment.
    public var proxy = ProxyPolicy.Configuration.processEnvironment
    /// Whether a delegate that decides challenges also receives those for certificates that the system accepts, as in
    /// `URLSession`. It costs one more handshake per server; `false`: only for certificates that the system rejects.
    public var challengesTrustedServers = true
    public var minimumTLSVersion = TLSVersion.tls12
    public var maximumTLSVersion: TLSVersion?
    /// Whether connections may use several paths at once (RFC 8684), if kernel and server support it. A request's own
    /// setting takes precedence.
    public var multipathServiceType = MultipathServiceType.none
    /// The traffic class of the packets.
    public var networkServiceType = NetworkServiceType.default
    /// The network interface for all connections, such as `wlan0`.
    public var interface: String?

    // MARK: The network

    /// Whether mobile networks may be used.
    public var allowsCellularAccess = true
    /// Whether networks may be used that may cost money (`allowsExpensiveNetworkAccess`).
    public var allowsExpensiveNetworkAccess = true
    /// Whether networks may be used whose owner wants little traffic (`allowsConstrainedNetworkAccess`).
    public var allowsConstrainedNetworkAccess = true
    /// Monitors the network. `nil`: none; then every network may be used, and a task fails if no server can be reached,
    /// whatever ``waitsForConnectivity`` is, except while the name server does not respond. The ready-made sessions of
    /// `FileQTransfer` have the system's, `LazyLinkMonitor.shared`.
    public var pathMonitor: (any NetworkPathMonitor)?

    /// Asks the resolver whether a name exists. Blocks. Tests replace it.
    var nameCheck: @Sendable (String) -> NameAnswer = { NameCheck.ask($0) }

    // MARK: What is remembered

    /// Cookies received and sent, with the accept policy. `nil`: none (`httpCookieStorage`, `httpShouldSetCookies`).
    public var cookieStorage: CookieStorage?
    /// The cookie files that requests may name.
    public var cookieJars: CookieJars?
    /// Without ``cookieStorage``: what a response sets is sent with the requests that follow in the same task (after a
    /// redirect, say), and forgotten with it. Needs ``cookieJars``.
    package var keepsCookiesWithinTasks = false
    public var credentialStorage: CredentialStorage?
    /// Server keys that the user accepted although the system does not.
    public var trustStore: TrustStore?
    /// Hosts that require TLS (RFC 6797).
    public var transportSecurity: TransportSecurityStore?
    /// Hosts that support HTTP/3 (RFC 7838).
    public var alternativeServices: AlternativeServiceStore?
    /// Cached responses. `nil`: none (`urlCache`).
    public var cache: ResponseCache?

    /// The folder of downloads without a file name. `nil`: `$TMPDIR`, else `/tmp`.
    public var temporaryFolder: String?

    // MARK: Background sessions

    /// The name of a background session: the service runs its transfers, and a session with the same name in a later
    /// process continues them (`background(withIdentifier:)`). Percent-encoded it has 1…200 bytes. `nil`: transfers run
    /// in this process.
    public var identifier: String?
    /// Whether the transfers of a background session start only on a network free of cost, while nothing else of the
    /// queue runs.
    public var isDiscretionary = false

    public init() {}

    /// The configuration of a background session. Everything else is the service's: cookies, credentials, keys, cache,
    /// proxies, TLS versions and concurrency. It always waits for connectivity.
    public static func background(_ identifier: String) -> TransferConfiguration {
        var configuration = TransferConfiguration()
        configuration.identifier = identifier
        configuration.waitsForConnectivity = true
        return configuration
    }
}
