// SPDX-License-Identifier: MIT

import Synchronization
public import TransferModel

/// The servers' keys that the user has accepted although the system did not. Thread-safe.
///
/// The file is text like ssh's `known_hosts`, one key per line, mode 0600; one that other users can write is rejected.
/// Comments and unknown lines are preserved. Several processes may use it concurrently, as with ``CredentialStorage``.
public final class TrustStore: Sendable {
    /// How long a key is trusted.
    public enum Persistence: String, Sendable, Hashable, CaseIterable {
        /// In memory, as long as the store exists.
        case forSession = "for-session"
        /// In the store's file.
        case permanent
    }

    private let kept: Persisted<TrustList>
    private let session = Mutex(TrustList())

    /// - Parameter file: for permanently trusted keys; `nil`: these also stay in memory. It need not exist.
    /// - Throws: code `usage` if the file is unreadable, or other users can write it.
    public convenience init(file: String?) throws(TransferError) { try self.init(file: file, patience: 5) }

    /// - Parameter patience: seconds to wait for another process that is changing the file.
    package init(file: String?, patience: Double) throws(TransferError) {
        kept = try Persisted(
            file: file.map {
                PersistentFile(path: $0, privacy: .trusted, maximumBytes: 1 << 20, patience: patience)
            })
    }

    /// In memory only.
    public init() { kept = Persisted() }

    /// Every key, those of the file first.
    public var all: [TrustedKey] {
        let lasting = kept.content.keys
        return lasting + session.withLock { $0.keys.filter { key in !lasting.contains { $0.isSameKey(as: key) } } }
    }

    /// Whether that key was accepted for that host and port. The case of `host` does not matter.
    public func accepts(host: String, port: Int, publicKey: Fingerprint) -> Bool {
        let host = host.lowercased()
        return session.withLock { $0.contains(host, port, publicKey) } || kept.content.contains(host, port, publicKey)
    }

    /// Trusts a key in addition to those already trusted.
    /// - Throws: code `usage` or `cannotWrite` if a permanent one cannot be written; then nothing has changed.
    public func accept(_ key: TrustedKey, persistence: Persistence) throws(TransferError) {
        switch persistence {
        case .forSession: session.withLock { $0.add(key) }
        case .permanent: try kept.change { $0.add(key) }
        }
    }

    /// Trusts a key permanently in place of all others of its host and port, in one change of the file.
    /// - Throws: code `usage` or `cannotWrite` if the file cannot be changed; then nothing has changed.
    public func replace(with key: TrustedKey) throws(TransferError) {
        try kept.change {
            $0.remove(key.host, key.port)
            $0.add(key)
        }
        session.withLock { $0.remove(key.host, key.port) }
    }

    /// Removes every key of that host and port from memory and file.
    /// - Throws: code `usage` or `cannotWrite` if the file cannot be changed; then nothing has changed.
    public func remove(host: String, port: Int) throws(TransferError) {
        let host = host.lowercased()
        if kept.content.keys.contains(where: { $0.host == host && $0.port == port }) {
            try kept.change { $0.remove(host, port) }
        }
        session.withLock { $0.remove(host, port) }
    }
}

/// The lines of the file; unknown ones are preserved.
struct TrustList: PersistentContent {
    private enum Line {
        case key(TrustedKey)
        case other([UInt8])
    }

    private var lines: [Line] = []

    init() {}

    init(parsing bytes: [UInt8], of path: String) throws(TransferError) {
        var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if parts.last?.isEmpty == true { parts.removeLast() }
        lines = parts.map { part in
            let text = part.last == UInt8(ascii: "\r") ? part.dropLast() : part
            let key = String(validating: text, as: UTF8.self).flatMap(TrustedKey.init(parsing:))
            return key.map(Line.key) ?? .other([UInt8](part))
        }
    }

    func printed() -> [UInt8] {
        lines.flatMap { line in
            switch line {
            case .key(let key): Array(key.line.utf8) + [UInt8(ascii: "\n")]
            case .other(let bytes): bytes + [UInt8(ascii: "\n")]
            }
        }
    }

    var keys: [TrustedKey] {
        lines.compactMap { if case .key(let key) = $0 { key } else { nil } }
    }

    /// - Parameter host: lower case.
    func contains(_ host: String, _ port: Int, _ publicKey: Fingerprint) -> Bool {
        keys.contains { $0.host == host && $0.port == port && $0.publicKey == publicKey }
    }

    mutating func add(_ key: TrustedKey) {
        let place = lines.firstIndex { if case .key(let known) = $0 { known.isSameKey(as: key) } else { false } }
        if let place { lines[place] = .key(key) } else { lines.append(.key(key)) }
    }

    /// - Parameter host: lower case.
    mutating func remove(_ host: String, _ port: Int) {
        lines.removeAll { if case .key(let key) = $0 { key.host == host && key.port == port } else { false } }
    }
}

extension TrustedKey {
    fileprivate func isSameKey(as other: TrustedKey) -> Bool {
        host == other.host && port == other.port && publicKey == other.publicKey
    }
}

extension TrustStore {
    /// The key accepted last for this host.
    func newestKey(host: String, port: Int) -> Fingerprint? {
        all.last { $0.host == host && $0.port == port }?.publicKey
    }
}
