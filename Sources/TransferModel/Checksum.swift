// SPDX-License-Identifier: MIT

/// A digest algorithm and the value expected of it, as `--checksum` takes it: `sha256:HEX`.
public struct Checksum: Sendable, Hashable, LosslessStringConvertible {
    public enum Algorithm: String, Sendable, Hashable, Codable, CaseIterable {
        case sha256, sha512
        /// For lists that have nothing better: they find damage. A file can be made to fit them on purpose.
        case sha1, md5

        public var byteCount: Int {
            switch self {
            case .md5: 16
            case .sha1: 20
            case .sha256: 32
            case .sha512: 64
            }
        }

        /// Whether different files with the same digest can be made.
        public var isWeak: Bool { self == .md5 || self == .sha1 }

        /// For sentences: `SHA-256`.
        package var name: String {
            switch self {
            case .sha256: "SHA-256"
            case .sha512: "SHA-512"
            case .sha1: "SHA-1"
            case .md5: "MD5"
            }
        }

        /// The same of a raw value; one of a later version as it is.
        package static func name(of raw: String) -> String { Self(rawValue: raw)?.name ?? raw }
    }

    public let algorithm: Algorithm
    public let bytes: [UInt8]

    public init(algorithm: Algorithm, bytes: [UInt8]) {
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// - Throws: code `usage`, saying what is expected.
    public init(parsing text: String) throws(TransferError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let algorithm = Algorithm(rawValue: parts[0].lowercased()) else {
            throw TransferError(.checksumForm)
        }
        guard let bytes = Hex.decode(parts[1]), bytes.count == algorithm.byteCount else {
            throw TransferError(.checksumDigits, algorithm.rawValue, algorithm.byteCount * 2)
        }
        self.init(algorithm: algorithm, bytes: bytes)
    }

    /// `nil` for what ``init(parsing:)`` refuses.
    public init?(_ description: String) {
        guard let found = try? Checksum(parsing: description) else { return nil }
        self = found
    }

    public var hex: String { Hex.encode(bytes) }
    public var description: String { "\(algorithm.rawValue):\(hex)" }
}

/// Bytes as pairs of hexadecimal digits.
package enum Hex {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// `nil` for an odd count or a character that is no digit.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(of: digits[index]), let low = value(of: digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// The value of one hexadecimal digit, either case.
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
