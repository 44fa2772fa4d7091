// SPDX-License-Identifier: MIT

import Glibc
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

    /// `$FILEQ_HOME/session` and `$FILEQ_HOME/cache`, else `$XDG_STATE_HOME/fileq/session` and `$XDG_CACHE_HOME/fileq`, with the
    /// defaults of the XDG base directory specification; without `HOME` below the home folder of the account, and without that below
    /// `/tmp/fileq-UID`, which is used only where it is the user's own folder and closed to all others.
    public static var standard: SessionPlaces {
        if let home = variable("FILEQ_HOME") { return SessionPlaces(state: "\(home)/session", cache: "\(home)/cache") }
        let user = variable("HOME") ?? homeOfAccount() ?? lastResort
        let state = variable("XDG_STATE_HOME") ?? "\(user)/.local/state"
        let cache = variable("XDG_CACHE_HOME") ?? "\(user)/.cache"
        return SessionPlaces(state: "\(state)/fileq/session", cache: "\(cache)/fileq")
    }

    /// Where anybody may have made the folder before.
    static var lastResort: String { "/tmp/fileq-\(geteuid())" }

    private static func homeOfAccount() -> String? {
        guard let entry = getpwuid(geteuid()), let home = entry.pointee.pw_dir.map({ String(cString: $0) }) else { return nil }
        var status = stat()
        guard home.hasPrefix("/"), stat(home, &status) == 0, status.st_uid == geteuid() else { return nil }
        return home
    }

    /// Makes `folder` for its owner alone where it is missing.
    /// - Throws: code `usage` for one that is another user's, open to others, or no folder.
    static func claim(_ folder: String) throws(TransferError) {
        mkdir(folder, 0o700)
        var status = stat()
        guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw TransferError(.usage, "\(folder): is another user's, or open to others, so it is not used; set HOME, or FILEQ_HOME, to a "
                + "folder of your own")
        }
    }

    /// Makes the folder for what outlives a session. Where that fails, whatever is written there says so.
    /// - Throws: code `usage` where it would lie in a folder under `/tmp` that is not the user's alone.
    func makeState() throws(TransferError) {
        let shared = Self.lastResort
        if [state, cache].contains(where: { $0 == shared || $0.hasPrefix(shared + "/") }) { try Self.claim(shared) }
        var path = state.hasPrefix("/") ? "" : "."
        for part in state.split(separator: "/") {
            path += "/\(part)"
            mkdir(path, 0o700)
        }
    }

    func file(_ name: String) -> String { "\(state)/\(name)" }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
