// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferModel

/// Where sessions keep what outlives them.
public struct SessionPlaces: Sendable, Hashable {
    /// Cookies, credentials, keys: a folder for its owner alone, made with the first configuration that names it.
    public var state: String
    /// Stored answers.
    public var cache: String

    public init(state: String, cache: String) {
        self.state = state
        self.cache = cache
    }

    /// `$FILEQ_HOME/session` and `$FILEQ_HOME/cache`, else `$XDG_STATE_HOME/fileq/session` and `$XDG_CACHE_HOME/fileq`,
    /// with the defaults of the XDG base directory specification; without `HOME` below the home folder of the account.
    /// Never a folder that another user can foresee and make: without any home nothing is written.
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

    /// Makes the folder for what outlives a session. Where that fails, writing there fails with the reason.
    /// - Throws: code `usage` where it is no folder, another user's, or others may write in it.
    func makeState() throws(TransferError) {
        do {
            try PrivateFolder.prepare(state)
        } catch {
            if case .failed = error { return }
            throw TransferError(
                .usage,
                "\(state): is another user's, or open to others, so it is not used; set HOME, or FILEQ_HOME, to a "
                    + "folder of your own")
        }
    }

    func file(_ name: String) -> String { "\(state)/\(name)" }
}
