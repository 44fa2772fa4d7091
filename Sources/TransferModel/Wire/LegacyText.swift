// SPDX-License-Identifier: MIT

import Glibc

/// Text in charsets older than UTF-8, as servers put the names of their files into header fields. Converted by the C
/// library.
package enum LegacyText {
    /// - Parameter charset: as IANA names it, in any case. `iso-8859-1` is read as windows-1252, as browsers do.
    /// - Returns: `nil` for a charset that is not known or not made for header fields, for bytes that are not valid in
    ///   it, and where the text would hold a NUL.
    package static func decode(_ bytes: [UInt8], charset: String) -> String? {
        if bytes.contains(0) { return nil }
        switch charset.lowercased() {
        case "utf-8", "utf8": return String(validating: bytes, as: UTF8.self)
        case "us-ascii", "ascii": return bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
        case "iso-8859-1", "latin1", "windows-1252", "cp1252": return latin1(bytes)
        case "shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j", "cp932", "ms932":
            return convert(bytes, from: "CP932")
        case "euc-jp", "x-euc-jp": return convert(bytes, from: "EUC-JP-MS")
        case let name:
            // What is stateless and a superset of ASCII, and in the C library.
            let isPlain =
                [
                    "iso-2022-jp", "iso-8859-", "windows-125", "koi8-", "euc-kr", "gb2312", "gbk", "gb18030", "big5",
                    "tis-620",
                ]
                .contains { name.hasPrefix($0) }
                && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "/") }
            return isPlain ? convert(bytes, from: name) : nil
        }
    }

    /// Decodes bytes that are not UTF-8 and have no charset: Shift_JIS or EUC-JP if valid and plausible, else
    /// windows-1252.
    package static func guess(_ bytes: [UInt8]) -> String {
        let shiftJIS = decode(bytes, charset: "shift_jis").flatMap { isJapanese($0, bytes) ? $0 : nil }
        let extendedUnix = decode(bytes, charset: "euc-jp").flatMap { isJapanese($0, bytes) ? $0 : nil }
        switch (shiftJIS, extendedUnix) {
        // Every pair of EUC-JP kana is also two halfwidth letters of Shift_JIS, which file names do not use.
        case (let one?, let other?): return one.unicodeScalars.contains(where: isHalfwidth) ? other : one
        case (let one?, nil): return one
        case (nil, let other?): return other
        case (nil, nil): return latin1(bytes)
        }
    }

    /// Whether a decoded text can have been meant: an accented letter of Latin-1 and the letter behind it are often one
    /// valid, but single, character of Shift_JIS.
    private static func isJapanese(_ text: String, _ bytes: [UInt8]) -> Bool {
        var (run, longest) = (0, 0)
        for scalar in text.unicodeScalars {
            if (0xE000...0xF8FF).contains(scalar.value) { return false }
            run = scalar.isASCII ? 0 : run + 1
            longest = max(longest, run)
        }
        // Bytes 0x80 to 0x9F are no letters in Latin-1.
        return longest >= 2 || bytes.contains { (0x81...0x9F).contains($0) }
    }

    private static func isHalfwidth(_ scalar: Unicode.Scalar) -> Bool { (0xFF61...0xFF9F).contains(scalar.value) }

    /// windows-1252, of whose five holes ISO-8859-1 makes control characters.
    private static func latin1(_ bytes: [UInt8]) -> String {
        convert(bytes, from: "CP1252") ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static func convert(_ bytes: [UInt8], from charset: String) -> String? {
        guard let converter = iconv_open("UTF-8", charset), Int(bitPattern: converter) != -1 else { return nil }
        defer { iconv_close(converter) }
        var input = bytes.map { CChar(bitPattern: $0) }
        // No character of these charsets takes more than four bytes in UTF-8.
        var output = [CChar](repeating: 0, count: bytes.count * 4 + 16)
        let capacity = output.count
        let left = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target -> Int? in
                var (from, to) = (source.baseAddress, target.baseAddress)
                var (fromLeft, toLeft) = (source.count, target.count)
                guard iconv(converter, &from, &fromLeft, &to, &toLeft) != -1, fromLeft == 0,
                    iconv(converter, nil, nil, &to, &toLeft) != -1
                else { return nil }
                return toLeft
            }
        }
        guard let left else { return nil }
        return String(validating: output[..<(capacity - left)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
