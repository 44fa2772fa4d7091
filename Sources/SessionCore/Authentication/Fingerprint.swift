// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The SHA-256 of a public key (as DER) or of a whole certificate, written as pins are: `sha256//BASE64`.
public struct Fingerprint: Sendable, Hashable, CustomStringConvertible {
    public let bytes: [UInt8]

    /// `nil` for anything but 32 bytes.
    public init?(_ bytes: some Sequence<UInt8>) {
        let bytes = [UInt8](bytes)
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// `nil` for anything but `sha256//` and the base64 of 32 bytes.
    public init?(parsing text: some StringProtocol) {
        guard text.hasPrefix(Self.prefix),
            let data = Data(base64Encoded: String(text.dropFirst(Self.prefix.count)))
        else { return nil }
        self.init(data)
    }

    public var description: String { Self.prefix + Data(bytes).base64EncodedString() }

    private static let prefix = "sha256//"
}
