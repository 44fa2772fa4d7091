// SPDX-License-Identifier: MIT

import Crypto
import FoundationEssentials
import Platform
import Synchronization
import TransferModel

/// The logins of browsers: random values, of which memory and disk have only digests under the token. Another token
/// ends all of them, a restart none.
final class LoginStore: Sendable {
    static let lifetime = 7 * 86_400.0
    /// The one that ends first makes room for another.
    static let most = 1000
    private static let file = "logins.json"

    private let key: SymmetricKey
    private let folder: FolderDescriptor
    /// When each ends, in seconds since 1970.
    private let ends: Mutex<[String: Double]>
    /// Held while the file is written.
    private let writing = Mutex(())

    /// Blocks.
    /// - Parameter tokenDigest: of the server's token.
    init(folder: FolderDescriptor, tokenDigest: [UInt8]) {
        (self.folder, key) = (folder, SymmetricKey(data: tokenDigest))
        let content = try? folder.ownIfAny(Self.file)?.read(1 << 20, at: 0)
        let stored = content.flatMap { try? JSONDecoder().decode([String: Double].self, from: Data($0)) }
        ends = Mutex(stored ?? [:])
    }

    /// Blocks.
    /// - Returns: what the browser keeps: 64 hexadecimal digits.
    func begin(at now: Double) throws -> String {
        var generator = SystemRandomNumberGenerator()
        let value = Hex.encode((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
        ends.withLock { ends in
            ends = ends.filter { $0.value > now }
            if ends.count >= Self.most, let first = ends.min(by: { $0.value < $1.value }) { ends[first.key] = nil }
            ends[digest(value)] = now + Self.lifetime
        }
        try persist()
        return value
    }

    func isValid(_ value: String, at now: Double) -> Bool {
        // How long the search for a digest takes reveals nothing about the value.
        let digest = digest(value)
        return ends.withLock { $0[digest] }.map { $0 > now } ?? false
    }

    /// Blocks.
    func end(_ value: String) throws {
        let digest = digest(value)
        guard ends.withLock({ $0.removeValue(forKey: digest) }) != nil else { return }
        try persist()
    }

    private func digest(_ value: String) -> String {
        Hex.encode(Array(HMAC<SHA256>.authenticationCode(for: Array(value.utf8), using: key)))
    }

    private func persist() throws {
        try writing.withLock { _ in
            let content = try JSONEncoder().encode(ends.withLock { $0 })
            try folder.replaceFile(Self.file, with: Array(content), syncing: false)
        }
    }
}
