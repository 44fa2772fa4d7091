// SPDX-License-Identifier: MIT

public import HTTPTypes
import Synchronization
public import TransferModel

/// Hosts that have said that they are to be reached by https alone (HSTS, RFC 6797). From any thread.
///
/// What is noted is in memory until ``save()``. The file is curl's HSTS cache; curl may use it too, but replaces it
/// without a lock, so that what is saved while a curl runs may be lost. At most 10,000 hosts; those that were noted
/// first go first.
public final class TransportSecurityStore: Sendable {
    private let kept: Kept<TransportSecurityTable>
    /// What goes before the file.
    private let noted = Mutex(TransportSecurityTable())
    private let now: @Sendable () -> Double
    private let asciiHost: @Sendable (String) -> String?

    /// - Parameters:
    ///   - file: `nil`: in memory alone. It need not exist.
    ///   - now: seconds since 1970.
    ///   - asciiHost: a host outside ASCII as the resolver will be asked for it (RFC 5891), `nil` where it has no such
    ///     form. Hosts without one are neither noted nor secured.
    /// - Throws: code `usage` where the file cannot be read, or other users can write it.
    public init(
        file: String? = nil, now: @escaping @Sendable () -> Double,
        asciiHost: @escaping @Sendable (String) -> String?
    ) throws(TransferError) {
        kept = try Kept(file: file.map { KeptFile(path: $0, privacy: .trusted) })
        self.now = now
        self.asciiHost = asciiHost
    }

    /// Takes in what an answer says of its host: the first `Strict-Transport-Security` field, and of an address by
    /// https alone.
    ///
    /// Only for answers whose certificate the system accepted (RFC 6797, section 8.1). Writes nothing; reads the file
    /// again where another process changed it.
    /// - Returns: whether there is something to save.
    @discardableResult
    public func note(_ fields: HTTPFields, from url: TransferURL) -> Bool {
        guard url.isSecure, let value = fields.first(Self.fieldName),
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
            // Every answer moves the end a little: what is nearly the same needs no writing.
            if let known, known.includesSubdomains == entry.includesSubdomains,
                (0...min(86_400, policy.maxAge / 10)).contains(entry.expires - known.expires)
            {
                return false
            }
            noted.note(entry, for: host)
            return true
        }
    }

    /// The address to use for `url`: by https where its host wants that, port 80 then becoming 443 (RFC 6797, section
    /// 8.3).
    public func secured(_ url: TransferURL) -> TransferURL {
        guard !url.isSecure, let host = name(of: url) else { return url }
        let lasting = kept.content
        let now = currentSecond
        let applies = noted.withLock { noted in
            TransportSecurityTable.applies(to: host, now: now) { noted[$0] ?? lasting[$0] }
        }
        return applies ? url.byHTTPS : url
    }

    /// Writes what was noted since the last time into the file, beside what others have written; does nothing where
    /// there is no file or nothing new. May wait for the file system, and up to 5 s for another process.
    /// - Throws: code `usage` or `cannotWrite`; what was noted is kept for the next time.
    public func save() throws(TransferError) {
        let new = noted.withLock { $0 }
        guard kept.isInFile, !new.isEmpty else { return }
        let now = currentSecond
        try kept.change { $0.merge(new, now: now) }
        noted.withLock { $0.subtract(new) }
    }

    private static let fieldName = HTTPField.Name("Strict-Transport-Security")!
    /// The last second that a year of four digits can name.
    static let endOfTime: Int64 = 253_402_300_799

    private var currentSecond: Int64 { Int64(min(max(now(), 0), Double(Self.endOfTime))) }

    /// As it is looked up: ASCII, lower case, without a last dot. `nil` for addresses and for what cannot be a name.
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
