// SPDX-License-Identifier: MIT

import Crypto

/// A link to one version of one file, which works without the server's token. Stored as JSON.
struct Share: Codable, Sendable, Equatable {
    static let currentVersion = 1

    var version = Share.currentVersion
    var id: String
    /// Below the root.
    var path: [String]
    var name: String
    var size: Int64
    /// Of the file when it was shared; another version is not sent.
    var entityTag: String
    /// Seconds since 1970; `nil`: no end.
    var expires: Double?
    /// How many times ``size`` may be sent; `nil`: any number.
    var downloads: Int64?
    /// Bytes sent, and those of running requests.
    var spent: Int64 = 0
    var password: SharePassword?

    /// A connection that breaks takes bytes with it that the client has not received: so many more are sent to a client
    /// that continues.
    static let grace: Int64 = 16 << 20

    /// What a request costs; an empty file costs as well.
    static func cost(of bytes: Int64) -> Int64 { max(1, bytes) }

    /// Bytes that are left; `nil`: any number.
    var remaining: Int64? { downloads.map { max(0, $0.clampedProduct(Self.cost(of: size)) - spent) } }

    /// Downloads that can begin.
    var downloadsLeft: Int64? {
        let cost = Self.cost(of: size)
        return remaining.map { $0 / cost + ($0 % cost == 0 ? 0 : 1) }
    }

    func hasExpired(at now: Double) -> Bool { expires.map { $0 <= now } ?? false }

    /// Whether `bytes` of the file may be sent now.
    func admits(_ bytes: Int64) -> Bool {
        guard let remaining else { return true }
        return remaining > 0 && Self.cost(of: bytes) - Self.grace <= remaining
    }
}

/// A password as stored: PBKDF2 with HMAC-SHA-256 (RFC 8018), one block.
struct SharePassword: Codable, Sendable, Equatable {
    var salt: [UInt8]
    var rounds: Int
    var digest: [UInt8]

    /// 16 random bytes of salt. Blocks for some hundredths of a second.
    init(_ password: String, rounds: Int = 50_000) {
        var generator = SystemRandomNumberGenerator()
        salt = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        self.rounds = rounds
        digest = Self.derive(password, salt, rounds)
    }

    /// Blocks as ``init(_:rounds:)`` does.
    func matches(_ password: String) -> Bool { Secret.areEqual(Self.derive(password, salt, rounds), digest) }

    private static func derive(_ password: String, _ salt: [UInt8], _ rounds: Int) -> [UInt8] {
        let key = SymmetricKey(data: Array(password.utf8))
        var block = Array(HMAC<SHA256>.authenticationCode(for: salt + [0, 0, 0, 1], using: key))
        var result = block
        for _ in 1..<max(1, rounds) {
            block = Array(HMAC<SHA256>.authenticationCode(for: block, using: key))
            for index in result.indices { result[index] ^= block[index] }
        }
        return result
    }
}
