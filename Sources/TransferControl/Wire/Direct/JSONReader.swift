// SPDX-License-Identifier: MIT

import Glibc

/// Reads JSON directly from bytes, value by value, in one pass.
///
/// It relies on the types that its caller expects. A skipped value is only followed to its end and not validated. The
/// bytes must stay in place while the reader is used.
package struct JSONReader {
    package struct Problem: Error {
        package init() {}
    }

    private var next: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>

    /// Reads `bytes` with `body`.
    package static func read<Value>(_ bytes: [UInt8], _ body: (inout JSONReader) throws -> Value) throws -> Value {
        try bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { throw Problem() }
            var reader = JSONReader(start: start, end: start + buffer.count)
            return try body(&reader)
        }
    }

    private init(start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
        next = start
        self.end = end
    }

    /// The next byte that is not whitespace; it is not consumed.
    package mutating func peek() throws -> UInt8 {
        while next < end {
            let byte = next.pointee
            guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return byte }
            next += 1
        }
        throw Problem()
    }

    package mutating func take(_ sign: Unicode.Scalar) throws {
        guard try takes(sign) else { throw Problem() }
    }

    /// Consumes `sign` if it is next.
    package mutating func takes(_ sign: Unicode.Scalar) throws -> Bool {
        guard try peek() == UInt8(ascii: sign) else { return false }
        next += 1
        return true
    }

    package mutating func takesNull() throws -> Bool {
        guard try peek() == UInt8(ascii: "n") else { return false }
        try word("null")
        return true
    }

    /// The raw name of a member, and the colon after it.
    mutating func key() throws -> UnsafeBufferPointer<UInt8> {
        let (name, _) = try rawString()
        try take(":")
        return name
    }

    /// Nothing follows.
    package mutating func takeEnd() throws {
        guard (try? peek()) == nil else { throw Problem() }
    }

    // MARK: Values

    package mutating func string() throws -> String {
        let (raw, hasEscapes) = try rawString()
        return hasEscapes ? try Self.unescaped(raw) : String(decoding: raw, as: UTF8.self)
    }

    package mutating func bool() throws -> Bool {
        let isTrue = try peek() == UInt8(ascii: "t")
        try word(isTrue ? "true" : "false")
        return isTrue
    }

    package mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        _ = try peek()
        let isNegative = next.pointee == UInt8(ascii: "-")
        if isNegative { next += 1 }
        let start = next
        var value: Int64 = 0
        while next < end, next.pointee &- 0x30 < 10 {
            let (tens, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflows2) = tens.addingReportingOverflow(Int64(next.pointee &- 0x30))
            guard !overflows, !overflows2 else { throw Problem() }
            value = sum
            next += 1
        }
        guard next > start, !(start.pointee == UInt8(ascii: "0") && next > start + 1),
            next == end || ![UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains(next.pointee),
            let fitting = Value(exactly: isNegative ? -value : value)
        else { throw Problem() }
        return fitting
    }

    package mutating func double() throws -> Double {
        if try peek() == UInt8(ascii: "\"") {
            switch try string() {
            case "inf": return .infinity
            case "-inf": return -.infinity
            case "nan": return .nan
            default: throw Problem()
            }
        }
        let start = next
        var isShortInteger = true
        while next < end, Self.isOfNumber(next.pointee) {
            if next.pointee &- 0x30 >= 10 { isShortInteger = false }
            next += 1
        }
        let text = UnsafeBufferPointer(start: start, count: next - start)
        guard Self.isNumber(text) else { throw Problem() }
        if isShortInteger, text.count <= 15 { return Double(text.reduce(0) { $0 * 10 + Int($1 &- 0x30) }) }
        guard let value = Double(String(decoding: text, as: UTF8.self)) else { throw Problem() }
        return value
    }

    /// Whether it has the form of a number (RFC 8259, section 6), of which the initializer of Double takes more.
    private static func isNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var rest = text[...]
        func digits(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Int {
            let count = rest.prefix { $0 &- 0x30 < 10 }.count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let first = rest.first
        let whole = digits(&rest)
        guard whole > 0, whole == 1 || first != UInt8(ascii: "0") else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits(&rest) > 0 else { return false }
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard digits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    /// The bytes of the next value of any type.
    mutating func value() throws -> UnsafeBufferPointer<UInt8> {
        _ = try peek()
        let start = next
        var depth = 0
        repeat {
            switch try peek() {
            case UInt8(ascii: "\""): _ = try rawString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                next += 1
                continue
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { throw Problem() }
                depth -= 1
                next += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard depth > 0 else { throw Problem() }
                next += 1
                continue
            default:
                let before = next
                while next < end, Self.isOfNumber(next.pointee) || next.pointee &- 0x61 < 26 { next += 1 }
                guard next > before else { throw Problem() }
            }
        } while depth > 0
        return UnsafeBufferPointer(start: start, count: next - start)
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
    }

    private mutating func word(_ word: StaticString) throws {
        guard end - next >= word.utf8CodeUnitCount, memcmp(next, word.utf8Start, word.utf8CodeUnitCount) == 0 else {
            throw Problem()
        }
        next += word.utf8CodeUnitCount
    }

    /// The content of a string, and whether it contains escapes.
    private mutating func rawString() throws -> (UnsafeBufferPointer<UInt8>, hasEscapes: Bool) {
        try take("\"")
        let start = next
        var hasEscapes = false
        while next < end, next.pointee != UInt8(ascii: "\"") {
            // A control character must be escaped (RFC 8259, section 7).
            guard next.pointee >= 0x20 else { throw Problem() }
            if next.pointee == UInt8(ascii: "\\") {
                hasEscapes = true
                next += 1
            }
            next += 1
        }
        guard next < end else { throw Problem() }
        defer { next += 1 }
        return (UnsafeBufferPointer(start: start, count: next - start), hasEscapes)
    }

    private static func unescaped(_ raw: UnsafeBufferPointer<UInt8>) throws -> String {
        var units: [UInt16] = []
        var rest = String(decoding: raw, as: UTF8.self).utf16[...]
        while let unit = rest.popFirst() {
            guard unit == 0x5c else {
                units.append(unit)
                continue
            }
            guard let sign = rest.popFirst().flatMap({ Unicode.Scalar($0) }) else { throw Problem() }
            switch sign {
            case "\"", "\\", "/": units.append(UInt16(sign.value))
            case "b": units.append(8)
            case "f": units.append(12)
            case "n": units.append(10)
            case "r": units.append(13)
            case "t": units.append(9)
            case "u":
                // A sign is no digit.
                guard rest.count >= 4, let digits = String(rest.prefix(4)), digits.allSatisfy(\.isHexDigit),
                    let unit = UInt16(digits, radix: 16)
                else { throw Problem() }
                units.append(unit)
                rest = rest.dropFirst(4)
            default: throw Problem()
            }
        }
        return String(decoding: units, as: UTF16.self)
    }
}
