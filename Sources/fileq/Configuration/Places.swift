// SPDX-License-Identifier: MIT

import Glibc

/// Where fileq keeps its files: the XDG folders, or one folder for all when `FILEQ_HOME` is set.
///
/// Nothing is created here. A variable that holds no absolute path is as good as unset (XDG Base Directory 0.8).
struct Places: Sendable, Equatable {
    /// `config.toml`; it need not exist.
    let configuration: String
    /// Keys of servers that somebody trusts, and logins that are to be remembered; neither need exist.
    let trustedKeys: String
    let credentials: String
    /// Queue, history and logs.
    let state: String
    /// Socket and lock; has to be made with mode 0700.
    let runtime: String

    /// What servers said of where else they can be reached.
    var alternativeServices: String { "\(state)/alternative-services.json" }

    /// - Parameter environment: looks one variable up.
    init(environment: (String) -> String?) {
        func folder(_ name: String) -> String? {
            guard let path = environment(name), path.hasPrefix("/") else { return nil }
            return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        }
        if let given = environment("FILEQ_HOME"), !given.isEmpty {
            // Said by hand, often in a script: a relative path means something here.
            let home = folder("FILEQ_HOME") ?? Self.absolute(given)
            configuration = "\(home)/config.toml"
            (trustedKeys, credentials) = ("\(home)/trusted-keys", "\(home)/credentials.json")
            state = home
            runtime = "\(home)/run"
            return
        }
        let home = folder("HOME") ?? Self.homeFromAccount() ?? "/"
        let settings = (folder("XDG_CONFIG_HOME") ?? "\(home)/.config") + "/fileq"
        configuration = "\(settings)/config.toml"
        (trustedKeys, credentials) = ("\(settings)/trusted-keys", "\(settings)/credentials.json")
        state = (folder("XDG_STATE_HOME") ?? "\(home)/.local/state") + "/fileq"
        runtime = folder("XDG_RUNTIME_DIR").map { "\($0)/fileq" } ?? "\(state)/run"
    }

    private static func absolute(_ path: String) -> String {
        guard let current = getcwd(nil, 0) else { return path }
        defer { free(current) }
        return "\(String(cString: current))/\(path)"
    }

    private static func homeFromAccount() -> String? {
        guard let entry = getpwuid(getuid()), let path = entry.pointee.pw_dir else { return nil }
        return String(cString: path)
    }
}

/// The process's environment, read without making a dictionary of it.
enum ProcessEnvironment {
    static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Every variable whose name begins with `prefix`.
    static func variables(withPrefix prefix: String) -> [String: String] {
        var found: [String: String] = [:]
        var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = environ
        while let text = entry.pointee {
            if strncmp(text, prefix, prefix.utf8.count) == 0, let equals = strchr(text, Int32(UInt8(ascii: "="))) {
                let name = String(decoding: UnsafeRawBufferPointer(start: text, count: equals - text), as: UTF8.self)
                found[name] = String(cString: equals + 1)
            }
            entry += 1
        }
        return found
    }
}
