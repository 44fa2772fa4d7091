// SPDX-License-Identifier: MIT

public import HTTPTypes
import Synchronization
public import TransferModel

/// The cookies of a session, like `HTTPCookieStorage`, by the rules of RFC 6265bis. Used from any thread.
///
/// Holds at most 50 cookies per domain and 3000 in total; evicts the least recently used first, and within a full
/// domain cookies without `Secure` first. A storage with a file reads it once, when created, and writes it only in
/// ``save()``.
public final class CookieStorage: Sendable {
    public enum AcceptPolicy: Sendable, Hashable {
        case always
        /// Nothing is stored, neither from answers nor by ``set(_:)``. What is stored already is sent.
        case never
        /// From answers of the main document's own site: the name that one owner registered, and all below it.
        case onlyFromMainDocumentDomain
    }

    struct Guarded {
        var table = CookieTable()
        var policy = AcceptPolicy.always
        /// The file's stamp when it was last read or written; `nil`: there was none.
        var stamp: PersistentFile.Stamp?
    }

    let guarded = Mutex(Guarded())
    let scheduler: any Scheduler
    let file: CookieFile?
    let keepsSessionCookies: Bool
    private let suffixes: any PublicSuffixes

    /// Cookies in memory only, released with the storage.
    public init(publicSuffixes: any PublicSuffixes, scheduler: any Scheduler = SystemScheduler()) {
        suffixes = publicSuffixes
        self.scheduler = scheduler
        file = nil
        keepsSessionCookies = false
    }

    /// Cookies of the Netscape file at `path`, which need not exist. Invalid lines are ignored, and the limits apply to
    /// its cookies, too.
    /// - Parameter keepsSessionCookies: also write session cookies, as curl does.
    /// - Throws: code `cannotReadSource` if the file exists and cannot be read.
    public init(
        file path: String, keepsSessionCookies: Bool = false, publicSuffixes: any PublicSuffixes,
        scheduler: any Scheduler = SystemScheduler()
    ) throws(TransferError) {
        suffixes = publicSuffixes
        self.scheduler = scheduler
        let file = CookieFile(path: path)
        self.file = file
        self.keepsSessionCookies = keepsSessionCookies
        try read(file)
    }

    /// The accept policy. Default: all cookies are stored.
    public var acceptPolicy: AcceptPolicy {
        get { guarded.withLock { $0.policy } }
        set { guarded.withLock { $0.policy = newValue } }
    }

    /// All that are not expired, by domain, path and name.
    public var all: [StoredCookie] {
        let now = scheduler.wallNow
        return guarded.withLock { $0.table.entries }.map(\.cookie).filter { !$0.isExpired(at: now) }.sorted {
            ($0.domain, $0.path, $0.name, $0.hostOnly ? 0 : 1) < ($1.domain, $1.path, $1.name, $1.hostOnly ? 0 : 1)
        }
    }

    // MARK: Requests and answers

    /// The cookies for a request to `url`, in the order in which they are sent. Reading them does not count as use.
    public func cookies(for url: TransferURL) -> [StoredCookie] {
        let (origin, now) = (CookieOrigin(url), scheduler.wallNow)
        return guarded.withLock { $0.table.cookies(for: origin, now: now) }
    }

    /// The `Cookie` field of a request to `url` (RFC 6265bis, section 5.8); `nil` without cookies.
    ///
    /// The request's own cookies come first and replace stored ones of the same name. At most
    /// `CookieHeader.maximumBytes` are used: servers reject larger fields.
    /// - Parameter given: the request's own cookies for `url`.
    public func header(for url: TransferURL, given: [Cookie] = []) -> String? {
        let (origin, now) = (CookieOrigin(url), scheduler.wallNow)
        let names = Set(given.map(\.name))
        var pairs = given.map { "\($0.name)=\($0.value)" }
        var size = pairs.reduce(0) { $0 + $1.utf8.count + 2 }
        guarded.withLock { guarded in
            var sent: [StoredCookie] = []
            for cookie in guarded.table.cookies(for: origin, now: now) where !names.contains(cookie.name) {
                let pair = cookie.pair
                guard size + pair.utf8.count <= CookieHeader.maximumBytes else { continue }
                size += pair.utf8.count + 2
                pairs.append(pair)
                sent.append(cookie)
            }
            guarded.table.touch(sent, now: now)
        }
        return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
    }

    /// Stores the cookies of a response's `Set-Cookie` fields, in their order. Fields that are malformed, or that the
    /// server may not set, are ignored.
    /// - Parameter mainDocument: the URL that the user requested; used only by `onlyFromMainDocumentDomain`. `nil`:
    ///   `url` itself.
    public func store(_ response: HTTPFields, from url: TransferURL, mainDocument: TransferURL? = nil) {
        let policy = acceptPolicy
        let lines = response.filter { $0.name == .setCookie }
        guard policy != .never, !lines.isEmpty else { return }
        let (origin, now) = (CookieOrigin(url), scheduler.wallNow)
        if policy == .onlyFromMainDocumentDomain, let mainDocument,
            suffixes.site(of: origin.host) != suffixes.site(of: CookieDomain.canonical(mainDocument.host))
        {
            return
        }
        let cookies = lines.compactMap { line in
            SetCookie(parsing: line.value).flatMap { StoredCookie($0, from: origin, suffixes: self.suffixes, now: now) }
        }
        guarded.withLock { $0.table.receive(cookies, from: origin, now: now) }
    }

    // MARK: By hand

    /// Stores `cookie` in the place of the one of the same name, domain and path, unless the policy is `never`. An
    /// expired one only takes that one away.
    public func set(_ cookie: StoredCookie) {
        let now = scheduler.wallNow
        guarded.withLock { guarded in
            if guarded.policy != .never { guarded.table.set(cookie, now: now) }
        }
    }

    /// Removes the cookie of the same name, domain and path.
    public func delete(_ cookie: StoredCookie) {
        guarded.withLock { $0.table.remove(cookie.key) }
    }

    public func removeAll() {
        guarded.withLock { $0.table.removeAll { _ in true } }
    }

    /// Removes those that were first stored at `time` or later, in seconds since 1970. What came from a file counts as
    /// stored when it was read.
    public func removeAll(since time: Double) {
        guarded.withLock { $0.table.removeAll { $0.creation >= time } }
    }
}
