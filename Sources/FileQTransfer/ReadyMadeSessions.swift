// SPDX-License-Identifier: MIT

public import Dispatch
import CurlTransport
import NetworkPath
public import SessionCore
import Synchronization
public import TransferModel

extension TransferSession {
    /// For simple requests without a delegate: one session per program, with the storage of
    /// ``default(_:delegate:delegateQueue:)``. It is never invalidated.
    ///
    /// Created on first use; if that fails (out of memory, unreadable files) every task fails with the reason.
    public static let shared: TransferSession = {
        do throws(TransferError) { return try .default() } catch {
            return TransferSession(transport: FailingTransport(error))
        }
    }()

    /// A session with its own connections, which stores cookies, credentials, trusted keys, HSTS and Alt-Svc on disk
    /// with private permissions, and responses in a cache; see ``SessionPlaces``. Without
    /// ``TransferConfiguration/pathMonitor`` it uses the shared monitor of the process.
    /// - Throws: code `usage` or `cannotReadSource` if one of these files is unreadable, `other` if libcurl cannot
    ///   start.
    public static func `default`(
        _ configuration: TransferConfiguration? = nil, delegate: (any TransferSessionDelegate)? = nil,
        delegateQueue: DispatchQueue? = nil
    ) throws(TransferError) -> TransferSession {
        let chosen = if let configuration { configuration } else { try TransferConfiguration.default() }
        return try make(chosen, delegate, delegateQueue)
    }

    /// A session with its own connections that stores nothing on disk. Its ``TransferConfiguration/pathMonitor`` is
    /// that of ``default(_:delegate:delegateQueue:)``.
    /// - Throws: code `other` if libcurl cannot start.
    public static func ephemeral(
        _ configuration: TransferConfiguration? = nil, delegate: (any TransferSessionDelegate)? = nil,
        delegateQueue: DispatchQueue? = nil
    ) throws(TransferError) -> TransferSession {
        let chosen = if let configuration { configuration } else { try TransferConfiguration.ephemeral() }
        return try make(chosen, delegate, delegateQueue)
    }

    private static func make(
        _ configuration: TransferConfiguration, _ delegate: (any TransferSessionDelegate)?,
        _ queue: DispatchQueue?
    ) throws(TransferError) -> TransferSession {
        var configuration = configuration
        configuration.pathMonitor = configuration.pathMonitor ?? LazyLinkMonitor.shared
        return TransferSession(
            configuration: configuration, transport: try CurlTransport(), delegate: delegate, delegateQueue: queue)
    }
}

extension TransferConfiguration {
    /// The configuration of the ``SessionCore/TransferSession`` of this name; a copy to change. Its stores are those of
    /// every other configuration with the same places in this process.
    /// - Throws: code `usage` or `cannotReadSource` if a file under `places` is unreadable.
    public static func `default`(places: SessionPlaces = .standard) throws(TransferError) -> TransferConfiguration {
        try places.makeState()
        if let known = shared.withLock({ $0[places] }) { return known }
        let made = try make(places)
        return shared.withLock { shared in
            let configuration = shared[places] ?? made
            shared[places] = configuration
            return configuration
        }
    }

    private static let shared = Mutex<[SessionPlaces: TransferConfiguration]>([:])

    private static func make(_ places: SessionPlaces) throws(TransferError) -> TransferConfiguration {
        let suffixes = SystemPublicSuffixes.shared
        var configuration = TransferConfiguration()
        configuration.cookieStorage = try CookieStorage(file: places.file("cookies.txt"), publicSuffixes: suffixes)
        configuration.cookieJars = CookieJars(publicSuffixes: suffixes)
        configuration.credentialStorage = try CredentialStorage(file: places.file("credentials.json"))
        configuration.trustStore = try TrustStore(file: places.file("trusted-keys"))
        configuration.transportSecurity = try TransportSecurityStore(
            file: places.file("hsts.txt"), now: { SystemScheduler().wallNow }, asciiHost: HostName.ascii)
        configuration.alternativeServices = AlternativeServiceStore(file: places.file("alt-svc.json"))
        configuration.cache = ResponseCache(folder: places.cache)
        configuration.pathMonitor = LazyLinkMonitor.shared
        return configuration
    }

    /// As ``default(places:)``, in memory only.
    public static func ephemeral() throws(TransferError) -> TransferConfiguration {
        let suffixes = SystemPublicSuffixes.shared
        var configuration = TransferConfiguration()
        configuration.cookieStorage = CookieStorage(publicSuffixes: suffixes)
        configuration.cookieJars = CookieJars(publicSuffixes: suffixes)
        configuration.credentialStorage = CredentialStorage()
        configuration.trustStore = TrustStore()
        configuration.transportSecurity = try TransportSecurityStore(
            now: { SystemScheduler().wallNow }, asciiHost: HostName.ascii)
        configuration.alternativeServices = AlternativeServiceStore()
        configuration.cache = ResponseCache(diskCapacity: 0)
        configuration.pathMonitor = LazyLinkMonitor.shared
        return configuration
    }
}
