// SPDX-License-Identifier: MIT

public import HTTPTypes

/// The options that downloads and uploads share.
///
/// Each option is declared here alone: its stored and its sent form follow from the declaration. An option is therefore
/// optional or wrapped, and its name is its JSON key, which never changes. Values of clients are checked in
/// `TransferControl` (`Spec.checkForService`).
public struct TransferOptions: Sendable, Hashable, Codable {
    /// Overrides GET, PUT or POST.
    @Text public var method: HTTPRequest.Method?
    @OrEmpty public var headers: [HTTPField]
    /// `NAME=VALUE` pairs, sent to the URL's origin only.
    @OrEmpty public var cookies: [Cookie]
    /// The address of the page that links here, sent to the URL's origin only: it may hold a key.
    public var referer: Secret?
    /// The `User-Agent` field, unless ``headers`` has one; `nil`: as the session does.
    public var userAgent: String?
    /// A Netscape cookie file: read before, written after. One run shares one jar.
    public var cookieJar: String?
    /// The login for the URL's origin.
    public var login: Credential?
    /// Look the host up in `~/.netrc` (or `$NETRC`) when the server asks for a login and no credential is given.
    @Default<Usual.True> public var usesNetrc: Bool
    /// Seconds until a connection must stand. `nil`: 30.
    public var connectTimeout: Double?
    /// Seconds without any byte, either way. `nil`: 60.
    public var requestTimeout: Double?
    /// Seconds from the last byte of a request's body to the head of the response. `nil`: ``requestTimeout`` if that is
    /// given; else as the session does.
    public var responseTimeout: Double?
    /// Seconds for the whole transfer, retries and waiting included. `nil`: seven days.
    public var resourceTimeout: Double?
    /// Tries after transient failures. `nil`: until the resource timeout.
    package var retries: Int?
    /// The most seconds that a server may ask to wait before another attempt (`Retry-After`); more than that fails.
    /// `nil`: until the resource timeout.
    package var maximumRetryWait: Double?
    /// Bytes a second; `nil`: unlimited.
    public var rateLimit: Int?
    /// The most connections of one transfer, for different parts of its file; `nil`: 4, but 1 for an upload by tus. A
    /// download gets more than one only from a server that takes ranges of one version, and only as many as raise the
    /// rate; an upload only to S3, and by tus to a server that joins parts.
    package var connections: Int?
    /// Redirects that are followed; one more fails with `tooManyRedirects`. `nil`: as the session does.
    public var maximumRedirects: Int?
    /// `sha256//BASE64` public key pins; any of them satisfies. Enforced on every origin.
    @OrEmpty public var pins: [String]
    /// SHA-256 of certificates in DER; the server's own must be one of them. Enforced on every origin.
    @OrEmpty public var certificatePins: [[UInt8]]
    /// For servers that demand a client certificate; only for the original origin.
    public var clientIdentity: ClientIdentity?
    /// A PEM file of certificate authorities, instead of the system's.
    public var certificateAuthorities: String?
    @Default<HTTPVersion.Usual> public var httpVersion: HTTPVersion
    /// The server is believed to speak HTTP/3: it is tried first where libcurl can.
    @Default<Usual.False> public var assumesHTTP3Capable: Bool
    /// The network interface that connections go out by; `nil`: the session's.
    public var interface: String?
    /// Use several paths; `nil`: the session's default.
    public var multipath: MultipathServiceType?
    /// Wait for connectivity instead of failing immediately; `nil`: the session's default.
    public var waitsForConnectivity: Bool?
    /// `false`: never over a mobile network, one that costs money, or one whose owner wants little traffic; `nil`: as
    /// the session allows.
    public var allowsCellular: Bool?
    public var allowsExpensive: Bool?
    public var allowsConstrained: Bool?
    /// Use any network, whatever it costs: the three above do not count.
    @Default<Usual.False> public var liftsRestrictions: Bool
    /// Permission bits that a downloaded file does not get (umask(2)); `nil`: those of the process that downloads it.
    package var umask: Int?
    /// Follow redirects from https to http; `nil`: as the session does.
    public var allowsDowngrade: Bool?
    /// How stored responses are used; `nil`: as the session does.
    public var cachePolicy: CachePolicy?
    /// 0…1: the highest starts first; also the weight of an HTTP/2 stream.
    @Default<MediumPriority> public var priority: Double

    public init() {}

    /// Takes away what is for one origin and may be a secret, as a redirect to another origin does (RFC 6454).
    /// - Returns: what went beside headers, cookies, login and certificate, which callers name in their own words.
    package mutating func leaveOrigin() -> [String] {
        headers.removeAll { !$0.name.isImpersonal }
        (cookies, login, clientIdentity) = ([], nil, nil)
        guard referer != nil else { return [] }
        referer = nil
        return ["referer"]
    }

    /// ``login`` by its other name.
    public var credential: Credential? {
        get { login }
        set { login = newValue }
    }

    /// The newest version that is tried; a server that has no more is met with an older one.
    public enum HTTPVersion: String, Sendable, Hashable, Codable {
        case automatic, http1 = "1.1", http2 = "2", http3 = "3"

        public enum Usual: UsualValue { public static var value: HTTPVersion { .automatic } }
    }

    /// Half of what there is.
    public enum MediumPriority: UsualValue { public static var value: Double { 0.5 } }
}

// MARK: JSON of what is not Codable, or not so

/// A name and a value, which is a secret unless the name is impersonal.
extension HTTPField: ListElement {
    public var form: HeaderForm { HeaderForm(name: name.rawName, value: Secret(value), isOpen: name.isImpersonal) }

    /// - Throws: code `usage` for a name or a value that would break the lines of a head (RFC 9110, section 5).
    public init(form: HeaderForm) throws {
        var options = TransferOptions()
        try options.addHeader(name: form.name, value: form.value.value)
        self = options.headers[0]
    }
}

/// A header field in JSON.
public struct HeaderForm: Codable {
    var name: String
    var value: Secret
    /// Not of the JSON: whether the value is no secret.
    var isOpen = false

    private enum CodingKeys: CodingKey { case name, value }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        if isOpen {
            try container.encode(value.value, forKey: .value)
        } else {
            try container.encode(value, forKey: .value)
        }
    }
}

/// Hexadecimal digits.
extension Array: ListElement where Element == UInt8 {
    public var form: String { Hex.encode(self) }

    public init(form: String) throws {
        guard let bytes = Hex.decode(form) else {
            throw TransferError(.specCertificatePin)
        }
        self = bytes
    }
}
