// SPDX-License-Identifier: MIT

import FileServer
import Glibc
import TransferModel

/// What `fileq serve` states at its start and end; one line each. No I/O.
enum ServeWords {
    /// - Parameter folder: absolute.
    static func started(_ settings: FileServerConfiguration, folder: String) -> String {
        let clients = settings.token == nil ? "clients" : "clients with the token"
        return "serving \(folder), where \(clients) can read and store files; Ctrl-C stops it"
    }

    /// The addresses for other devices, best first; none for a server that only this machine can reach.
    /// - Parameter own: the addresses of this machine.
    static func addresses(
        of settings: FileServerConfiguration, _ scheme: String, _ port: Int, own: [String]
    ) -> [String] {
        guard !settings.isLoopback else { return [] }
        let hosts: [String] =
            switch RequestHost.wildcard(settings.host) {
            case .fourAlone: own.filter { !$0.contains(":") }
            case .both: own
            case nil: [settings.host]
            }
        return (settings.names + hosts).map { host in
            "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
        }
    }

    /// Who can connect, beside this machine; one line each.
    /// - Parameter addresses: those of ``addresses(of:_:_:own:)``.
    static func reach(_ settings: FileServerConfiguration, at addresses: [String]) -> [String] {
        if addresses.isEmpty, !settings.isLoopback {
            return ["no other device reaches it now: no network interface is connected"]
        }
        return addresses.map { "other devices reach it at \($0)" }
    }

    static func stopping(_ settings: FileServerConfiguration) -> String {
        "stopping: running requests have \(Int(settings.limits.shutdownSeconds)) s to finish; Ctrl-C again ends them"
    }

    static let stopped = "stopped"

    /// The cause, and what to do about it.
    static func failed(_ error: StartError) -> String {
        let advice: String? =
            switch error.cause {
            case .listening(EADDRINUSE): "use another --port; 0 picks a free one"
            case .listening(EACCES): "use a port from 1024, such as --port 8080"
            case .listening(EADDRNOTAVAIL), .address:
                "--host takes an address of this machine, or 0.0.0.0 for all of them"
            case .listening(EINVAL): "an address of one link has its interface behind it: fe80::1%eth0"
            case .folder: "make the folder writable, or serve another one: the server has its own data in it"
            case .foreign:
                "if you trust what is in it, chown -R and chmod -R go-rwx make it yours; else remove it, or serve "
                    + "another folder"
            case .locked: "stop that server, or serve another folder"
            case .certificate: "use --tls-cert and --tls-key with PEM files"
            case .listening, .uploads: nil
            }
        return advice.map { "\(error.message); \($0)" } ?? error.message
    }
}
