// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// The hosts that bypass the proxy, as in `NO_PROXY`: entries separated by commas or blanks. No I/O.
///
/// `*` matches everything. A name matches itself and all subdomains; a leading `.` or `*.` is ignored. An address
/// matches itself; with a prefix length (`10.0.0.0/8`, `fd00::/8`) its network. A port (`host:8080`, `[::1]:8080`)
/// restricts an entry to that port. Names are not resolved: only the URL's host is compared. Other entries match
/// nothing.
struct ProxyBypass: Sendable, Equatable {
    private enum Entry: Sendable, Equatable {
        case everyone
        case name(String, port: Int?)
        case network([UInt8], bits: Int, port: Int?)
    }

    private let entries: [Entry]

    init(_ lists: some Sequence<String>) {
        entries = lists.flatMap { $0.split { $0 == "," || $0.isWhitespace } }.compactMap(Self.entry)
    }

    /// - Parameter host: from ``TransferURL/host``.
    func contains(host: String, port: Int) -> Bool {
        guard !entries.isEmpty else { return false }
        let host = Self.withoutTrailingDot(host.prefix { $0 != "%" }.lowercased())
        let address = Self.address(host)
        return entries.contains { entry in
            switch entry {
            case .everyone: return true
            case .name(let name, let only):
                return address == nil && (only ?? port) == port && (host == name || host.hasSuffix("." + name))
            case .network(let network, let bits, let only):
                guard let address, address.count == network.count, (only ?? port) == port else { return false }
                return Self.agree(address, network, bits: bits)
            }
        }
    }

    private static func entry(_ text: Substring) -> Entry? {
        if text == "*" { return .everyone }
        if let slash = text.firstSlash {
            guard let network = address(withoutBrackets(text[..<slash])),
                let bits = number(text[text.utf8.index(after: slash)...]),
                bits <= network.count * 8
            else { return nil }
            return .network(network, bits: bits, port: nil)
        }
        let (host, port) = split(text)
        if let address = address(host) { return .network(address, bits: address.count * 8, port: port) }
        var name = withoutTrailingDot(host.lowercased())
        if name.hasPrefix("*.") { name.removeFirst() }
        if name.hasPrefix(".") { name.removeFirst() }
        return name.isEmpty ? nil : .name(name, port: port)
    }

    /// Splits off a port; the colons of an IPv6 address without brackets are part of it.
    private static func split(_ text: Substring) -> (String, Int?) {
        if text.first == "[", let end = text.firstIndex(of: "]") {
            let tail = text[text.index(after: end)...]
            return (withoutBrackets(text[...end]), tail.first == ":" ? number(tail.dropFirst()) : nil)
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let port = number(parts[1]) else { return (String(text), nil) }
        return (String(parts[0]), port)
    }

    private static func withoutBrackets(_ text: Substring) -> String {
        text.first == "[" && text.last == "]" ? String(text.dropFirst().dropLast()) : String(text)
    }

    private static func withoutTrailingDot(_ text: String) -> String {
        text.last == "." ? String(text.dropLast()) : text
    }

    private static func number(_ text: Substring) -> Int? {
        (1...5).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// 4 or 16 bytes.
    private static func address(_ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
        return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
    }

    private static func agree(_ left: [UInt8], _ right: [UInt8], bits: Int) -> Bool {
        let whole = bits / 8
        guard left.prefix(whole).elementsEqual(right.prefix(whole)) else { return false }
        let rest = bits % 8
        return rest == 0 || (left[whole] ^ right[whole]) >> UInt8(8 - rest) == 0
    }
}
