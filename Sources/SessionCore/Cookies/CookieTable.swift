// SPDX-License-Identifier: MIT

/// The cookies of one storage: a value without clock, lock or file.
///
/// Never more than ``maximumPerDomain`` of one domain and ``maximum`` in all.
struct CookieTable {
    struct Entry {
        var cookie: StoredCookie
        /// Rises from entry to entry; a replaced cookie hands its own on. Parts those that are of the same moment.
        let order: UInt64
        /// Rises with every change of any entry.
        var revision: UInt64
        /// As far as known, the file has a cookie of this key.
        var isInFile: Bool
        /// The file does not have it like this yet.
        var isChanged: Bool
    }

    static let maximumPerDomain = 50
    static let maximum = 3000

    var domains: [String: [Entry]] = [:]
    private(set) var count = 0
    /// Keys that the file still has, and that are to go from it.
    var removed: Set<StoredCookie.Key> = []
    private var lastRevision: UInt64 = 0

    var entries: [Entry] { domains.values.flatMap { $0 } }

    // MARK: Looking up

    /// Those that a request to `origin` carries, in its order: longer paths first, then older cookies (RFC 6265bis,
    /// 5.8.3).
    func cookies(for origin: CookieOrigin, now: Double) -> [StoredCookie] {
        var found: [Entry] = []
        let names = CookieDomain.isIPAddress(origin.host) ? [origin.host] : CookieDomain.suffixes(of: origin.host)
        for (index, name) in names.enumerated() {
            for entry in domains[name] ?? [] {
                let cookie = entry.cookie
                guard index == 0 || !cookie.hostOnly, !cookie.secure || origin.isSecure, !cookie.isExpired(at: now),
                    CookiePath.matches(origin.path, cookie.path)
                else { continue }
                found.append(entry)
            }
        }
        found.sort { left, right in
            let (first, second) = (left.cookie.path.utf8.count, right.cookie.path.utf8.count)
            if first != second { return first > second }
            if left.cookie.creation != right.cookie.creation { return left.cookie.creation < right.cookie.creation }
            return left.order < right.order
        }
        return found.map(\.cookie)
    }

    /// They were sent.
    mutating func touch(_ cookies: [StoredCookie], now: Double) {
        for cookie in cookies {
            guard let index = index(of: cookie.key) else { continue }
            domains[cookie.domain]?[index].cookie.lastAccess = now
        }
    }

    // MARK: Changing

    /// What one answer from `origin` set, in its order.
    mutating func receive(_ cookies: [StoredCookie], from origin: CookieOrigin, now: Double) {
        // Section 5.7: plain http neither replaces nor hides what was set over https. No such answer adds to these.
        var guarded: [String: [StoredCookie]] = [:]
        if !origin.isSecure {
            for list in domains.values {
                for entry in list where entry.cookie.secure && !entry.cookie.isExpired(at: now) {
                    guarded[entry.cookie.name, default: []].append(entry.cookie)
                }
            }
        }
        for cookie in cookies {
            let isHidden =
                guarded[cookie.name]?.contains { other in
                    (CookieDomain.matches(other.domain, cookie.domain)
                        || CookieDomain.matches(cookie.domain, other.domain))
                        && CookiePath.matches(cookie.path, other.path)
                } ?? false
            if !isHidden { insert(cookie, now: now) }
        }
        trim(now: now)
    }

    /// Stores one cookie that a program made.
    mutating func set(_ cookie: StoredCookie, now: Double) {
        insert(cookie, now: now)
        trim(now: now)
    }

    mutating func remove(_ key: StoredCookie.Key) {
        guard let index = index(of: key), let entry = domains[key.domain]?.remove(at: index) else { return }
        count -= 1
        if domains[key.domain]?.isEmpty == true { domains[key.domain] = nil }
        if entry.isInFile { removed.insert(key) }
    }

    mutating func removeAll(where isUnwanted: (StoredCookie) -> Bool) {
        for entry in entries where isUnwanted(entry.cookie) { remove(entry.cookie.key) }
    }

    /// Puts `cookie` in the place of the one of its key; one that is expired only takes that one away.
    private mutating func insert(_ cookie: StoredCookie, now: Double) {
        guard !cookie.isExpired(at: now) else { return remove(cookie.key) }
        lastRevision += 1
        var entry = Entry(
            cookie: cookie, order: lastRevision, revision: lastRevision,
            isInFile: removed.remove(cookie.key) != nil, isChanged: true)
        entry.cookie.lastAccess = now
        entry.cookie.creation = now
        guard let index = index(of: cookie.key), let old = domains[cookie.domain]?[index] else {
            append(entry, now: now)
            return
        }
        entry.cookie.creation = old.cookie.creation
        domains[cookie.domain]?[index] = Entry(
            cookie: entry.cookie, order: old.order, revision: entry.revision,
            isInFile: old.isInFile, isChanged: true)
    }

    /// Takes over what the file has, where nothing newer is here.
    mutating func adopt(_ cookie: StoredCookie, now: Double) {
        lastRevision += 1
        guard let index = index(of: cookie.key), let mine = domains[cookie.domain]?[index] else {
            var entry = Entry(
                cookie: cookie, order: lastRevision, revision: lastRevision, isInFile: true, isChanged: false)
            entry.cookie.creation = now
            entry.cookie.lastAccess = now
            append(entry, now: now)
            return
        }
        domains[cookie.domain]?[index].isInFile = true
        guard !mine.isChanged else { return }
        domains[cookie.domain]?[index].cookie = cookie
        domains[cookie.domain]?[index].cookie.creation = mine.cookie.creation
        domains[cookie.domain]?[index].cookie.lastAccess = mine.cookie.lastAccess
    }

    /// Another process took it out of the file, or its time is over there too.
    mutating func forget(_ key: StoredCookie.Key) {
        remove(key)
        removed.remove(key)
    }

    private func index(of key: StoredCookie.Key) -> Int? { domains[key.domain]?.firstIndex { $0.cookie.key == key } }

    // MARK: Limits

    private mutating func append(_ entry: Entry, now: Double) {
        let domain = entry.cookie.domain
        domains[domain, default: []].append(entry)
        count += 1
        if let list = domains[domain], list.count > Self.maximumPerDomain,
            let victim = list.min(by: { Self.goesBefore($0, $1, now) })
        {
            remove(victim.cookie.key)
        }
    }

    /// Removes what is expired where there are too many, then those that were not used for the longest time.
    mutating func trim(now: Double) {
        guard count > Self.maximum else { return }
        for entry in entries where entry.cookie.isExpired(at: now) { remove(entry.cookie.key) }
        guard count > Self.maximum else { return }
        let oldest = entries.sorted { ($0.cookie.lastAccess, $0.order) < ($1.cookie.lastAccess, $1.order) }
        for entry in oldest.prefix(count - Self.maximum) { remove(entry.cookie.key) }
    }

    /// The order in which cookies of a domain that has too many are given up (RFC 6265bis, section 5.7, at its end).
    private static func goesBefore(_ left: Entry, _ right: Entry, _ now: Double) -> Bool {
        func rank(_ entry: Entry) -> Int { entry.cookie.isExpired(at: now) ? 0 : entry.cookie.secure ? 2 : 1 }
        return (rank(left), left.cookie.lastAccess, left.order) < (rank(right), right.cookie.lastAccess, right.order)
    }
}
