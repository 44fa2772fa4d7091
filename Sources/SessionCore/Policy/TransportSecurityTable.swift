// SPDX-License-Identifier: MIT

import TransferModel

/// Hosts that require https, and until when. A value, and curl's HSTS cache format.
struct TransportSecurityTable: Sendable {
    struct Entry: Sendable, Hashable {
        /// Seconds since 1970; `retracted` if the host revoked it.
        var expires: Int64
        var includesSubdomains: Bool

        static let retracted = Entry(expires: .min, includesSubdomains: false)
    }

    /// Beyond this capacity the oldest entries are dropped.
    static let maximumHosts = 10_000

    private struct Noted {
        var entry: Entry
        var order: Int
    }

    private var hosts: [String: Noted] = [:]
    private var nextOrder = 0

    init() {}

    subscript(host: String) -> Entry? { hosts[host]?.entry }
    var isEmpty: Bool { hosts.isEmpty }

    mutating func note(_ entry: Entry, for host: String) {
        hosts[host] = Noted(entry: entry, order: nextOrder)
        nextOrder += 1
        guard hosts.count > Self.maximumHosts else { return }
        // A hundredth at a time, so that a full table is not sorted for each new host.
        let first = hosts.map { ($0.value.order, $0.key) }.sorted { $0.0 < $1.0 }.prefix(Self.maximumHosts / 100)
        for (_, host) in first { hosts[host] = nil }
    }

    /// Overlays `newer` and drops expired entries.
    mutating func merge(_ newer: TransportSecurityTable, now: Int64) {
        for (host, noted) in newer.inOrder { note(noted, for: host) }
        hosts = hosts.filter { $0.value.entry.expires > now }
    }

    /// Drops entries that are equal in `saved`.
    mutating func subtract(_ saved: TransportSecurityTable) {
        hosts = hosts.filter { saved[$0.key] != $0.value.entry }
    }

    private var inOrder: [(String, Entry)] {
        hosts.sorted { $0.value.order < $1.value.order }.map { ($0.key, $0.value.entry) }
    }

    /// Whether an entry of `host`, or one of a parent domain that includes subdomains, is valid at `now` (RFC 6797,
    /// section 8.2).
    static func applies(to host: String, now: Int64, _ entry: (String) -> Entry?) -> Bool {
        if let own = entry(host), own.expires > now { return true }
        var name = host[...]
        while let dot = name.firstIndex(of: ".") {
            name = name[name.index(after: dot)...]
            if let above = entry(String(name)), above.includesSubdomains, above.expires > now { return true }
        }
        return false
    }

    /// Whether it can be an ASCII host name, and is not an IP address in any form (RFC 6797, section 8.3).
    static func isName(_ host: String) -> Bool {
        guard (1...253).contains(host.utf8.count), host.utf8.allSatisfy(isNameByte),
            let last = host.split(separator: ".").last
        else { return false }
        let isNumber =
            last.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } || last.hasPrefix("0x")
        return !isNumber
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension TransportSecurityTable: PersistentContent {
    /// Ignores invalid lines, as curl does. Of duplicates the strictest counts.
    init(parsing bytes: [UInt8], of path: String) throws(TransferError) {
        self.init()
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let words = String(decoding: line, as: UTF8.self).split(maxSplits: 1) { $0 == " " || $0 == "\t" }
            guard words.count == 2, !words[0].hasPrefix("#"), let expires = Self.expiry(words[1]) else { continue }
            let includesSubdomains = words[0].hasPrefix(".")
            var host = words[0].dropFirst(includesSubdomains ? 1 : 0).lowercased()
            if host.hasSuffix(".") { host.removeLast() }
            guard Self.isName(host) else { continue }
            let known = self[host]
            note(
                Entry(
                    expires: max(expires, known?.expires ?? .min),
                    includesSubdomains: includesSubdomains || known?.includesSubdomains == true), for: host)
        }
    }

    func printed() -> [UInt8] {
        var text =
            "# Hosts that are reached by https alone, in the format of curl's HSTS cache: "
            + "https://curl.se/docs/hsts.html\n"
        for (host, entry) in inOrder {
            text += "\(entry.includesSubdomains ? "." : "")\(host) \"\(CompactTime.stamp(entry.expires))\"\n"
        }
        return Array(text.utf8)
    }

    /// `"YYYYMMDD HH:MM:SS"` or `"unlimited"`, in quotes.
    private static func expiry(_ word: Substring) -> Int64? {
        let parts = word.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].allSatisfy(\.isWhitespace), parts[2].allSatisfy(\.isWhitespace) else {
            return nil
        }
        return parts[1] == "unlimited" ? TransportSecurityStore.endOfTime : CompactTime.parseStamp(parts[1])
    }
}
