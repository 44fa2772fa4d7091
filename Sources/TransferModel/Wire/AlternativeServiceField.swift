// SPDX-License-Identifier: MIT

/// The field `Alt-Svc`: where else a service is to be had (RFC 7838, section 3).
package enum AlternativeServiceField: Sendable, Hashable {
    /// `clear`: revokes all earlier alternatives.
    case clear
    /// In the server's order of preference.
    case services([Service])

    package struct Service: Sendable, Hashable {
        /// ALPN's name, such as `h3`.
        package var protocolName: String
        /// Lower case, without brackets; empty: the origin's own.
        package var host: String
        package var port: Int
        /// Seconds for which it holds.
        package var maximumAge: Double
        /// It holds on other networks too.
        package var persists: Bool

        package init(protocolName: String, host: String, port: Int, maximumAge: Double = 86_400, persists: Bool = false)
        {
            self.protocolName = protocolName
            self.host = host
            self.port = port
            self.maximumAge = maximumAge
            self.persists = persists
        }
    }

    /// At most this many alternatives of one response are read.
    package static let maximumServices = 16

    /// Tolerant: an alternative that is malformed is ignored.
    /// - Returns: `nil` where nothing in it has a meaning.
    package init?(parsing text: some StringProtocol) {
        let text = text.withoutBlanks
        if text == "clear" {
            self = .clear
            return
        }
        var services: [Service] = []
        for piece in Self.split(Substring(text), at: ",").prefix(Self.maximumServices) {
            if let service = Self.service(piece) { services.append(service) }
        }
        guard !services.isEmpty else { return nil }
        self = .services(services)
    }

    private static func service(_ text: Substring) -> Service? {
        let parts = split(text, at: ";").map { Substring($0.withoutBlanks) }
        guard let (name, authority) = parts.first.flatMap(pair), authority.hasPrefix("\""),
            let protocolName = PercentCoding.decode(name), !protocolName.isEmpty, protocolName.utf8.count <= 32,
            let (host, port) = split(authority: unquoted(authority))
        else { return nil }
        var service = Service(protocolName: protocolName, host: host, port: port)
        for (name, value) in parts.dropFirst().compactMap(pair) {
            switch name.lowercased() {
            case "ma":
                guard let seconds = ContentRange.number(unquoted(value)) else { return nil }
                service.maximumAge = Double(seconds)
            case "persist": service.persists = unquoted(value) == "1"
            default: break
            }
        }
        return service
    }

    /// `[host]:port`; the host may be missing, the port may not.
    private static func split(authority: String) -> (host: String, port: Int)? {
        guard let colon = authority.lastIndex(of: ":"),
            let port = ContentRange.number(authority[authority.index(after: colon)...]).flatMap({ Int(exactly: $0) }),
            (1...65535).contains(port)
        else { return nil }
        var host = authority[..<colon].lowercased()
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            return nil
        }
        // What becomes part of an option of the transport holds nothing but the characters of names and addresses.
        let isPlain = host.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: ":"):
                true
            default: false
            }
        }
        return isPlain && host.utf8.count <= 255 ? (host, port) : nil
    }

    private static func pair(_ text: Substring) -> (name: Substring, value: Substring)? {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return nil }
        return (text[..<equals], text[text.index(after: equals)...])
    }

    /// At every `separator` that does not stand in quotes.
    private static func split(_ text: Substring, at separator: Character) -> [Substring] {
        var pieces: [Substring] = []
        var (start, isQuoted, isEscaped) = (text.startIndex, false, false)
        for index in text.indices {
            let character = text[index]
            if isEscaped {
                isEscaped = false
                continue
            }
            if isQuoted, character == "\\" { isEscaped = true } else if character == "\"" { isQuoted.toggle() }
            if character == separator, !isQuoted {
                pieces.append(text[start..<index])
                start = text.index(after: index)
            }
        }
        return pieces + [text[start...]]
    }

    /// A token unchanged, a quoted string without quotes and escapes.
    private static func unquoted(_ text: Substring) -> String {
        guard text.hasPrefix("\""), text.hasSuffix("\""), text.count >= 2 else { return String(text) }
        var (result, isEscaped) = ("", false)
        for character in text.dropFirst().dropLast() {
            if !isEscaped, character == "\\" {
                isEscaped = true
                continue
            }
            result.append(character)
            isEscaped = false
        }
        return result
    }
}
