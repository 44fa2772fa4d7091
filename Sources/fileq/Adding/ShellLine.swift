// SPDX-License-Identifier: MIT

import TransferModel

/// One simple command as a POSIX shell reads it (IEEE 1003.1, section 2.2), with the `$'…'` of bash, which browsers
/// write.
///
/// Expands nothing: what needs a shell (variables, substitutions, pipes) is rejected.
struct ShellLine {
    private let bytes: [UInt8]
    private var index = 0
    private var words: [String] = []
    /// The current token; `nil` between tokens.
    private var word: [UInt8]?

    /// - Throws: code `usage`, naming what needs a shell.
    static func split(_ text: String) throws(TransferError) -> [String] {
        var line = ShellLine(bytes: Array(text.utf8))
        try line.read()
        guard !line.words.contains(where: { $0.utf8.contains(0) }) else {
            throw TransferError(.usage, "an argument contains NUL")
        }
        return line.words
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func read() throws(TransferError) {
        while let byte = next() {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"): endWord()
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                endWord()
                if !words.isEmpty { return try requireNothingMore() }
            case UInt8(ascii: "#") where word == nil: while let next = peek(), next != UInt8(ascii: "\n") { index += 1 }
            case UInt8(ascii: "\\"): try readEscaped()
            case UInt8(ascii: "'"): try readSingle()
            case UInt8(ascii: "\""): try readDouble()
            case UInt8(ascii: "$"): try readDollar(isQuoted: false)
            case UInt8(ascii: "`"): throw Self.refusal("a command in backticks")
            case UInt8(ascii: "|"): throw Self.refusal("'|': pass only the command before it")
            case UInt8(ascii: ">"), UInt8(ascii: "<"):
                throw Self.refusal("'\(Character(Unicode.Scalar(byte)))': use -o for the file name")
            case UInt8(ascii: ";") where isAtEnd: endWord()
            case UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "("), UInt8(ascii: ")"):
                throw Self.refusal(
                    "'\(Character(Unicode.Scalar(byte)))' outside quotes: quote the URL, and pass one "
                        + "command only"
                )
            case UInt8(ascii: "~") where word == nil: throw Self.refusal("'~': use the full path")
            case UInt8(ascii: "^")
            where peek() == UInt8(ascii: "\"") || peek() == UInt8(ascii: "\n") || peek() == UInt8(ascii: "\r"):
                throw TransferError(
                    .usage, "this line is for cmd.exe; in the browser, copy it as 'cURL (bash)' or 'cURL (POSIX)'")
            default: append(byte)
            }
        }
        endWord()
    }

    private mutating func next() -> UInt8? {
        guard index < bytes.count else { return nil }
        defer { index += 1 }
        return bytes[index]
    }

    private func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private var isAtEnd: Bool { bytes[index...].allSatisfy(Self.isBlank) }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }

    private mutating func append(_ byte: UInt8) { word = (word.take() ?? []) + CollectionOfOne(byte) }

    private mutating func endWord() {
        guard let done = word else { return }
        words.append(String(decoding: done, as: UTF8.self))
        word = nil
    }

    private func requireNothingMore() throws(TransferError) {
        let rest = bytes[index...].drop(while: Self.isBlank)
        guard rest.isEmpty || rest.first == UInt8(ascii: "#") else {
            throw TransferError(
                .usage, "this is more than one command; pass one, with a backslash at the end of each continued line"
            )
        }
    }

    /// A backslash at the end of a line continues it.
    private mutating func readEscaped() throws(TransferError) {
        guard let byte = next() else { throw Self.unfinished("the line ends in a backslash") }
        if byte == UInt8(ascii: "\r"), peek() == UInt8(ascii: "\n") {
            index += 1
        } else if byte != UInt8(ascii: "\n") {
            append(byte)
        }
    }

    private mutating func readSingle() throws(TransferError) {
        word = word ?? []
        while let byte = next() {
            if byte == UInt8(ascii: "'") { return }
            append(byte)
        }
        throw Self.unfinished("a quote is not closed")
    }

    private mutating func readDouble() throws(TransferError) {
        word = word ?? []
        while let byte = next() {
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "`"): throw Self.refusal("a command in backticks")
            case UInt8(ascii: "$"): try readDollar(isQuoted: true)
            case UInt8(ascii: "\\"):
                guard let escaped = next() else { throw Self.unfinished("a quote is not closed") }
                switch escaped {
                case UInt8(ascii: "\n"): break
                case UInt8(ascii: "$"), UInt8(ascii: "`"), UInt8(ascii: "\""), UInt8(ascii: "\\"): append(escaped)
                default:
                    append(byte)
                    append(escaped)
                }
            default: append(byte)
            }
        }
        throw Self.unfinished("a quote is not closed")
    }

    private mutating func readDollar(isQuoted: Bool) throws(TransferError) {
        guard let byte = peek() else { return append(UInt8(ascii: "$")) }
        switch byte {
        case UInt8(ascii: "'") where !isQuoted:
            index += 1
            try readBashQuote()
        case UInt8(ascii: "\"") where !isQuoted:
            index += 1
            try readDouble()
        case UInt8(ascii: "("): throw Self.refusal("a command in '$(…)'")
        case UInt8(ascii: "{"): throw Self.refusal("a variable in '${…}': put its value there")
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
            let name = bytes[index...].prefix { Self.isNameByte($0) }
            throw Self.refusal("the variable $\(String(decoding: name, as: UTF8.self)): put its value there")
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "@"), UInt8(ascii: "*"), UInt8(ascii: "?"),
            UInt8(ascii: "$"), UInt8(ascii: "!"),
            UInt8(ascii: "#"), UInt8(ascii: "-"):
            throw Self.refusal(
                "a variable ('$\(Character(Unicode.Scalar(byte)))'): put its value there, or a backslash before the '$'"
            )
        default: append(UInt8(ascii: "$"))
        }
    }

    /// `$'…'` with the escapes of C.
    private mutating func readBashQuote() throws(TransferError) {
        word = word ?? []
        while let byte = next() {
            if byte == UInt8(ascii: "'") { return }
            guard byte == UInt8(ascii: "\\") else {
                append(byte)
                continue
            }
            guard let escaped = next() else { break }
            switch escaped {
            case UInt8(ascii: "u"): try append(number(digits: 4))
            case UInt8(ascii: "U"): try append(number(digits: 8))
            case UInt8(ascii: "x"): append(UInt8(truncatingIfNeeded: try number(digits: 2)))
            case UInt8(ascii: "0")...UInt8(ascii: "7"):
                index -= 1
                append(UInt8(truncatingIfNeeded: try number(digits: 3, radix: 8)))
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "?"): append(escaped)
            default:
                if let control = Self.controls[escaped] {
                    append(control)
                } else {
                    append(byte)
                    append(escaped)
                }
            }
        }
        throw Self.unfinished("a quote is not closed")
    }

    private static let controls: [UInt8: UInt8] = [
        UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "e"): 27, UInt8(ascii: "E"): 27, UInt8(ascii: "f"): 12,
        UInt8(ascii: "n"): 10,
        UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9, UInt8(ascii: "v"): 11,
    ]

    /// At most `count` digits.
    private mutating func number(digits: Int, radix: UInt32 = 16) throws(TransferError) -> UInt32 {
        var value: UInt32 = 0
        var count = 0
        while count < digits, let byte = peek(), let digit = Hex.value(of: byte), digit < radix {
            value = value &* radix &+ UInt32(digit)
            index += 1
            count += 1
        }
        guard count > 0 else { throw TransferError(.usage, "an escape in $'…' has no digits") }
        return value
    }

    /// Browsers write characters beyond the BMP as UTF-16 surrogates.
    private mutating func append(_ value: UInt32) throws(TransferError) {
        var value = value
        if (0xd800..<0xdc00).contains(value), bytes[index...].starts(with: #"\u"#.utf8) {
            index += 2
            let low = try number(digits: 4)
            if (0xdc00..<0xe000).contains(low) { value = 0x10000 + (value - 0xd800) << 10 + (low - 0xdc00) }
        }
        guard let scalar = Unicode.Scalar(value), value != 0 else {
            throw TransferError(.usage, "an escape in $'…' is no character")
        }
        for byte in String(Character(scalar)).utf8 { append(byte) }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func refusal(_ what: String) -> TransferError {
        TransferError(.usage, "the line needs a shell for \(what)")
    }

    private static func unfinished(_ what: String) -> TransferError {
        TransferError(.usage, "the line is incomplete: \(what)")
    }
}
