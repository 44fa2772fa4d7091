// SPDX-License-Identifier: MIT

/// Paths by their bytes, as the kernel reads them. As characters, a slash and a combining mark behind it are one, which
/// is no slash: split at slashes, `"a/\u{301}b"` has one element.
extension StringProtocol where SubSequence == Substring, UTF8View: BidirectionalCollection {
    package var firstSlash: Index? { utf8.firstIndex(of: UInt8(ascii: "/")) }
    package var lastSlash: Index? { utf8.lastIndex(of: UInt8(ascii: "/")) }
    package var beginsWithSlash: Bool { utf8.first == UInt8(ascii: "/") }
    package var endsWithSlash: Bool { utf8.last == UInt8(ascii: "/") }

    /// What stands between slashes, without what is empty.
    package var pathParts: [Substring] {
        utf8.split(separator: UInt8(ascii: "/")).map { self[$0.startIndex..<$0.endIndex] }
    }

    /// The last one of ``pathParts``.
    package var lastPathPart: Substring? {
        guard let last = utf8.lastIndex(where: { $0 != UInt8(ascii: "/") }) else { return nil }
        let end = utf8.index(after: last)
        let start = utf8[..<last].lastIndex(of: UInt8(ascii: "/")).map { utf8.index(after: $0) } ?? startIndex
        return self[start..<end]
    }

    /// Up to and with the last slash; `nil`, if there is none.
    package var throughLastSlash: Substring? { lastSlash.map { self[..<utf8.index(after: $0)] } }

    /// What stands behind the last slash, which may be nothing; all of it, if there is none.
    package var afterLastSlash: Substring { self[(lastSlash.map { utf8.index(after: $0) } ?? startIndex)...] }
}
