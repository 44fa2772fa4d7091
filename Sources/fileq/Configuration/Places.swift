// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferControl

/// Where fileq keeps its files: the XDG folders, or one folder for all when `FILEQ_HOME` is set. Nothing is created
/// here.
struct Places: Sendable, Equatable {
    /// `config.toml`; it need not exist.
    let configuration: String
    /// Keys of servers that somebody trusts, and logins that are to be remembered; neither need exist.
    let trustedKeys: String
    let credentials: String
    /// Queue, history and logs, socket and locks: what the background service and those who look for it agree on.
    let service: ServicePlaces
    /// Where systemd looks for a user's own units.
    let units: String
    /// `FILEQ_HOME`, absolute; `nil` where the XDG folders hold.
    let home: String?

    /// What servers said of where else they can be reached.
    var alternativeServices: String { "\(service.state)/alternative-services.json" }

    /// Hosts that are to be reached by https alone, as curl keeps them too.
    var transportSecurity: String { "\(service.state)/hsts.txt" }

    /// - Parameter environment: looks one variable up.
    init(environment: (String) -> String?) {
        let folders = Folders(environment: environment)
        let settings = folders.fileqHome ?? folders.configuration
        configuration = "\(settings)/config.toml"
        (trustedKeys, credentials) = ("\(settings)/trusted-keys", "\(settings)/credentials.json")
        service = ServicePlaces(folders)
        units = "\(folders.userConfiguration)/systemd/user"
        home = folders.fileqHome
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
