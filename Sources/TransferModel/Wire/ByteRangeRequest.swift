// SPDX-License-Identifier: MIT

/// The single byte range of a `Range` field (RFC 9110, section 14.1).
package enum ByteRangeRequest: Sendable, Hashable, CustomStringConvertible {
    /// `bytes=FIRST-`
    case from(Int64)
    /// `bytes=FIRST-LAST`; never empty.
    case bounded(ClosedRange<Int64>)
    /// `bytes=-COUNT`: the last `COUNT` bytes.
    case suffix(Int64)

    /// `nil` for whatever a server responds to with the whole: another unit, several ranges, or anything malformed.
    package init?(parsing text: some StringProtocol) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let ends = parts[1].split(separator: "-", omittingEmptySubsequences: false).map { $0.withoutBlanks }
        guard ends.count == 2 else { return nil }
        switch (ContentRange.number(ends[0]), ContentRange.number(ends[1])) {
        case (let first?, let last?):
            guard first <= last, last < Int64.max else { return nil }
            self = .bounded(first...last)
        case (let first?, nil) where ends[1].isEmpty: self = .from(first)
        case (nil, let count?) where ends[0].isEmpty: self = .suffix(count)
        default: return nil
        }
    }

    /// The bytes meant of a file of `size` bytes; `nil` where none of them exists (response 416).
    package func resolved(size: Int64) -> Range<Int64>? {
        switch self {
        case .from(let first): first < size ? first..<size : nil
        case .bounded(let range): range.lowerBound < size ? range.lowerBound..<min(range.upperBound + 1, size) : nil
        case .suffix(let count): count > 0 && size > 0 ? max(0, size - count)..<size : nil
        }
    }

    package var description: String {
        switch self {
        case .from(let first): "bytes=\(first)-"
        case .bounded(let range): "bytes=\(range.lowerBound)-\(range.upperBound)"
        case .suffix(let count): "bytes=-\(count)"
        }
    }
}
