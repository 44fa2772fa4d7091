// SPDX-License-Identifier: MIT

import HTTPTypes

/// The directives of `Cache-Control`, of all its lines together (RFC 9111, section 5.2).
///
/// Accepts any input: an argument may be a token or a quoted string, unknown directives are preserved and ignored.
struct CacheControl: Sendable, Equatable {
    enum Seconds: Sendable, Equatable {
        case absent
        /// Not a number, no argument, or two contradicting numbers.
        case invalid
        /// 0 to ``maximumSeconds``.
        case value(Int64)
    }

    /// The value of larger numbers (RFC 9111, section 1.2.2).
    static let maximumSeconds: Int64 = 2_147_483_648
    private static let pragma = HTTPField.Name("Pragma")

    /// By lower-case name, in order of appearance; `nil` for a directive without argument.
    private var arguments: [String: [String?]] = [:]

    init(_ fields: HTTPFields) {
        for field in fields where field.name == .cacheControl { read(Array(field.value.utf8)[...]) }
    }

    /// From a request's fields: `Pragma: no-cache` counts without `Cache-Control` (RFC 9111, section 5.4).
    init(request fields: HTTPFields) {
        self.init(fields)
        guard !fields.contains(.cacheControl) else { return }
        for field in fields where field.name == Self.pragma {
            let words = field.value.split { $0 == "," || $0 == " " || $0 == "\t" }
            if words.contains(where: { $0.lowercased() == "no-cache" }) { arguments["no-cache"] = [nil] }
        }
    }

    /// - Parameter name: in lower case.
    func has(_ name: String) -> Bool { arguments[name] != nil }

    /// Whether the directive occurs at least once without an argument.
    func isBare(_ name: String) -> Bool { arguments[name]?.contains(nil) ?? false }

    func seconds(_ name: String) -> Seconds {
        guard let all = arguments[name] else { return .absent }
        let numbers = Set(all.map { $0.flatMap(Self.number) })
        guard numbers.count == 1, let number = numbers.first ?? nil else { return .invalid }
        return .value(number)
    }

    /// Digits only; larger values saturate.
    static func number(_ text: String) -> Int64? {
        let digits = text.utf8
        guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return min(Int64(text) ?? maximumSeconds, maximumSeconds)
    }

    // MARK: Reading

    private mutating func read(_ text: ArraySlice<UInt8>) {
        var rest = text
        while true {
            rest = rest.drop { Self.isBlank($0) || $0 == UInt8(ascii: ",") }
            guard !rest.isEmpty else { return }
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ",") }
            rest = rest.dropFirst(name.count)
            var argument: String?
            if rest.first == UInt8(ascii: "=") { (argument, rest) = Self.argument(rest.dropFirst()) }
            arguments[Self.text(name).lowercased(), default: []].append(argument)
        }
    }

    /// The argument at the start of `text`, and the rest after the next comma.
    private static func argument(_ text: ArraySlice<UInt8>) -> (String, rest: ArraySlice<UInt8>) {
        let start = text.drop(while: isBlank)
        if start.first == UInt8(ascii: "\""), let (value, rest) = quoted(start.dropFirst()) {
            return (value, rest.drop { $0 != UInt8(ascii: ",") })
        }
        // An unclosed quote must not hide the directives behind it.
        let value = start.prefix { $0 != UInt8(ascii: ",") }
        return (Self.text(value), start.dropFirst(value.count))
    }

    /// `nil` without a closing quote.
    private static func quoted(_ text: ArraySlice<UInt8>) -> (String, rest: ArraySlice<UInt8>)? {
        var value: [UInt8] = []
        var isEscaped = false
        for index in text.indices {
            let byte = text[index]
            if isEscaped {
                value.append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                return (String(decoding: value, as: UTF8.self), text[(index + 1)...])
            } else {
                value.append(byte)
            }
        }
        return nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        var trimmed = bytes.drop(while: isBlank)
        while let last = trimmed.last, isBlank(last) { trimmed.removeLast() }
        return String(decoding: trimmed, as: UTF8.self)
    }
}
