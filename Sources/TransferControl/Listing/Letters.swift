// SPDX-License-Identifier: MIT

/// A part of a text, ignoring case. Prepared for many texts: most are ASCII, and are compared byte by byte.
struct Letters: Hashable, Sendable {
    /// In lower case.
    let text: String
    private let bytes: [UInt8]
    private let isASCII: Bool

    init(_ text: String) {
        self.text = text.lowercased()
        bytes = Array(self.text.utf8)
        isASCII = bytes.allSatisfy { $0 < 0x80 }
    }

    func isIn(_ other: some StringProtocol) -> Bool {
        let found = other.utf8.withContiguousStorageIfAvailable { search($0) } ?? nil
        return found ?? other.lowercased().contains(text)
    }

    /// `nil`: bytes do not decide it.
    private func search(_ other: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard isASCII, let first = bytes.first else { return nil }
        var isFound = false
        let last = other.count - bytes.count
        for index in other.indices {
            // A letter of another script may become an ASCII one in lower case.
            if other[index] >= 0x80 { return nil }
            guard !isFound, index <= last, Self.lower(other[index]) == first else { continue }
            isFound = bytes.indices.allSatisfy { Self.lower(other[index + $0]) == bytes[$0] }
        }
        return isFound
    }

    @inline(__always) private static func lower(_ byte: UInt8) -> UInt8 {
        (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
    }
}
