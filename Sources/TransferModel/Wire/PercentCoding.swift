// SPDX-License-Identifier: MIT

/// Percent-encoding of UTF-8 (RFC 3986, section 2).
package enum PercentCoding {
    /// Everything but unreserved characters is encoded: right for cookie values and single path segments.
    package static func encode(_ text: some StringProtocol) -> String {
        escape(text) { isUnreserved($0) }
    }

    /// As ``encode(_:)``, but `/` stays: right for a relative path.
    package static func encodePath(_ path: some StringProtocol) -> String {
        escape(path) { isUnreserved($0) || $0 == UInt8(ascii: "/") }
    }

    /// Makes a pasted path and query fit for the wire: spaces, quotes and bytes outside ASCII are encoded, existing
    /// escapes stay.
    package static func escapeForTarget(_ text: some StringProtocol) -> String {
        escape(text, keeping: isKeptInTarget)
    }

    /// As ``escapeForTarget(_:)``; brackets and a `%` that begins no escape are encoded, too.
    static func escapeStrictly(_ target: some StringProtocol) -> String {
        let text = escape(target) { isKeptInTarget($0) && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") }
        let bytes = Array(text.utf8)
        var escaped: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            escaped.append(byte)
            guard byte == UInt8(ascii: "%") else { continue }
            let digits = bytes[(index + 1)...].prefix(2)
            if digits.count < 2 || digits.contains(where: { Hex.value(of: $0) == nil }) { escaped += "25".utf8 }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    static func isKeptInTarget(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: byte > 0x20 && byte < 0x7f
        }
    }

    /// `nil` for a broken escape, an encoded NUL, or bytes that are not UTF-8.
    package static func decode(_ text: some StringProtocol) -> String? {
        if !text.utf8.contains(UInt8(ascii: "%")), !text.utf8.contains(0) { return String(text) }
        guard let bytes = decodeBytes(text), !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The bytes that stand behind `text`, whatever they mean; `nil` for a broken escape.
    package static func decodeBytes(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var iterator = text.utf8.makeIterator()
        while let byte = iterator.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = iterator.next().flatMap(Hex.value(of:)), let low = iterator.next().flatMap(Hex.value(of:))
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func escape(_ text: some StringProtocol, keeping isKept: (UInt8) -> Bool) -> String {
        if text.utf8.allSatisfy(isKept) { return String(text) }
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isKept(byte) {
                bytes.append(byte)
                continue
            }
            bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }
}
