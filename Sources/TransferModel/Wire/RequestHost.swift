// SPDX-License-Identifier: MIT

import Glibc

/// Host and port of a `Host` field, or of an `Origin` (RFC 9110, section 7.2; RFC 6454, section 7).
package struct RequestHost: Equatable {
    /// Lower case, without the brackets of an IPv6 address and without a final dot.
    package var name: String
    package var port: Int?

    /// `nil` if it is not `host[:port]`.
    package init?(_ text: some StringProtocol) {
        let host: Substring
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = Substring(text[text.index(after: text.startIndex)..<end])
            rest = Substring(text[text.index(after: end)...])
            guard Self.isAddress(String(host)) else { return nil }
        } else {
            host = Substring(text.prefix { $0 != ":" })
            rest = Substring(text.dropFirst(host.count))
            let isName = host.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
            guard isName else { return nil }
        }
        name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        guard !name.isEmpty else { return nil }
        if !rest.isEmpty {
            guard rest.hasPrefix(":"),
                rest.utf8.dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { return nil }
            // "name:" is a name without a port (RFC 3986, section 3.2.3).
            if rest.count > 1 {
                guard let number = Int(rest.dropFirst()), number <= 65_535 else { return nil }
                port = number
            }
        }
    }

    /// An IPv4 address in dotted decimal, or an IPv6 address without brackets.
    package static func isAddress(_ text: String) -> Bool {
        var four = in_addr()
        var six = in6_addr()
        return inet_pton(AF_INET, text, &four) == 1 || inet_pton(AF_INET6, text, &six) == 1
    }

    /// Whether only this machine can connect to `host`, an address or a name.
    package static func isLoopback(_ host: String) -> Bool {
        var four = in_addr()
        if inet_pton(AF_INET, host, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
        var six = in6_addr()
        if inet_pton(AF_INET6, host, &six) == 1 {
            let bytes = withUnsafeBytes(of: &six) { Array($0) }
            return bytes == Array(repeating: 0, count: 15) + [1]
                || bytes.prefix(12) == Array(repeating: 0, count: 10) + [0xff, 0xff] && bytes[12] == 127
        }
        return isLocalName(host.lowercased())
    }

    /// What a host such as `0.0.0.0` or `::` stands for.
    package enum Wildcard: Sendable { case fourAlone, both }

    /// `nil` for a host that is an address of its own, or a name. `0` is an address (inet_aton(3)).
    package static func wildcard(_ host: String) -> Wildcard? {
        var four = in_addr()
        if inet_aton(host, &four) != 0 { return four.s_addr == 0 ? .fourAlone : nil }
        var six = in6_addr()
        guard inet_pton(AF_INET6, host, &six) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: &six) { Array($0) }
        if bytes.allSatisfy({ $0 == 0 }) { return .both }
        return bytes == Array(repeating: 0, count: 10) + [0xff, 0xff, 0, 0, 0, 0] ? .fourAlone : nil
    }

    /// `localhost` and names below it, which always resolve to loopback (RFC 6761, section 6.3).
    package static func isLocalName(_ name: String) -> Bool { name == "localhost" || name.hasSuffix(".localhost") }
}
