// SPDX-License-Identifier: MIT

/// `Content-Range` of a 206 or 416 response (RFC 9110, section 14.4). Only the unit `bytes` is read.
package enum ContentRange: Sendable, Hashable, CustomStringConvertible {
    /// `bytes FIRST-LAST/TOTAL`; `total` is `nil` for `*`.
    case satisfied(Range<Int64>, total: Int64?)
    /// `bytes */TOTAL`
    case unsatisfied(total: Int64)

    /// `nil` for another unit, a range that ends before it begins or reaches beyond the total, or anything malformed.
    package init?(parsing text: some StringProtocol) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        guard let slash = words[1].utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let (range, size) = (words[1][..<slash], words[1][words[1].utf8.index(after: slash)...])
        let total = Self.number(size)
        guard total != nil || size == "*" else { return nil }
        if range == "*" {
            guard let total else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        let ends = range.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < Int64.max, total.map({ last < $0 }) ?? true
        else { return nil }
        self = .satisfied(first..<(last + 1), total: total)
    }

    /// Bytes of the whole representation; `nil` if unknown.
    package var total: Int64? {
        switch self {
        case .satisfied(_, let total): total
        case .unsatisfied(let total): total
        }
    }

    package var description: String {
        switch self {
        case .satisfied(let range, let total):
            "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total.map(String.init) ?? "*")"
        case .unsatisfied(let total): "bytes */\(total)"
        }
    }

    /// Only digits; a sign or a space is invalid here.
    package static func number(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }
}
