// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferControl

/// The locations of fileq's files: the XDG folders, or one folder for all with `FILEQ_HOME`. Creates nothing.
struct Places: Sendable, Equatable {
    /// `config.toml`; may not exist.
    let configuration: String
    /// Trusted server keys and saved logins; may not exist.
    let trustedKeys: String
    let credentials: String
    let remote: RemotePlaces
    /// Queue, history and logs, socket and locks: shared by the service and its clients.
    let service: ServicePlaces
    /// systemd's folder for user units.
    let units: String
    /// `FILEQ_HOME`, absolute; `nil` if the XDG folders apply.
    let home: String?

    /// Alternative services (Alt-Svc).
    var alternativeServices: String { "\(service.state)/alternative-services.json" }

    /// What interrupted uploads of `put` need to continue.
    var uploadRecords: String { "\(service.state)/uploads" }

    /// HSTS hosts, in curl's format.
    var transportSecurity: String { "\(service.state)/hsts.txt" }

    /// - Parameter environment: returns the value of a variable.
    init(environment: (String) -> String?) {
        let folders = Folders(environment: environment)
        let settings = folders.fileqHome ?? folders.configuration
        configuration = "\(settings)/config.toml"
        (trustedKeys, credentials) = ("\(settings)/trusted-keys", "\(settings)/credentials.json")
        service = ServicePlaces(folders)
        remote = RemotePlaces(marker: "\(service.state)/rpc-enabled", secret: "\(settings)/rpc-secret")
        units = "\(folders.userConfiguration)/systemd/user"
        home = folders.fileqHome
    }
}

/// The process's environment, without building a dictionary.
enum ProcessEnvironment {
    static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// All variables whose names begin with `prefix`.
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
