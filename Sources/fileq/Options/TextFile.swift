// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferModel

/// Small text files that the user names; pipes such as `/dev/fd/3` are read as well.
enum TextFile {
    /// - Throws: code `usage`, prefixed with `option`, if it is unreadable, not UTF-8 or exceeds `limit` bytes.
    static func read(_ path: String, option: String, limit: Int) throws(TransferError) -> String {
        try text(bytes(ofFile: path, option: option, limit: limit), named: path, option: option)
    }

    /// All but a byte-order mark, as some editors write.
    static func content(of text: String) -> Substring.UTF8View {
        let bytes = text.utf8[...]
        return bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes
    }

    /// The same from an open descriptor, which stays open.
    static func read(
        _ descriptor: Int32, named path: String, option: String,
        limit: Int
    ) throws(TransferError) -> String {
        try text(bytes(descriptor, named: path, option: option, limit: limit), named: path, option: option)
    }

    private static func text(
        _ bytes: [UInt8], named path: String, option: String
    ) throws(TransferError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw TransferError(.usage, option: option, "'\(path)' is not UTF-8 text")
        }
        return text
    }

    /// A list: what is not UTF-8 in it concerns single lines.
    /// - Parameter path: `-` is standard input.
    /// - Throws: as ``read(_:option:limit:)``.
    static func readList(_ path: String, option: String, limit: Int) throws(TransferError) -> ListText {
        guard path != "-" else {
            return ListText(bytes: try bytes(STDIN_FILENO, named: path, option: option, limit: limit))
        }
        return try readListFile(path, option: option, limit: limit)
    }

    /// The same of a file, whatever its name.
    static func readListFile(_ path: String, option: String, limit: Int) throws(TransferError) -> ListText {
        ListText(bytes: try bytes(ofFile: path, option: option, limit: limit))
    }

    /// The same of what was downloaded.
    static func list(_ bytes: [UInt8], named name: String, option: String) throws(TransferError) -> ListText {
        try check(bytes, named: name, option: option)
        return ListText(bytes: bytes)
    }

    private static func bytes(
        ofFile path: String, option: String, limit: Int
    ) throws(TransferError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, option, errno) }
        defer { close(descriptor) }
        return try bytes(descriptor, named: path, option: option, limit: limit)
    }

    private static func bytes(
        _ descriptor: Int32, named path: String, option: String,
        limit: Int
    ) throws(TransferError) -> [UInt8] {
        let bytes: [UInt8]?
        do {
            bytes = try Descriptor(borrowing: descriptor).readToEnd(limit: limit)
        } catch {
            throw failure(path, option, error.errno)
        }
        guard let bytes else {
            throw TransferError(.usage, option: option, "'\(path)' is larger than \(limit >> 20) MiB")
        }
        try check(bytes, named: path, option: option)
        return bytes
    }

    /// The kernel truncates names at NUL.
    private static func check(_ bytes: [UInt8], named path: String, option: String) throws(TransferError) {
        guard !bytes.contains(0) else {
            throw TransferError(.usage, option: option, "'\(path)' is not text: it contains NUL")
        }
    }

    private static func failure(_ path: String, _ option: String, _ code: Int32) -> TransferError {
        TransferError(.usage, option: option, "'\(path)': \(TransferError.phrase(errno: code))", systemErrno: code)
    }
}

/// The text of a list, each line of which counts alone.
struct ListText {
    /// With U+FFFD in place of bytes that are not UTF-8.
    var text: String
    /// The numbers of the lines with such bytes, from 1.
    var damaged: Set<Int> = []

    init(text: String) { self.text = text }

    init(bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            for (index, line) in Self.lines(of: bytes).enumerated()
            where String(validating: line, as: UTF8.self) == nil {
                damaged.insert(index + 1)
            }
            self.text = String(decoding: bytes, as: UTF8.self)
            return
        }
        self.text = text
    }

    /// Without their ends: LF, CR, or both.
    static func lines<Bytes: Collection<UInt8>>(of bytes: Bytes) -> [Bytes.SubSequence] {
        var lines: [Bytes.SubSequence] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? rest.endIndex
            lines.append(rest[..<end])
            guard end < rest.endIndex else { break }
            let isReturn = rest[end] == UInt8(ascii: "\r")
            rest = rest[rest.index(after: end)...]
            if isReturn, rest.first == UInt8(ascii: "\n") { rest = rest.dropFirst() }
        }
        return lines
    }

    /// What is wrong with a damaged line, and what to do.
    static let advice = "not UTF-8; convert the list with iconv, or percent-encode what is not ASCII"
}

extension StringProtocol {
    /// Without leading and trailing characters that satisfy `isMargin`.
    func trimmed(_ isMargin: (Character) -> Bool) -> String {
        var rest = self[...].drop(while: isMargin)
        while let last = rest.last, isMargin(last) { rest.removeLast() }
        return String(rest)
    }
}
