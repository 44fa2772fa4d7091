// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// A list of addresses: one a line, and below each, indented, what belongs to it alone, as aria2's input files have it.
///
/// Blank lines and lines that begin with `#` say nothing. An indented line is an option where it reads `name=value`,
/// otherwise an address like any other.
enum DownloadList {
    static let maximumBytes = 64 << 20

    /// - Parameter path: a file; `-` is standard input.
    /// - Throws: code `usage` where it cannot be read, lists nothing, or begins with an option.
    static func read(_ path: String, warn: (String) -> Void) throws(TransferError) -> [DownloadRequest] {
        let text =
            path == "-"
            ? try TextFile.read(STDIN_FILENO, named: path, option: "--input", limit: maximumBytes)
            : try TextFile.read(path, option: "--input", limit: maximumBytes)
        let requests = try parse(text, named: path == "-" ? "standard input" : path, warn: warn)
        guard !requests.isEmpty else { throw TransferError(.usage, option: "--input", "'\(path)' lists nothing") }
        return requests
    }

    static func parse(
        _ text: String, named file: String, warn: (String) -> Void = { _ in }
    ) throws(TransferError) -> [DownloadRequest] {
        var requests: [DownloadRequest] = []
        var mirrors = Tally()
        var number = 0
        var rest = text.utf8[...]
        // A byte-order mark, as some editors leave it.
        if rest.starts(with: [0xef, 0xbb, 0xbf]) { rest = rest.dropFirst(3) }
        while !rest.isEmpty {
            number += 1
            // Byte by byte where that says the same: lists may have very many lines.
            let end = rest.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? rest.endIndex
            let bytes = rest[..<end]
            rest = end == rest.endIndex ? rest[end...] : rest[text.utf8.index(after: end)...]
            if end < text.utf8.endIndex, text.utf8[end] == UInt8(ascii: "\r"), rest.first == UInt8(ascii: "\n") {
                rest = rest.dropFirst()
            }
            let line = content(of: bytes)
            guard !line.isEmpty, line.utf8.first != UInt8(ascii: "#") else { continue }
            let origin = DownloadRequest.Origin(file: file, line: number)
            if isBlank(bytes.first), let option = option(line, at: number) {
                guard !requests.isEmpty else {
                    throw TransferError(
                        .usage, "\(origin.words): '\(option.name)' belongs to the URL above it, and there is none")
                }
                requests[requests.count - 1].options.append(option)
                continue
            }
            let first = line.utf8.firstIndex(of: UInt8(ascii: "\t")).map { String(line[..<$0]) }
            if first != nil { mirrors.count(origin) }
            requests.append(DownloadRequest(address: first ?? line, origin: origin))
        }
        if let words = mirrors.words { warn("\(words): of several addresses in one line the first alone is used") }
        return requests
    }

    private static func content(of bytes: Substring.UTF8View) -> String {
        let line = Substring(bytes)
        let isPlain = bytes.first.map(isPrinted) == true && bytes.last.map(isPrinted) == true
        return isPlain ? String(line) : line.trimmed { $0.isWhitespace }
    }

    private static func option(_ line: String, at number: Int) -> DownloadRequest.Option? {
        guard let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")), equals != line.startIndex else { return nil }
        let name = line[..<equals]
        let isName = name.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || $0 == UInt8(ascii: "-")
        }
        guard isName else { return nil }
        return DownloadRequest.Option(
            name: String(name), value: String(line[line.utf8.index(after: equals)...]), line: number)
    }

    private static func isPrinted(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) }

    private static func isBlank(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

/// Lines of which the same is to be said: once, with their number.
struct Tally {
    private var first: DownloadRequest.Origin?
    private var others = 0

    mutating func count(_ origin: DownloadRequest.Origin) {
        if first == nil { first = origin } else { others += 1 }
    }

    /// `nil` where there was none.
    var words: String? {
        first.map { $0.words + (others > 0 ? " and \(others) more" : "") }
    }
}
