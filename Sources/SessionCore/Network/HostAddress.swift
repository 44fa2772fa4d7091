// SPDX-License-Identifier: MIT

import Glibc

/// An IPv4 or IPv6 address as a number, with the zone of a link-local one (RFC 4007).
///
/// An IPv4-mapped address (`::ffff:192.0.2.1`) is the IPv4 address, since it is routed as one.
public struct HostAddress: Sendable, Hashable, CustomStringConvertible {
    public enum Family: Sendable, Hashable { case ipv4, ipv6 }

    public let family: Family
    /// The first bit is the highest of 32 or 128.
    public let bits: UInt128
    /// Name or index of an interface, after `%`.
    public let zone: String?

    /// Parses `192.0.2.1`, `2001:db8::1`, `fe80::1%eth0` and, as in URLs (RFC 6874), `fe80::1%25eth0`. `nil` for
    /// anything else, including names.
    public init?(_ text: String) {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        let number = String(parts[0])
        var ipv4 = in_addr()
        if parts.count == 1, inet_pton(AF_INET, number, &ipv4) == 1 {
            self.init(bytes: withUnsafeBytes(of: &ipv4) { Array($0) })
            return
        }
        var ipv6 = in6_addr()
        guard inet_pton(AF_INET6, number, &ipv6) == 1 else { return nil }
        var zone: String?
        if parts.count == 2 {
            let escaped = parts[1].hasPrefix("25") && parts[1].count > 2
            zone = String(escaped ? parts[1].dropFirst(2) : parts[1])
            if zone?.isEmpty ?? true { return nil }
        }
        self.init(bytes: withUnsafeBytes(of: &ipv6) { Array($0) }, zone: zone)
    }

    /// - Parameter bytes: 4 or 16, in network order; `nil` for any other count.
    public init?(bytes: some Collection<UInt8>, zone: String? = nil) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        let bits = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        let isMapped = bytes.count == 16 && bits >> 32 == 0xffff
        family = bytes.count == 4 || isMapped ? .ipv4 : .ipv6
        self.bits = isMapped ? bits & 0xffff_ffff : bits
        self.zone = family == .ipv4 ? nil : zone
    }

    /// In network order.
    public var bytes: [UInt8] {
        let count = bitCount / 8
        return (0..<count).map { UInt8(truncatingIfNeeded: bits >> UInt128((count - 1 - $0) * 8)) }
    }

    /// 32 or 128.
    public var bitCount: Int { family == .ipv4 ? 32 : 128 }

    public var isLoopback: Bool { family == .ipv4 ? bits >> 24 == 127 : bits == 1 }
    /// `0.0.0.0` and `::`, which connect to this machine.
    public var isUnspecified: Bool { bits == 0 }
    /// 169.254.0.0/16 (RFC 3927), fe80::/10 (RFC 4291).
    public var isLinkLocal: Bool { family == .ipv4 ? bits >> 16 == 0xa9fe : bits >> 118 == 0xfe80 >> 6 }
    public var isMulticast: Bool { family == .ipv4 ? bits >> 28 == 0xe : bits >> 120 == 0xff }

    /// Whether the first `length` bits are those of `prefix`.
    public func isInside(_ prefix: HostAddress, length: Int) -> Bool {
        guard family == prefix.family, (0...bitCount).contains(length) else { return false }
        return length == 0 || (bits ^ prefix.bits) >> UInt128(bitCount - length) == 0
    }

    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(family == .ipv4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        let number = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return zone.map { "\(number)%\($0)" } ?? number
    }
}
