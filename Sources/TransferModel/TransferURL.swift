// SPDX-License-Identifier: MIT

import FoundationEssentials

/// An absolute `http` or `https` URL, validated and in its wire form.
///
/// Accepts what users paste: spaces and characters outside ASCII in path and query are percent-encoded as UTF-8, a host
/// outside ASCII is left to the resolver's IDN conversion, and user information is moved to ``credential`` so that
/// nothing prints it. `.` and `..` in the path are resolved, as browsers do.
public struct TransferURL: Sendable, Hashable, CustomStringConvertible {
    /// Without user information and fragment; percent-encoded.
    public let string: String
    /// `http` or `https`.
    public let scheme: String
    /// As written, lower case, without brackets.
    public let host: String
    public let port: Int
    /// Bytes of ``string`` before ``target``.
    private let targetStart: Int
    /// The user information of the URL, if it had any.
    public let credential: Credential?

    /// ``displayString``: secrets of the query do not get into messages.
    public var description: String { displayString }
    public var isSecure: Bool { scheme == "https" }

    /// From the first `/` on, query included; never empty.
    public var target: String { String(targetText) }
    private var targetText: Substring { string[string.utf8.index(string.startIndex, offsetBy: targetStart)...] }

    /// Scheme, host and port: what credentials and cookies given by the user are bound to (RFC 6454).
    public var origin: String { "\(scheme)://\(host):\(port)" }

