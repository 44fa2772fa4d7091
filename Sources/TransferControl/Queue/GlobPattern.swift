// SPDX-License-Identifier: MIT

package import TransferModel

/// A shell pattern: `*` matches any characters, `?` one, others themselves. The whole text must match; ASCII letters
/// match in either case.
package struct GlobPattern: Sendable, Hashable {
    /// Maximum bytes of a pattern: those of a path.
    package static let maximumLength = 4096

    package let text: String
    private let bytes: [UInt8]

    /// - Throws: code `usage` if it is empty or too long.
    package init(_ text: String) throws(TransferError) {
        guard !text.isEmpty, text.utf8.count <= Self.maximumLength else {
            throw TransferError(.pattern, Self.maximumLength)
        }
        self.text = text
        bytes = text.utf8.map(Self.folded)
    }

    package func fits(_ text: some StringProtocol) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { fits($0) } ?? Array(text.utf8).withUnsafeBufferPointer { fits($0) }
    }

    /// Backtracks to the last `*` only, so that its time is at most the product of both lengths.
    private func fits(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var (place, at) = (0, 0)
        var star: (place: Int, at: Int)?
        while at < text.count {
            if place < bytes.count, bytes[place] == UInt8(ascii: "*") {
                place += 1
                star = (place, at)
            } else if place < bytes.count, bytes[place] == UInt8(ascii: "?") {
                place += 1
                at = Self.next(text, at)
            } else if place < bytes.count, bytes[place] == Self.folded(text[at]) {
                place += 1
                at += 1
            } else if let last = star {
                place = last.place
                at = Self.next(text, last.at)
                star = (place, at)
            } else {
                return false
            }
        }
        return bytes[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// After the character at `index`.
    private static func next(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        var next = index + 1
        while next < text.count, text[next] & 0xc0 == 0x80 { next += 1 }
        return next
    }

    private static func folded(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}
