// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferModel

/// The folders of persistent session data.
public struct SessionPlaces: Sendable, Hashable {
    /// Cookies, credentials, keys: a private folder, created with the first configuration that names it.
    public var state: String
    /// Cached responses.
    public var cache: String

    public init(state: String, cache: String) {
        self.state = state
        self.cache = cache
    }

    /// `$FILEQ_HOME/session` and `$FILEQ_HOME/cache`, else `$XDG_STATE_HOME/fileq/session` and `$XDG_CACHE_HOME/fileq`,
    /// with the defaults of the XDG base directory specification; without `HOME` below the account's home folder. Never
    /// a folder that another user can predict and create: without any home nothing is written.
    public static var standard: SessionPlaces {
        SessionPlaces(Folders { name in getenv(name).map { String(cString: $0) } })
    }

    init(_ folders: Folders) {
        if let home = folders.fileqHome {
            self.init(state: "\(home)/session", cache: "\(home)/cache")
        } else {
            self.init(state: "\(folders.state)/session", cache: folders.cache)
        }
    }

    /// Creates the state folder. If that fails, writes fail with the reason.
    /// - Throws: code `usage` if it is not a folder, belongs to another user, or others can write in it.
    func makeState() throws(TransferError) {
        do {
            try PrivateFolder.prepare(state)
        } catch {
            if case .failed = error { return }
            throw TransferError(.backgroundSharedState, state)
        }
    }

    func file(_ name: String) -> String { "\(state)/\(name)" }
}