    /// Host and port for the user; the port only if it is not the scheme's default. A host of mixed scripts is followed
    /// by its ASCII form (``HostName/warning(_:)``).
    public var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        let place = port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
        return HostName.warning(host).map { "\(place) (\($0))" } ?? place
    }

    /// The path without query, still percent-encoded.
    public var path: String { String(pathText) }

    private var pathText: Substring {
        let target = targetText
        return target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)]
    }

    /// The last segment of the path, percent-decoded; `nil` where the path ends in `/` or does not decode as UTF-8.
    public var lastPathSegment: String? {
        lastEncodedPathSegment.flatMap { PercentCoding.decode($0) }
    }

    /// The same as the URL has it.
    package var lastEncodedPathSegment: Substring? {
        let path = pathText
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        let segment = path[path.utf8.index(after: slash)...]
        return segment.isEmpty ? nil : segment
    }

    /// - Throws: code `malformedURL`, saying what is wrong.
    public init(_ text: String) throws(TransferError) {
        guard let schemeEnd = Self.schemeEnd(text.utf8) else {
            throw TransferError(.urlNoScheme, Self.shown(text))
        }
        let scheme = text[..<schemeEnd].lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw TransferError(.urlUnknownScheme, Self.shown(scheme))
        }
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f || $0 == UInt8(ascii: "\\") }) else {
            throw TransferError(.urlCharacter)
        }
        // Byte by byte: all that parts a URL is ASCII, and lists of URLs may be long.
        let rest = text.utf8[text.utf8.index(schemeEnd, offsetBy: 3)...].prefix { $0 != UInt8(ascii: "#") }
        let authorityEnd = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        let authorityText = text[rest.startIndex..<authorityEnd]
        let after = text[authorityEnd..<rest.endIndex]
        let (credential, hostAndPort) = Self.splitUser(authorityText)
        let (host, port) = try Self.splitPort(hostAndPort, scheme: scheme)
        self.init(
            scheme: scheme, host: host, port: port, credential: credential,
            target: Self.withoutDotSegments(
                PercentCoding.escapeForTarget((after.beginsWithSlash ? "" : "/") + after)))
    }

    /// RFC 3986, section 5.2.4.
    private static func withoutDotSegments(_ target: String) -> String {
        let (slash, dot) = (UInt8(ascii: "/"), UInt8(ascii: "."))
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        guard mayHaveDotSegment(path) else { return target }
        var kept: [UInt8] = []
        var rest = path
        while !rest.isEmpty {
            let segment = rest.dropFirst().prefix { $0 != slash }
            rest = rest[segment.endIndex...]
            if segment.elementsEqual([dot, dot]) {
                while let byte = kept.popLast(), byte != slash {}
            } else if !segment.elementsEqual([dot]) {
                kept.append(slash)
                kept += segment
                continue
            }
            if rest.isEmpty { kept.append(slash) }
        }
        return String(decoding: kept, as: UTF8.self) + target[path.endIndex...]
    }

    private static func mayHaveDotSegment(_ path: some Sequence<UInt8>) -> Bool {
        var last: UInt8 = 0
        return path.contains { byte in
            defer { last = byte }
            return byte == UInt8(ascii: ".") && last == UInt8(ascii: "/")
        }
    }

    private init(scheme: String, host: String, port: Int, credential: Credential?, target: String) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.credential = credential
        let name = host.contains(":") ? "[\(host)]" : host
        let shownPort = port == (scheme == "https" ? 443 : 80) ? "" : ":\(port)"
        let server = "\(scheme)://\(name)\(shownPort)"
        targetStart = server.utf8.count
        string = server + target
    }

    /// For long lists: an address of the same server as `other`, written as ``string`` is.
    /// - Returns: `nil` for any other text, which may be an address all the same.
    package init?(_ text: String, like other: TransferURL) {
        guard other.credential == nil, Self.isPlain(text, behind: other.string, other.targetStart) else { return nil }
        self.init(text, at: other)
    }

    /// - Parameter text: as ``string`` is.
    private init(_ text: String, at other: TransferURL) {
        (scheme, host, port, credential) = (other.scheme, other.host, other.port, other.credential)
        (targetStart, string) = (other.targetStart, text)
    }

    /// The other members follow from these two.
    public static func == (one: TransferURL, other: TransferURL) -> Bool {
        one.string == other.string && one.credential == other.credential
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(string) }

    /// Whether `text` begins as `known` does, up to `start`, and all that follows stays as it is on the wire.
    private static func isPlain(_ text: String, behind known: String, _ start: Int) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { text in
            known.utf8.withContiguousStorageIfAvailable { known in
                guard text.count > start, text[start] == UInt8(ascii: "/"),
                    text[..<start].elementsEqual(known[..<start])
                else { return false }
                return text[start...].allSatisfy { PercentCoding.isKeptInTarget($0) && $0 != UInt8(ascii: "#") }
                    && !mayHaveDotSegment(text[start...])
            } ?? false
        } ?? false
    }

    /// The address with the scheme https. Port 80 becomes 443, any other stays (RFC 6797, section 8.3).
    package var byHTTPS: TransferURL {
        TransferURL(
            scheme: "https", host: host, port: isSecure || port != 80 ? port : 443, credential: credential,
            target: target)
    }

    /// The address with another user information, or without any.
    package func replacingCredential(_ credential: Credential?) -> TransferURL {
        TransferURL(scheme: scheme, host: host, port: port, credential: credential, target: target)
    }

    /// Resolves `reference` against this address (RFC 3986, section 5), as for `Location`.
    public func resolving(_ reference: String) throws(TransferError) -> TransferURL {
        // A fragment is no part of a request.
        let address = reference.utf8.firstIndex(of: UInt8(ascii: "#")).map { reference[..<$0] } ?? reference[...]
        if address.isEmpty { return self }
        let (place, escaped) = (Self.strict(string), Self.strict(String(address)))
        guard let base = URL(string: place), let resolved = URL(string: escaped, relativeTo: base)?.absoluteURL else {
            throw TransferError(.malformedURL, .redirectToNoURL, host: authority)
        }
        do throws(TransferError) { return try TransferURL(resolved.absoluteString) } catch {
            guard let problem = NestedProblem(error.fields.local, of: "url") else { throw error }
            throw TransferError(.malformedURL, .redirectToInvalidURL, problem, host: authority)
        }
    }

    /// As RFC 3986 has a reference, so that nothing in it is encoded a second time: Foundation encodes every `%` of one
    /// that has a bracket in its path.
    private static func strict(_ reference: String) -> String {
        var start = reference.startIndex
        if let end = schemeEnd(reference.utf8), reference.utf8[..<end].allSatisfy(isOfScheme) {
            start = reference.utf8.index(after: end)
        }
        if reference.utf8[start...].starts(with: "//".utf8) {
            let authority = reference.utf8[start...].dropFirst(2)
            start = authority.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? reference.endIndex
        }
        return PercentCoding.escapeForTarget(reference[..<start]) + PercentCoding.escapeStrictly(reference[start...])
    }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// The address with `segment` appended if it ends in `/`; otherwise unchanged.
    package func appendingIfFolder(_ segment: String) -> TransferURL {
        let path = pathText
        guard path.endsWithSlash else { return self }
        var address = String(string[..<path.endIndex])
        address += PercentCoding.encodePath(segment)
        address += string[path.endIndex...]
        return TransferURL(address, at: self)
    }

    private static func schemeEnd(_ text: String.UTF8View) -> String.Index? {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), text[colon...].starts(with: "://".utf8) else {
            return nil
        }
        return colon
    }

    private static func splitUser(_ authority: Substring) -> (Credential?, Substring) {
        guard let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else { return (nil, authority) }
        let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let user = PercentCoding.decode(parts[0]) ?? String(parts[0])
        let password = parts.count > 1 ? PercentCoding.decode(parts[1]) ?? String(parts[1]) : ""
        return (Credential(user: user, password: password), authority[authority.index(after: at)...])
    }

    private static func splitPort(_ text: Substring, scheme: String) throws(TransferError) -> (String, Int) {
        var host = text
        var port: Int? = scheme == "https" ? 443 : 80
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else {
                throw TransferError(.urlOpenBracket)
            }
            host = text[text.index(after: text.startIndex)..<end]
            guard Self.isAddress(host) else {
                throw TransferError(.urlNoAddressInBrackets)
            }
            let tail = text[text.index(after: end)...]
            if tail.first == ":" { port = Self.port(tail.dropFirst()) } else if !tail.isEmpty { port = nil }
        } else if let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) {
            host = text[..<colon]
            if text.index(after: colon) != text.endIndex { port = Self.port(text[text.index(after: colon)...]) }
        }
        // A colon is part of a host only inside brackets, where a zone may bring a percent sign too.
        let forbidden: StaticString = text.first == "[" ? " \"<>^`{|}[]" : " \"<>^`{|}[]%:"
        let bytes = UnsafeBufferPointer(start: forbidden.utf8Start, count: forbidden.utf8CodeUnitCount)
        guard !host.isEmpty, !host.utf8.contains(where: bytes.contains) else {
            throw TransferError(.urlHost)
        }
        guard let port, (1...65535).contains(port) else {
            throw TransferError(.urlPort)
        }
        return (host.lowercased(), port)
    }

    /// Whether `text` has the characters of an IPv6 address, and possibly a zone (RFC 3986, section 3.2.2; RFC 6874).
    private static func isAddress(_ text: Substring) -> Bool {
        let address = text.utf8.prefix { $0 != UInt8(ascii: "%") }
        return address.contains(UInt8(ascii: ":"))
            && address.allSatisfy {
                Hex.value(of: $0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
            }
    }

    /// Only digits: `Int` would accept a sign, too.
    private static func port(_ text: Substring) -> Int? { ContentRange.number(text).map(Int.init) }

    /// Without what may be a password.
    private static func shown(_ text: String) -> String {
        let whole = displayed(text)
        let afterUser = whole.lastIndex(of: "@").map { whole[whole.index(after: $0)...] } ?? whole[...]
        return String(String.UnicodeScalarView(afterUser.unicodeScalars.prefix(80).map { $0.value < 0x20 ? "?" : $0 }))
    }
}
