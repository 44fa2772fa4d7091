// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import TransferModel

/// A list of URLs, one per line, each followed by indented options as in aria2's input files.
///
/// Blank lines and lines that begin with `#` are ignored. An indented line is an option if it has the form
/// `name=value`, else a URL. Several URLs in one line, separated by tabs, are of the same file; what follows ` #` is a
/// comment.
enum DownloadList {
    static let maximumBytes = 64 << 20

    /// - Parameter path: a file; `-` is standard input.
    /// - Throws: code `usage` if it is unreadable, or begins with an option.
    static func read(_ path: String) throws(TransferError) -> [DownloadRequest] {
        if let list = peeked.withLock({ $0.removeValue(forKey: path) }) { return try parse(list, path) }
        return try parse(try TextFile.readList(path, option: "--input", limit: maximumBytes), path)
    }

    /// The same before the list is read: what can be read only once is stored until then. A terminal is not read.
    static func peek(_ path: String) throws(TransferError) -> [DownloadRequest] {
        let isInput = path == "-"
        guard !isInput || isatty(STDIN_FILENO) == 0 else { return [] }
        let list = try TextFile.readList(path, option: "--input", limit: maximumBytes)
        if isInput || FileStatus(path)?.isRegular != true { peeked.withLock { $0[path] = list } }
        return try parse(list, path)
    }

    private static let peeked = Mutex<[String: ListText]>([:])

    private static func parse(_ list: ListText, _ path: String) throws(TransferError) -> [DownloadRequest] {
        try parse(list.text, damaged: list.damaged, named: path == "-" ? "standard input" : path)
    }

    /// - Parameter damaged: the lines that are not UTF-8, by number: their requests have a fault.
    static func parse(
        _ text: String, damaged: Set<Int> = [], named file: String
    ) throws(TransferError) -> [DownloadRequest] {
        var requests: [DownloadRequest] = []
        var number = 0
        var rest = TextFile.content(of: text)
        while !rest.isEmpty {
            number += 1
            // On bytes for speed: lists may be very long.
            let end = rest.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? rest.endIndex
            let bytes = rest[..<end]
            rest = end == rest.endIndex ? rest[end...] : rest[text.utf8.index(after: end)...]
            if end < text.utf8.endIndex, text.utf8[end] == UInt8(ascii: "\r"), rest.first == UInt8(ascii: "\n") {
                rest = rest.dropFirst()
            }
            let line = content(of: bytes)
            guard !line.isEmpty, line.utf8.first != UInt8(ascii: "#") else { continue }
            let origin = DownloadRequest.Origin(file: file, line: number)
            let isDamaged = damaged.contains(number)
            if isBlank(bytes.first), let option = option(line, at: number) {
                guard !requests.isEmpty else {
                    throw TransferError(
                        .usage, "\(origin.words): '\(option.name)' needs a URL above it")
                }
                requests[requests.count - 1].options.append(option)
                if isDamaged, requests[requests.count - 1].fault == nil {
                    requests[requests.count - 1].fault = TransferError(
                        .usage, "line \(number): \(option.name): \(ListText.advice)")
                }
                continue
            }
            requests.append(request(withoutComment(line), origin))
            if isDamaged { requests[requests.count - 1].fault = TransferError(.usage, ListText.advice) }
        }
        return requests
    }

    /// A line has the addresses of one file, separated by tabs.
    private static func request(_ line: String, _ origin: DownloadRequest.Origin) -> DownloadRequest {
        guard line.utf8.contains(UInt8(ascii: "\t")) else { return DownloadRequest(address: line, origin: origin) }
        let addresses = line.utf8.split(separator: UInt8(ascii: "\t")).map { Substring($0).trimmed(\.isWhitespace) }
        var request = DownloadRequest(address: addresses.first ?? line, origin: origin)
        request.mirrors = addresses.dropFirst().filter { !$0.isEmpty }.map { DownloadRequest.Mirror(address: $0) }
        return request
    }

    /// No address has blanks.
    private static func withoutComment(_ line: String) -> String {
        guard line.utf8.contains(UInt8(ascii: "#")) else { return line }
        var last: UInt8?
        let end = line.utf8.firstIndex { byte in
            defer { last = byte }
            return byte == UInt8(ascii: "#") && isBlank(last)
        }
        return end.map { line[..<$0].trimmed { $0.isWhitespace } } ?? line
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

/// Lines with the same warning: reported once, with their count.
struct Tally {
    private var first: DownloadRequest.Origin?
    private var others = 0

    mutating func count(_ origin: DownloadRequest.Origin) {
        if first == nil { first = origin } else { others += 1 }
    }

    /// `nil` if there was none.
    var words: String? {
        first.map { $0.words + (others > 0 ? " and \(others) more" : "") }
    }
}
