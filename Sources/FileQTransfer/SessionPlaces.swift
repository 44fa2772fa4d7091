// SPDX-License-Identifier: MIT

import Glibc

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
    /// defaults of the XDG base directory specification.
    public static var standard: SessionPlaces {
        if let home = variable("FILEQ_HOME") { return SessionPlaces(state: "\(home)/session", cache: "\(home)/cache") }
        let user = variable("HOME") ?? "/tmp/fileq-\(getuid())"
        let state = variable("XDG_STATE_HOME") ?? "\(user)/.local/state"
        let cache = variable("XDG_CACHE_HOME") ?? "\(user)/.cache"
        return SessionPlaces(state: "\(state)/fileq/session", cache: "\(cache)/fileq")
    }

    /// Makes the folder for what outlives a session. Where that fails, whatever is written there says so.
    func makeState() {
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
