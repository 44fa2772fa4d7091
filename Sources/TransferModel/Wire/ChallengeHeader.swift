// SPDX-License-Identifier: MIT

/// One challenge of a `WWW-Authenticate` or `Proxy-Authenticate` field (RFC 9110, section 11.6.1).
package struct ChallengeHeader: Sendable, Hashable {
    /// Lower case.
    package var scheme: String
    /// `token68` of schemes such as Negotiate; empty if there is none.
    package var token = ""
    /// Names in lower case.
    package var parameters: [String: String] = [:]

    package var realm: String? { parameters["realm"] }

    package init(scheme: String, token: String = "", parameters: [String: String] = [:]) {
        self.scheme = scheme.lowercased()
        self.token = token
        self.parameters = parameters
    }

    /// All challenges of one field's value, in order. What cannot be read is ignored.
    ///
    /// At most 32 are given, each with at most 64 parameters, and nothing is read beyond 65,536 bytes.
    package static func parse(_ value: String) -> [ChallengeHeader] {
        var scanner = Scanner(value.utf8.prefix(65_536))
        var challenges: [ChallengeHeader] = []
        while scanner.skipToWord() {
            let word = scanner.token()
            if scanner.isAtEquals, var last = challenges.popLast() {
                let value = scanner.parameterValue()
                if last.parameters.count < 64 { last.parameters[word.lowercased()] = value }
                challenges.append(last)
            } else if scanner.isAtEquals {
                _ = scanner.parameterValue()
            } else if challenges.count < 32 {
                challenges.append(ChallengeHeader(scheme: word, token: scanner.token68()))
            } else {
                return challenges
            }
        }
        return challenges
    }

    private struct Scanner {
        private var rest: Substring.UTF8View

        init(_ text: Substring.UTF8View) { rest = text }

        /// Past separators and quoted strings that belong to nothing.
        /// - Returns: false at the end.
        mutating func skipToWord() -> Bool {
            while let byte = rest.first, !byte.isTokenByte {
                if byte == UInt8(ascii: "\"") { _ = quotedString() } else { rest = rest.dropFirst() }
            }
            return !rest.isEmpty
        }

        mutating func token() -> String {
            let word = rest.prefix(while: \.isTokenByte)
            rest = rest[word.endIndex...]
            return String(decoding: word, as: UTF8.self)
        }

        var isAtEquals: Bool { rest.drop(while: Self.isBlank).first == UInt8(ascii: "=") }

        /// After the scheme: a token68 that no `=` makes a parameter's name and no comma follows as a scheme.
        mutating func token68() -> String {
            let start = rest.drop(while: Self.isBlank)
            guard start.startIndex != rest.startIndex else { return "" }
            let word = start.prefix { $0.isTokenByte || $0 == UInt8(ascii: "/") }
            let padding = start[word.endIndex...].prefix { $0 == UInt8(ascii: "=") }
            let after = start[padding.endIndex...].drop(while: Self.isBlank)
            guard !word.isEmpty, after.isEmpty || after.first == UInt8(ascii: ",") else { return "" }
            rest = after
            return String(decoding: start[word.startIndex..<padding.endIndex], as: UTF8.self)
        }

        /// Past the `=`: a quoted string, or all up to the next blank or comma: more than a token, as servers send it.
        mutating func parameterValue() -> String {
            rest = rest.drop(while: Self.isBlank).dropFirst().drop(while: Self.isBlank)
            guard rest.first != UInt8(ascii: "\"") else { return quotedString() }
            let word = rest.prefix { !Self.isBlank($0) && $0 != UInt8(ascii: ",") }
            rest = rest[word.endIndex...]
            return String(decoding: word, as: UTF8.self)
        }

        /// From its first quote on; one that is not closed ends with the text.
        private mutating func quotedString() -> String {
            var value: [UInt8] = []
            var index = rest.index(after: rest.startIndex)
            while index < rest.endIndex, rest[index] != UInt8(ascii: "\"") {
                if rest[index] == UInt8(ascii: "\\"), rest.index(after: index) < rest.endIndex {
                    index = rest.index(after: index)
                }
                value.append(rest[index])
                index = rest.index(after: index)
            }
            rest = index < rest.endIndex ? rest[rest.index(after: index)...] : rest[index...]
            return String(decoding: value, as: UTF8.self)
        }

        private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    }
}
