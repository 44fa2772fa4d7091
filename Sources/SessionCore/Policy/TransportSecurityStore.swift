// SPDX-License-Identifier: MIT

package import HTTPTypes
import Synchronization
public import TransferModel

/// Hosts that require https (HSTS, RFC 6797). Thread-safe.
///
/// New entries are in memory until ``save()``. The file is curl's HSTS cache; curl may use it, too, but replaces it
/// without a lock, so that entries saved while curl runs may be lost. At most 10,000 hosts; the oldest are dropped
/// first.
public final class TransportSecurityStore: Sendable {
    private let kept: Persisted<TransportSecurityTable>
    /// Entries that take precedence over the file.
    private let noted = Mutex(TransportSecurityTable())
    private let now: @Sendable () -> Double
    private let asciiHost: @Sendable (String) -> String?

    /// - Parameters:
    ///   - file: `nil`: memory only. It need not exist.
    ///   - now: seconds since 1970.
    ///   - asciiHost: a non-ASCII host in the form for the resolver (RFC 5891), `nil` without one
    ///     form. Hosts without one are neither noted nor secured.
    /// - Throws: code `usage` if the file is unreadable, or other users can write it.
    public init(
        file: String? = nil, now: @escaping @Sendable () -> Double,
        asciiHost: @escaping @Sendable (String) -> String?
    ) throws(TransferError) {
        kept = try Persisted(file: file.map { PersistentFile(path: $0, privacy: .trusted) })
        self.now = now
        self.asciiHost = asciiHost
    }

    /// Applies a response: the first `Strict-Transport-Security` field, over https only.
    ///
    /// Only for responses whose certificate the system accepted (RFC 6797, section 8.1). Writes nothing; reloads the
    /// file if another process changed it.
    /// - Returns: whether there are unsaved changes.
    @discardableResult
    package func note(_ fields: HTTPFields, from url: TransferURL) -> Bool {
        guard url.isSecure, let value = fields.first(.strictTransportSecurity),
            let policy = StrictTransportSecurity(parsing: value),
            let host = name(of: url)
        else { return false }
        let lasting = kept.content[host]
        let now = currentSecond
        return noted.withLock { noted in
            let known = (noted[host] ?? lasting).flatMap { $0.expires > now ? $0 : nil }
            if policy.maxAge == 0 {
                if known != nil { noted.note(.retracted, for: host) }
                return known != nil
            }
            let expires = now.addingReportingOverflow(policy.maxAge)
            let entry = TransportSecurityTable.Entry(
                expires: expires.overflow ? Self.endOfTime : min(expires.partialValue, Self.endOfTime),
                includesSubdomains: policy.includesSubdomains)
            // Every response moves the expiry a little: small changes are not saved.
            if let known, known.includesSubdomains == entry.includesSubdomains,
                (0...min(86_400, policy.maxAge / 10)).contains(entry.expires - known.expires)
            {
                return false
            }
            noted.note(entry, for: host)
            return true
        }
    }

    /// The URL to use for `url`: https if its host requires it, with port 80 becoming 443 (RFC 6797, section 8.3).
    package func secured(_ url: TransferURL) -> TransferURL {
        guard !url.isSecure, let host = name(of: url) else { return url }
        let lasting = kept.content
        let now = currentSecond
        let applies = noted.withLock { noted in
            TransportSecurityTable.applies(to: host, now: now) { noted[$0] ?? lasting[$0] }
        }
        return applies ? url.byHTTPS : url
    }

    /// Merges new entries into the file; no effect without a file or changes. May block on the file system, and up to 5
    /// s on another process.
    /// - Throws: code `usage` or `cannotWrite`; the entries stay unsaved.
    public func save() throws(TransferError) {
        let new = noted.withLock { $0 }
        guard kept.isInFile, !new.isEmpty else { return }
        let now = currentSecond
        try kept.change { $0.merge(new, now: now) }
        noted.withLock { $0.subtract(new) }
    }

    /// The last second that a year of four digits can express.
    static let endOfTime: Int64 = 253_402_300_799

    private var currentSecond: Int64 { Int64(min(max(now(), 0), Double(Self.endOfTime))) }

    /// Normalized: ASCII, lower case, without a final dot. `nil` for addresses and invalid names.
    private func name(of url: TransferURL) -> String? {
        var host = url.host
        if !host.utf8.allSatisfy({ $0 < 0x80 }) {
            guard let ascii = asciiHost(host) else { return nil }
            host = ascii.lowercased()
        }
        if host.hasSuffix(".") { host.removeLast() }
        return TransportSecurityTable.isName(host) ? host : nil
    }
}
