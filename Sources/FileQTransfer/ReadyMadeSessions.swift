// SPDX-License-Identifier: MIT

public import Dispatch
import CurlTransport
import NetworkPath
public import SessionCore
public import TransferModel

extension TransferSession {
    /// For simple requests without a delegate: one session for the whole program, that remembers as
    /// ``default(_:delegate:delegateQueue:)`` does. It is never invalidated.
    ///
    /// Made at the first use; where that is impossible (no memory, unreadable files) every task fails with the reason.
    public static let shared: TransferSession = {
        do throws(TransferError) { return try .default() } catch {
            return TransferSession(transport: FailingTransport(error))
        }
    }()

    /// A session of its own connections, that keeps cookies, credentials, trusted keys, HSTS and Alt-Svc on disk, for
    /// its user alone, and answers in a cache; under ``SessionPlaces``. Where the configuration has no
    /// ``TransferConfiguration/pathMonitor`` it gets the one that all ready-made sessions of the process share.
    /// - Throws: code `usage` or `cannotReadSource` where a file of these cannot be read, `other` where libcurl cannot
    ///   start.
    public static func `default`(
        _ configuration: TransferConfiguration? = nil, delegate: (any TransferSessionDelegate)? = nil,
        delegateQueue: DispatchQueue? = nil
    ) throws(TransferError) -> TransferSession {
        let chosen = if let configuration { configuration } else { try TransferConfiguration.default() }
        return try make(chosen, delegate, delegateQueue)
    }

    /// A session of its own connections that leaves nothing on disk: what it remembers goes with it. Its
    /// ``TransferConfiguration/pathMonitor`` is as that of ``default(_:delegate:delegateQueue:)``.
    /// - Throws: code `other` where libcurl cannot start.
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
    /// What ``SessionCore/TransferSession`` of this name uses; a copy to change.
    /// - Throws: code `usage` or `cannotReadSource` where a file under `places` cannot be read.
    public static func `default`(places: SessionPlaces = .standard) throws(TransferError) -> TransferConfiguration {
        let suffixes = SystemPublicSuffixes.shared
        try places.makeState()
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

    /// As ``default(places:)``, in memory alone.
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
