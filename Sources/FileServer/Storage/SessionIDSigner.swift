// SPDX-License-Identifier: MIT

import Crypto
import FoundationEssentials
import TransferModel

/// Issues and verifies SIDs: 128 random bits and their HMAC under a key in the work folder. Stateless, and valid across
/// restarts.
struct SessionIDSigner: Sendable {
    private let key: SymmetricKey
    private static let idBytes = 16
    private static let tagBytes = 16

    init(key: [UInt8]) { self.key = SymmetricKey(data: key) }

    /// 64 hexadecimal digits.
    func issue() -> String {
        var generator = SystemRandomNumberGenerator()
        let id = (0..<Self.idBytes).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return Hex.encode(id + tag(of: id))
    }

    func isValid(_ sid: String) -> Bool {
        guard let bytes = Hex.decode(sid), bytes.count == Self.idBytes + Self.tagBytes else { return false }
        return Secret.areEqual(tag(of: Array(bytes.prefix(Self.idBytes))), Array(bytes.suffix(Self.tagBytes)))
    }

    /// Proof until `end`, in seconds since 1970, that the password of a link was given.
    func ticket(for link: String, until end: Int64) -> String {
        "\(end)-\(Hex.encode(tag(of: Array("\(link) \(end)".utf8))))"
    }

    func accepts(_ ticket: String, for link: String, at now: Double) -> Bool {
        guard let end = Int64(ticket.prefix { $0 != "-" }), Double(end) > now else { return false }
        return Secret.areEqual(Array(self.ticket(for: link, until: end).utf8), Array(ticket.utf8))
    }

    private func tag(of id: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: id, using: key).prefix(Self.tagBytes))
    }
}

enum Secret {
    static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool { ConstantTime.areEqual(one, other) }

    static func digest(_ text: String) -> [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }
}
