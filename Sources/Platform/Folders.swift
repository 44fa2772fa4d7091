// SPDX-License-Identifier: MIT

import Glibc

/// fileq's folders, as the environment names them (XDG Base Directory 0.8). A variable of XDG's that holds no absolute
/// path is as good as unset. All are absolute; none is made or examined here.
package struct Folders: Sendable, Hashable {
    /// `FILEQ_HOME`: one folder in place of all others.
    package let fileqHome: String?
    /// `$XDG_CONFIG_HOME`, or its default.
    package let userConfiguration: String
    /// fileq's folder below ``userConfiguration``.
    package let configuration: String
    /// fileq's folder below `$XDG_STATE_HOME`, or its default.
    package let state: String
    /// fileq's folder below `$XDG_CACHE_HOME`, or its default.
    package let cache: String
    /// fileq's folder below `$XDG_RUNTIME_DIR`.
    package let runtime: String?

    /// - Parameters:
    ///   - environment: looks one variable up.
    ///   - account: the home folder of the user's account, which is asked where `HOME` is no absolute path.
    package init(environment: (String) -> String?, account: () -> String? = Self.homeOfAccount) {
        func folder(_ name: String) -> String? {
            guard let path = environment(name), path.hasPrefix("/") else { return nil }
            return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        }
        // Set by hand, often in a script: a relative path means something here.
        fileqHome = folder("FILEQ_HOME") ?? environment("FILEQ_HOME").flatMap { $0.isEmpty ? nil : Self.absolute($0) }
        let user = folder("HOME") ?? account() ?? "/"
        let home = user == "/" ? "" : user
        userConfiguration = folder("XDG_CONFIG_HOME") ?? "\(home)/.config"
        configuration = "\(userConfiguration)/fileq"
        state = (folder("XDG_STATE_HOME") ?? "\(home)/.local/state") + "/fileq"
        cache = (folder("XDG_CACHE_HOME") ?? "\(home)/.cache") + "/fileq"
        runtime = folder("XDG_RUNTIME_DIR").map { "\($0)/fileq" }
    }

    /// The path, with the current folder before a relative one.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let current = getcwd(nil, 0) else { return path }
        defer { free(current) }
        return "\(String(cString: current))/\(path)"
    }

    /// The home folder that the user database has; `nil` without an entry.
    package static func homeOfAccount() -> String? {
        guard let entry = getpwuid(getuid()), let path = entry.pointee.pw_dir else { return nil }
        return String(cString: path)
    }
}
