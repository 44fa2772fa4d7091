// SPDX-License-Identifier: MIT

import TransferModel

/// Checksums of many files, in the format of `SHA256SUMS`.
///
/// A line is `HEX  NAME` or `HEX *NAME` (GNU coreutils; the number of digits implies the algorithm), with a leading
/// backslash if the name has escapes, `SHA256 (NAME) = HEX` (BSD, `--tag`) or `SHA256(NAME)= HEX` (OpenSSL). A digest
/// alone is of whichever file no other line names. Other lines are ignored: comments, signatures, blank ones.
struct ChecksumList: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        /// Without a leading `./`; empty if the list states none.
        var name: String
        var checksum: Checksum
    }

    static let maximumBytes = 64 << 20

    private(set) var entries: [Entry] = []
    /// Numbers of the lines with a checksum of a name that is not UTF-8.
    private var unreadable: [Int] = []
    /// The list's name in messages.
    let source: String
    private let places: [String: [Int]]

    /// - Throws: code `usage` for text without checksums.
    init(parsing text: String, named source: String) throws(TransferError) {
        try self.init(ListText(text: text), named: source)
    }

    /// The same; lines that are not UTF-8 are ignored.
    init(_ list: ListText, named source: String) throws(TransferError) {
        self.source = source
        for (index, bytes) in ListText.lines(of: TextFile.content(of: list.text)).enumerated() {
            guard let line = String(bytes), let entry = Self.tagged(line[...]) ?? Self.plain(line[...]) else {
                continue
            }
            if list.damaged.contains(index + 1) { unreadable.append(index + 1) } else { entries.append(entry) }
        }
        guard !entries.isEmpty else {
            throw TransferError(
                .usage, option: "--checksum-file",
                "'\(source)' contains no checksums in the format of sha256sum")
        }
        places = Dictionary(grouping: entries.indices) { [entries] in Self.baseName(entries[$0].name) }
    }

    /// A warning about ignored lines; `nil` without any.
    var notice: String? {
        guard let first = unreadable.first else { return nil }
        let others = unreadable.count > 1 ? " and \(unreadable.count - 1) more" : ""
        return "'\(source)', line \(first)\(others): ignored: \(ListText.advice)"
    }

    /// The strongest checksum for the file of `url`, or else for one named `localName`.
    ///
    /// A listed path must be a suffix of the URL's path; the longest match counts.
    /// - Throws: code `usage` if there is none, or several different ones for the same name.
    func checksum(for url: TransferURL, savedAs localName: String?) throws(TransferError) -> Checksum {
        let path = String(url.target.prefix { $0 != "?" })
        let decoded = PercentCoding.decode(path) ?? path
        for (name, whole) in [(Self.baseName(decoded), decoded), (localName ?? "", localName ?? ""), ("", "")]
        where !name.isEmpty || whole.isEmpty {
            let candidates = (places[name] ?? []).map { entries[$0] }.filter { $0.name.isEmpty == name.isEmpty }
            let fitting = candidates.filter { whole == $0.name || whole.hasSuffix("/" + $0.name) }
            let longest = fitting.map(\.name.utf8.count).max()
            let best = fitting.isEmpty ? candidates : fitting.filter { $0.name.utf8.count == longest }
            guard let strongest = best.map(\.checksum.algorithm).max(by: { Self.rank($0) < Self.rank($1) }) else {
                continue
            }
            let sums = Set(best.map(\.checksum).filter { $0.algorithm == strongest })
            guard let sum = sums.first, sums.count == 1 else {
                let name = name.isEmpty ? Self.baseName(decoded) : name
                throw TransferError(
                    .usage, option: "--checksum-file",
                    "'\(source)' lists different checksums for '\(name)'; pass the right one with --checksum")
            }
            return sum
        }
        let name = Self.baseName(decoded)
        throw TransferError(
            .usage, option: "--checksum-file",
            "'\(source)' lists no checksum for '\(name.isEmpty ? url.displayString : name)'")
    }

    private static func rank(_ algorithm: Checksum.Algorithm) -> Int {
        switch algorithm {
        case .md5: 0
        case .sha1: 1
        case .sha256: 2
        case .sha512: 3
        }
    }

    private static func baseName(_ path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// `SHA256 (NAME) = HEX`, `SHA256(NAME)= HEX`, `SHA2-256(NAME)= HEX`
    private static func tagged(_ line: Substring) -> Entry? {
        let isEscaped = line.hasPrefix("\\")
        let rest = isEscaped ? line.dropFirst() : line
        guard let open = rest.firstRange(of: "("),
            let close = rest.ranges(of: ") = ").last ?? rest.ranges(of: ")= ").last,
            open.upperBound <= close.lowerBound
        else { return nil }
        let word = rest[..<open.lowerBound].trimmed { $0 == " " }.lowercased().replacing("sha2-", with: "sha")
            .replacing("-", with: "")
        guard let algorithm = Checksum.Algorithm(rawValue: word) else { return nil }
        return entry(
            String(rest[open.upperBound..<close.lowerBound]), isEscaped, String(rest[close.upperBound...]), algorithm)
    }

    /// `HEX  NAME`, `HEX *NAME`, `HEX`
    private static func plain(_ line: Substring) -> Entry? {
        let isEscaped = line.hasPrefix("\\")
        let rest = isEscaped ? line.dropFirst() : line
        let digits = rest.prefix { $0.isHexDigit }
        guard let algorithm = Checksum.Algorithm.allCases.first(where: { $0.byteCount * 2 == digits.utf8.count }) else {
            return nil
        }
        var name = rest.dropFirst(digits.count)
        guard name.isEmpty || name.first == " " || name.first == "\t" else { return nil }
        name = name.drop { $0 == " " || $0 == "\t" }
        if name.hasPrefix("*") { name = name.dropFirst() }
        return entry(String(name), isEscaped, String(digits), algorithm)
    }

    private static func entry(
        _ name: String, _ isEscaped: Bool, _ digits: String, _ algorithm: Checksum.Algorithm
    ) -> Entry? {
        var name = isEscaped ? unescaped(name) : name
        while name.hasPrefix("./") { name.removeFirst(2) }
        // The digest is of standard input.
        if ["-", "stdin"].contains(name) { name = "" }
        guard let bytes = Hex.decode(digits.trimmed { $0.isWhitespace }),
            bytes.count == algorithm.byteCount
        else { return nil }
        return Entry(name: name, checksum: Checksum(algorithm: algorithm, bytes: bytes))
    }

    /// `\\`, `\n` and `\r`, as GNU coreutils write them.
    private static func unescaped(_ name: String) -> String {
        var text = ""
        var rest = name[...]
        while let character = rest.popFirst() {
            guard character == "\\", let next = rest.popFirst() else {
                text.append(character)
                continue
            }
            text.append(["n": "\n", "r": "\r"][next] ?? next)
        }
        return text
    }
}
