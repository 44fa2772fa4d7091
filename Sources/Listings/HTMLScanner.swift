// SPDX-License-Identifier: MIT

/// The tags and texts of a page, in order. Tolerates whatever is no HTML.
struct HTMLScanner {
    enum Token {
        /// With `/` before the name if it ends an element.
        case tag(name: ArraySlice<UInt8>, attributes: ArraySlice<UInt8>)
        case text(ArraySlice<UInt8>)
    }

    private let page: [UInt8]
    private var position = 0
    private static let open = UInt8(ascii: "<")
    private static let close = UInt8(ascii: ">")
    /// Elements whose content is code.
    private static let skipped: [[UInt8]] = [Array("script".utf8), Array("style".utf8)]

    init(_ page: [UInt8]) { self.page = page }

    mutating func next() -> Token? {
        guard position < page.count else { return nil }
        guard page[position] == Self.open, position + 1 < page.count, Self.beginsTag(page[position + 1]) else {
            let start = position
            position += 1
            while position < page.count, page[position] != Self.open { position += 1 }
            return .text(page[start..<position])
        }
        if page[position...].starts(with: "<!--".utf8) {
            position = end(of: Array("-->".utf8), from: position + 4)
            return .text([])
        }
        let start = position + 1
        var quote: UInt8?
        position = start
        var last: UInt8 = 0
        while position < page.count {
            let byte = page[position]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == Self.close {
                break
            } else if last == UInt8(ascii: "="), byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
            if byte > 0x20 { last = byte }
            position += 1
        }
        let tag = page[start..<position]
        position = min(page.count, position + 1)
        let name = tag.prefix { $0 > 0x20 }
        if Self.skipped.contains(where: { Self.areEqual(name, $0) }) {
            position = end(of: Array("</".utf8) + name, from: position)
        }
        return .tag(name: name, attributes: tag[name.endIndex...])
    }

    private static func beginsTag(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "!") || (0x61...0x7a).contains(byte | 0x20)
    }

    /// Behind the next `text`, in either case; the end of the page, where it is missing.
    private func end(of text: [UInt8], from start: Int) -> Int {
        var place = start
        while place + text.count <= page.count {
            if page[place] == text[0], Self.areEqual(page[place..<(place + text.count)], text) {
                return place + text.count
            }
            place += 1
        }
        return page.count
    }

    /// Without regard to the case of ASCII.
    static func areEqual(_ one: ArraySlice<UInt8>, _ other: some Collection<UInt8>) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }

    /// The value of an attribute, with its character references; `nil` if it is missing.
    static func value(of name: String, in attributes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = attributes
        while true {
            rest = rest.drop { $0 <= 0x20 || $0 == UInt8(ascii: "/") }
            guard !rest.isEmpty else { return nil }
            let key = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: "=") }
            // A stray `=` is skipped.
            rest = rest[key.endIndex...].drop { $0 <= 0x20 }
            guard rest.first == UInt8(ascii: "=") else {
                if areEqual(key, name.utf8) { return [] }
                continue
            }
            rest = rest.dropFirst().drop { $0 <= 0x20 }
            let value: ArraySlice<UInt8>
            if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                value = rest.dropFirst().prefix { $0 != quote }
                rest = rest[value.endIndex...].dropFirst()
            } else {
                value = rest.prefix { $0 > 0x20 }
                rest = rest[value.endIndex...]
            }
            if areEqual(key, name.utf8) { return unescaped(value) }
        }
    }

    private static let references: [String: [UInt8]] = [
        "amp": [UInt8(ascii: "&")], "lt": [UInt8(ascii: "<")], "gt": [UInt8(ascii: ">")],
        "quot": [UInt8(ascii: "\"")], "apos": [UInt8(ascii: "'")], "nbsp": [UInt8(ascii: " ")],
    ]

    /// With the characters that the references of listings stand for; others stay.
    static func unescaped(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.contains(UInt8(ascii: "&")) else { return text }
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "&"), let end = rest.prefix(10).firstIndex(of: UInt8(ascii: ";")),
                let bytes = character(String(decoding: rest[..<end], as: UTF8.self))
            else {
                plain.append(byte)
                continue
            }
            plain += bytes
            rest = rest[(end + 1)...]
        }
        return plain[...]
    }

    private static func character(_ reference: String) -> [UInt8]? {
        if let known = references[reference] { return known }
        guard reference.utf8.first == UInt8(ascii: "#") else { return nil }
        let digits = reference.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap { Unicode.Scalar($0) }.map { Array(String($0).utf8) }
    }
}
