// SPDX-License-Identifier: MIT

/// Another address of the file of a download.
package struct FileMirror: Sendable, Hashable, Codable, ListElement {
    package var url: TransferURL
    /// 1 is asked first (RFC 5854, section 4.2.16.1.2); `nil`: after all that have one.
    package var priority: Int?
    /// The country of the server, as ISO 3166-1 writes it.
    package var location: String?

    /// The most of one download.
    package static let maximumCount = 64
    package static let priorities = 1...999_999

    package init(url: TransferURL, priority: Int? = nil, location: String? = nil) {
        (self.url, self.priority, self.location) = (url, priority, location)
    }

    /// A country as ``location`` has it, from a server or a document; `nil` for what is none.
    package static func country(_ text: String?) -> String? {
        guard let text, text.utf8.count == 2 else { return nil }
        let code = text.lowercased()
        return code.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } ? code : nil
    }
}

/// Digests of the parts of a file, which are all of one length but the last (RFC 5854, section 4.2.10).
package struct PieceDigests: Sendable, Hashable, Codable {
    package let algorithm: Checksum.Algorithm
    /// Bytes of one part.
    package let length: Int64
    /// One after the other.
    package let bytes: [UInt8]

    /// Of one file: the control socket and the store write them in one line.
    package static let maximumCount = 16_384

    /// - Throws: code `usage` for a length below 1, and for digests that are none, too many, or no multiple of theirs.
    package init(algorithm: Checksum.Algorithm, length: Int64, bytes: [UInt8]) throws(TransferError) {
        guard length > 0, !bytes.isEmpty, bytes.count.isMultiple(of: algorithm.byteCount),
            bytes.count / algorithm.byteCount <= Self.maximumCount
        else {
            throw TransferError(.documentPieces, Self.maximumCount, algorithm.byteCount)
        }
        (self.algorithm, self.length, self.bytes) = (algorithm, length, bytes)
    }

    package var count: Int { bytes.count / algorithm.byteCount }

    package subscript(index: Int) -> ArraySlice<UInt8> {
        bytes[(index * algorithm.byteCount)..<((index + 1) * algorithm.byteCount)]
    }

    /// Whether there is one digest for each part of a file of `total` bytes.
    package func fits(_ total: Int64) -> Bool { total > 0 && (total - 1) / length + 1 == Int64(count) }

    /// The bytes that a digest is of.
    package func range(_ index: Int, of total: Int64) -> Range<Int64> {
        let start = Int64(index) * length
        return start..<min(start + length, total)
    }

    private enum Key: CodingKey { case algorithm, length, digests }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard let bytes = Hex.decode(try container.decode(String.self, forKey: .digests)) else {
            throw TransferError(.specPieceDigits)
        }
        try self.init(
            algorithm: try container.decode(Checksum.Algorithm.self, forKey: .algorithm),
            length: try container.decode(Int64.self, forKey: .length), bytes: bytes)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(algorithm, forKey: .algorithm)
        try container.encode(length, forKey: .length)
        try container.encode(Hex.encode(bytes), forKey: .digests)
    }
}
