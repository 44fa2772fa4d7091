// SPDX-License-Identifier: MIT

import Synchronization
public import TransferModel

/// Credentials by protection space, like `URLCredentialStorage`. Thread-safe.
///
/// Session credentials are in memory only and take precedence over those in the file. The file is JSON, mode 0600; one
/// that other users can read is rejected. Several processes may use it concurrently: each change applies to the current
/// content, and changes of others are seen with the next query. Changes may block on the file system, and up to 5 s on
/// another process.
public final class CredentialStorage: Sendable {
    private let kept: Persisted<CredentialTable>
    private let session = Mutex(CredentialTable())

    /// - Parameter file: for permanent credentials; `nil`: these also stay in memory. Neither file nor folder need
    ///   exist.
    /// - Throws: code `usage` if the file is unreadable, open to other users, or has an unknown format.
    public init(file: String?) throws(TransferError) {
        kept = try Persisted(file: file.map { PersistentFile(path: $0, privacy: .secret) })
    }

    /// In memory only.
    public init() { kept = Persisted() }

    /// Everything, by space and user name.
    public var all: [ProtectionSpace: [String: Credential]] { merged.bySpace.mapValues(\.credentials) }

    /// By user name; empty if there are none.
    public func credentials(for space: ProtectionSpace) -> [String: Credential] { merged[space].credentials }

    /// The one set by ``setDefault(_:for:persistence:)``; without it, the only one.
    public func defaultCredential(for space: ProtectionSpace) -> Credential? { merged[space].defaultCredential }

    /// Stores a credential, replacing that of the same user. With `none` nothing changes.
    /// - Throws: code `usage` or `cannotWrite` if a permanent one cannot be written; then nothing has changed.
    public func set(
        _ credential: Credential, for space: ProtectionSpace,
        persistence: CredentialPersistence
    ) throws(TransferError) {
        try keep(credential, for: space, persistence, asDefault: false)
    }

    /// As ``set(_:for:persistence:)``, and makes it the space's default.
    public func setDefault(
        _ credential: Credential, for space: ProtectionSpace,
        persistence: CredentialPersistence
    ) throws(TransferError) {
        try keep(credential, for: space, persistence, asDefault: true)
    }

    /// Removes the credential of that user from memory and file.
    /// - Throws: code `usage` or `cannotWrite` if the file cannot be changed; then nothing has changed.
    public func remove(_ credential: Credential, for space: ProtectionSpace) throws(TransferError) {
        if kept.content[space].credentials[credential.user] != nil {
            try kept.change { $0.remove(credential.user, for: space) }
        }
        session.withLock { $0.remove(credential.user, for: space) }
    }

    /// Removes everything from memory and file.
    /// - Throws: as ``remove(_:for:)``.
    public func removeAll() throws(TransferError) {
        if !kept.content.bySpace.isEmpty { try kept.change { $0.removeAll() } }
        session.withLock { $0.removeAll() }
    }

    private var merged: CredentialTable {
        let lasting = kept.content
        return lasting.overlaid(with: session.withLock { $0 })
    }

    private func keep(
        _ credential: Credential, for space: ProtectionSpace, _ persistence: CredentialPersistence,
        asDefault: Bool
    ) throws(TransferError) {
        switch persistence {
        case .none: return
        case .forSession: session.withLock { $0.set(credential, for: space, asDefault: asDefault) }
        case .permanent:
            try kept.change { $0.set(credential, for: space, asDefault: asDefault) }
            // A session credential must not hide it.
            session.withLock { $0.giveWay(to: credential.user, for: space, asDefault: asDefault) }
        }
    }
}
