// SPDX-License-Identifier: MIT

public import HTTPTypes

/// What a front end asks for: one file, one address, one direction. A value; nothing happens by making one.
public struct TransferDescription: Sendable, Hashable {
    public enum Operation: Sendable, Hashable {
        case download(DownloadDescription)
        case upload(UploadDescription)
    }

    public var url: TransferURL
    public var operation: Operation
    public var options: TransferOptions

    public init(url: TransferURL, operation: Operation, options: TransferOptions = .init()) {
        self.url = url
        self.operation = operation
        self.options = options
    }

    public var kind: TransferKind {
        switch operation {
        case .download: .download
        case .upload: .upload
        }
    }
}

/// Where a download's bytes go and what they must be.
public struct DownloadDescription: Sendable, Hashable {
    public enum Destination: Sendable, Hashable {
        /// Exactly this path.
        case file(path: String)
        /// A file in this folder. `name` holds until the server proposes a better one in `Content-Disposition`.
        case folder(path: String, name: String)
        /// A descriptor that takes bytes in order and cannot go back, such as standard output.
        case stream(descriptor: Int32)
    }

    public var destination: Destination
    /// Replace what already bears the final name.
    public var overwrites: Bool
    /// What becomes of it otherwise.
    public var existing = ExistingFile.fails
    /// What is sent with the request, for a file that is the response to a POST; its type is a header. Such a download is not resumed.
    public var body: [UInt8]?
    /// The most bytes of a ``body``.
    public static let maximumBodyBytes = 256 << 10
    /// The sum that the whole file must have.
    public var checksum: Checksum?
    /// Sync the bytes before the file gets its name, and the name before the transfer counts as completed: both survive a power cut.
    /// `false` syncs nothing.
    public var syncs: Bool

    public init(destination: Destination, overwrites: Bool = false, checksum: Checksum? = nil, syncs: Bool = true) {
        self.destination = destination
        self.overwrites = overwrites
        self.checksum = checksum
        self.syncs = syncs
    }
}

/// What an upload sends, and in which form.
public struct UploadDescription: Sendable, Hashable {
    public enum Source: Sendable, Hashable {
        /// A regular file; its size is known and it can be sent again.
        case file(path: String)
        /// A descriptor read once, to its end, length unknown (chunked).
        case stream(descriptor: Int32, name: String)
    }

    public enum Form: Sendable, Hashable {
        /// `PUT` of the bytes to the URL.
        case put
        /// `POST` with metadata in cookies; see ``FileQUpload``.
        case fileQ(FileQUpload)
    }

    public var source: Source
    public var form: Form
    /// The sum the source must have; a file whose sum differs is not reported as sent.
    public var checksum: Checksum?
    /// A `PUT` that fails for want of a folder makes it by `MKCOL` (RFC 4918), with those above it, and is sent once more.
    public var createsFolders: Bool

    public init(source: Source, form: Form = .put, checksum: Checksum? = nil, createsFolders: Bool = false) {
        self.source = source
        self.form = form
        self.checksum = checksum
        self.createsFolders = createsFolders
    }
}

/// Everything about a transfer that is the same for both directions.
public struct TransferOptions: Sendable, Hashable {
    /// Overrides GET, PUT or POST.
    public var method: HTTPRequest.Method?
    public var headers: [HTTPField] = []
    /// `NAME=VALUE` pairs, sent to the URL's origin only.
    public var cookies: [Cookie] = []
    /// A Netscape cookie file: read before, written after. One run shares one jar.
    public var cookieJar: String?
    public var credential: Credential?
    /// Look the host up in `~/.netrc` (or `$NETRC`) when the server asks for a login and no credential is given.
    public var usesNetrc = true
    /// Seconds until a connection must stand. `nil`: 30.
    public var connectTimeout: Double?
    /// Seconds without any byte, either way. `nil`: 60.
    public var requestTimeout: Double?
    /// Seconds for the whole transfer, retries and waiting included. `nil`: seven days.
    public var resourceTimeout: Double?
    /// Tries after transient failures. `nil`: until the resource timeout.
    public var retries: Int?
    /// Bytes a second; `nil`: unlimited.
    public var rateLimit: Int?
    /// Redirects that are followed; one more fails with `tooManyRedirects`. `nil`: as the session does.
    public var maximumRedirects: Int?
    /// `sha256//BASE64` public key pins; any of them satisfies. Enforced on every origin.
    public var pins: [String] = []
    /// SHA-256 of certificates in DER; the server's own must be one of them. Enforced on every origin.
    public var certificatePins: [[UInt8]] = []
    /// What to show a server that asks for a certificate; the original origin alone.
    public var clientIdentity: ClientIdentity?
    /// A PEM file of certificate authorities, instead of the system's.
    public var certificateAuthorities: String?
    public var httpVersion: HTTPVersion = .automatic
    /// The server is believed to speak HTTP/3: it is tried first where libcurl can.
    public var assumesHTTP3Capable = false
    /// The network interface that connections go out by; `nil`: the session's.
    public var interface: String?
    /// Several paths at once; `nil`: as the session does.
    public var multipath: MultipathServiceType?
    /// Wait for a network that can carry it instead of failing at once; `nil`: as the session does.
    public var waitsForConnectivity: Bool?
    /// `false`: never over a mobile network, one that costs money, or one whose owner wants little traffic; `nil`: as the
    /// session allows.
    public var allowsCellular: Bool?
    public var allowsExpensive: Bool?
    public var allowsConstrained: Bool?
    /// Somebody wants it now, whatever the network costs: the three above do not count.
    public var liftsRestrictions = false
    /// Follow redirects from https to http; `nil`: as the session does.
    public var allowsDowngrade: Bool?
    /// How stored answers are used; `nil`: as the session does.
    public var cachePolicy: CachePolicy?
    /// 0…1: who starts first, and the weight of an HTTP/2 stream.
    public var priority = 0.5

    public init() {}

    /// The newest version that is tried; a server that has no more is met with an older one.
    public enum HTTPVersion: String, Sendable, Hashable, Codable { case automatic, http1 = "1.1", http2 = "2", http3 = "3" }
}

/// A user name and its secret. Prints without the secret.
public struct Credential: Sendable, Hashable, Codable, CustomStringConvertible {
    public var user: String
    public var password: String

    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    public var description: String { "\(user):(hidden)" }
}

/// One cookie as it is sent: a name and a value, checked by ``init(name:value:)``.
public struct Cookie: Sendable, Hashable, Codable {
    public let name: String
    public let value: String
    /// RFC 6265bis: one cookie holds at most 4096 bytes.
    public static let maximumBytes = 4096

    /// - Throws: a ``TransferError`` with code `usage` when the name is no RFC 9110 token, the value holds a control
    ///   character, `;`, or a byte outside ASCII, or both together exceed ``maximumBytes``.
    public init(name: String, value: String) throws(TransferError) {
        guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte) else {
            throw TransferError(.usage, "cookie name is empty or holds a character no cookie name may hold")
        }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ";") }) else {
            throw TransferError(.usage, "cookie \(name): the value holds a control character, ';' or a character "
                + "outside ASCII; percent-encode it")
        }
        guard name.utf8.count + value.utf8.count + 1 <= Self.maximumBytes else {
            throw TransferError(.usage, "cookie \(name): larger than \(Self.maximumBytes) bytes")
        }
        self.name = name
        self.value = value
    }
}

extension UInt8 {
    /// `tchar` of RFC 9110, section 5.6.2.
    var isTokenByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"): true
        default: false
        }
    }
}
