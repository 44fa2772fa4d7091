// SPDX-License-Identifier: MIT

import CCurl
import Dispatch
import Glibc
public import SessionCore
import Synchronization
public import TransferModel

/// ``SessionCore/Transport`` on libcurl: one thread owns every libcurl handle.
///
/// Calls append a command to a list and wake that thread; it executes commands between two rounds of libcurl's work.
public final class CurlTransport: Transport {
    public struct Configuration: Sendable {
        /// The system's certificate authorities, if not at libcurl's default path.
        public var certificateFile: String?
        public var certificateFolder: String?

        public init() {}

        /// From the environment: `SSL_CERT_FILE`, `SSL_CERT_DIR`.
        public static var fromEnvironment: Configuration {
            func value(_ name: String) -> String? {
                getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
            }
            var configuration = Configuration()
            configuration.certificateFile = value("SSL_CERT_FILE")
            configuration.certificateFolder = value("SSL_CERT_DIR")
            return configuration
        }
    }

    /// Starts loading libcurl and the libraries that it needs, which takes some milliseconds, on another thread. It is
    /// loaded on first use otherwise.
    package static func preload() {
        DispatchQueue.global(qos: .userInitiated).async { ccurl_load() }
    }

    /// The loaded libcurl's version, such as `7.88.1`.
    package static var libraryVersion: String {
        String(cString: ccurl_version().pointee.version)
    }

    /// What the loaded libcurl was built with: its TLS library, then protocols, content codings and logins that not
    /// every one has.
    public static var libraryFeatures: [String] {
        let library = ccurl_version().pointee
        let optional: [(bit: Int32, name: String)] = [
            (CURL_VERSION_HTTP2, "HTTP/2"), (CURL_VERSION_HTTP3, "HTTP/3"), (CURL_VERSION_LIBZ, "gzip"),
            (CURL_VERSION_BROTLI, "br"), (CURL_VERSION_ZSTD, "zstd"), (CURL_VERSION_NTLM, "NTLM"),
            (CURL_VERSION_SPNEGO, "Negotiate"),
        ]
        return [library.ssl_version.map { String(cString: $0) } ?? "no TLS"]
            + optional.filter { library.features & $0.bit != 0 }.map(\.name)
    }

    /// Whether the loaded libcurl was built with HTTP/3.
    package static var speaksHTTP3: Bool { HTTPVersionPolicy.loaded.hasHTTP3 }

    /// Basic and Digest always; NTLM and Negotiate if libcurl supports them.
    public let supportedLogins: Set<ProtectionSpace.Method>
    public var executor: any TransportExecutor { mailbox }
    private let mailbox: Mailbox
    private let nextID = Atomic<UInt64>(1)
    private let thread: EngineThread

    /// If the program ends by returning from `main` or by `exit`, on any thread, the connections are closed and the
    /// thread ends before libcurl's TLS library does. Unfinished exchanges are not reported.
    /// - Throws: code `other` if libcurl cannot be initialized (out of memory), or the program is exiting.
    public init(configuration: Configuration = .fromEnvironment) throws(TransferError) {
        let mailbox = try Mailbox()
        guard let thread = RunningEngines.start({ EngineThread(mailbox: mailbox, configuration: configuration) }) else {
            throw TransferError(.other, .programEnds)
        }
        self.mailbox = mailbox
        self.thread = thread
        supportedLogins = Self.loginsOfLibrary
    }

    deinit { shutDown() }

    /// As libcurl was built.
    public let supportedCodings: [String] = {
        let features = ccurl_version().pointee.features
        var codings: [String] = []
        if features & CURL_VERSION_LIBZ != 0 { codings += ["gzip", "deflate"] }
        if features & CURL_VERSION_BROTLI != 0 { codings.append("br") }
        if features & CURL_VERSION_ZSTD != 0 { codings.append("zstd") }
        return codings
    }()

    private static var loginsOfLibrary: Set<ProtectionSpace.Method> {
        let features = ccurl_version().pointee.features
        var logins: Set<ProtectionSpace.Method> = [.basic, .digest, .bearer]
        if features & CURL_VERSION_NTLM != 0 { logins.insert(.ntlm) }
        if features & CURL_VERSION_SPNEGO != 0 { logins.insert(.negotiate) }
        return logins
    }

    public func start(_ exchange: Exchange, handler: any ExchangeHandler) -> ExchangeID {
        let id = ExchangeID(rawValue: takeID())
        if !mailbox.post(.start(id, exchange, handler)) {
            mailbox.post { handler.exchange(id, didComplete: ExchangeOutcome(failure: .init(.cancelled))) }
        }
        return id
    }

    func takeID() -> UInt64 { nextID.add(1, ordering: .relaxed).oldValue }

    /// - Returns: false if the engine has ended.
    @discardableResult
    func post(_ command: Command) -> Bool { mailbox.post(command) }

    public func pause(_ id: ExchangeID) { mailbox.post(.pause(id)) }
    public func resume(_ id: ExchangeID) { mailbox.post(.resume(id)) }
    public func cancel(_ id: ExchangeID) { mailbox.post(.cancel(id)) }
    public func decide(_ id: ExchangeID, _ disposition: BodyDisposition) { mailbox.post(.decide(id, disposition)) }
    public func setRateLimit(_ bytesPerSecond: Int?, of id: ExchangeID) { mailbox.post(.limit(id, bytesPerSecond)) }

    public func setRateLimits(download: Int?, upload: Int?) {
        mailbox.post(.limits(download: download, upload: upload))
    }

    public func shutDown() {
        mailbox.post(.shutDown)
        thread.join()
    }
}

/// Commands of any thread for the engine.
enum Command: Sendable {
    indirect case start(ExchangeID, Exchange, any ExchangeHandler)
    case pause(ExchangeID)
    case resume(ExchangeID)
    case cancel(ExchangeID)
    case decide(ExchangeID, BodyDisposition)
    case limit(ExchangeID, Int?)
    case limits(download: Int?, upload: Int?)
    indirect case stream(StreamCommand)
    /// The result of a call on an exchange's file.
    case file(ExchangeID, FileReply)
    /// More of its body may be sent.
    case open(ExchangeID)
    indirect case fetches(FetchCommand)
    /// Work of a session, to be run on the engine's thread.
    case work(@Sendable () -> Void)
    case shutDown
    /// The program exits: close all connections and report nothing.
    case quit
}
