// SPDX-License-Identifier: MIT

import Synchronization
public import TransferModel

/// Credentials by protection space, as `URLCredentialStorage` keeps them. From any thread.
///
/// Those for the session are in memory alone and go before those in the file. The file is JSON, mode 0600; one that
/// other users can read is refused. Several processes may use it at a time: each change is made to what is in the file
/// then, and what others change is seen with the next question. Changes may wait for the file system, and up to 5 s for
/// another process.
public final class CredentialStorage: Sendable {
    private let kept: Kept<CredentialBook>
    private let session = Mutex(CredentialBook())

    /// - Parameter file: for permanent credentials; `nil`: those too stay in memory. It need not exist, nor its folder.
    /// - Throws: code `usage` where the file cannot be read, is open to other users, or holds something else.
    public init(file: String?) throws(TransferError) {
        kept = try Kept(file: file.map { KeptFile(path: $0, privacy: .secret) })
    }

    /// In memory alone.
    public init() { kept = Kept() }

    /// Everything, by space and user name.
    public var all: [ProtectionSpace: [String: Credential]] { merged.shelves.mapValues(\.credentials) }

    /// By user name; empty where none is known.
    public func credentials(for space: ProtectionSpace) -> [String: Credential] { merged[space].credentials }

    /// The one that was named so by ``setDefault(_:for:persistence:)``; where none was, the only one there is.
    public func defaultCredential(for space: ProtectionSpace) -> Credential? { merged[space].defaultCredential }

    /// Keeps a credential in place of that of the same user. With `none` nothing is kept and nothing changed.
    /// - Throws: code `usage` or `cannotWrite` where a permanent one cannot be written; then nothing was changed.
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

    /// Forgets what is kept of that user, in memory and in the file.
    /// - Throws: code `usage` or `cannotWrite` where the file cannot be changed; then nothing was.
    public func remove(_ credential: Credential, for space: ProtectionSpace) throws(TransferError) {
        if kept.content[space].credentials[credential.user] != nil {
            try kept.change { $0.remove(credential.user, for: space) }
        }
        session.withLock { $0.remove(credential.user, for: space) }
    }

    /// Forgets everything, in memory and in the file.
    /// - Throws: as ``remove(_:for:)``.
    public func removeAll() throws(TransferError) {
        if !kept.content.shelves.isEmpty { try kept.change { $0.removeAll() } }
        session.withLock { $0.removeAll() }
    }

    private var merged: CredentialBook {
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
            // What was kept for the session must not hide it.
            session.withLock { $0.giveWay(to: credential.user, for: space, asDefault: asDefault) }
        }
    }
}
