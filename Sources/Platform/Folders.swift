// SPDX-License-Identifier: MIT

import Glibc

/// fileq's folders from the environment (XDG Base Directory 0.8). XDG variables without an absolute path are ignored.
/// All are absolute; none is created or checked here.
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
    ///   - environment: returns the value of a variable.
    ///   - account: the home folder in the user database, used if `HOME` is not an absolute path.
    package init(environment: (String) -> String?, account: () -> String? = Self.accountHome) {
        let slash = UInt8(ascii: "/")
        func folder(_ name: String) -> String? {
            guard let path = environment(name), path.utf8.first == slash else { return nil }
            return path.utf8.count > 1 && path.utf8.last == slash ? String(path.utf8.dropLast())! : path
        }
        // Set by hand, often in a script: a relative path is allowed.
        fileqHome = folder("FILEQ_HOME") ?? environment("FILEQ_HOME").flatMap { $0.isEmpty ? nil : Self.absolute($0) }
        let user = folder("HOME") ?? account() ?? "/"
        let home = user == "/" ? "" : user
        userConfiguration = folder("XDG_CONFIG_HOME") ?? "\(home)/.config"
        configuration = "\(userConfiguration)/fileq"
        state = (folder("XDG_STATE_HOME") ?? "\(home)/.local/state") + "/fileq"
        cache = (folder("XDG_CACHE_HOME") ?? "\(home)/.cache") + "/fileq"
        runtime = folder("XDG_RUNTIME_DIR").map { "\($0)/fileq" }
    }

    /// The path, made absolute with the current folder.
    package static func absolute(_ path: String) -> String {
        guard path.utf8.first != UInt8(ascii: "/"), let current = getcwd(nil, 0) else { return path }
        defer { free(current) }
        return "\(String(cString: current))/\(path)"
    }

    /// The home folder in the user database; `nil` without an entry.
    package static func accountHome() -> String? {
        guard let entry = getpwuid(getuid()), let path = entry.pointee.pw_dir else { return nil }
        return String(cString: path)
    }
}
