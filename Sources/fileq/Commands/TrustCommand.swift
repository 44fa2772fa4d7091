// SPDX-License-Identifier: MIT

import ArgumentParser
import Platform
import SessionCore
import TransferModel

/// `fileq trust`
struct TrustCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "List and change the server keys that you trust although the system does not.",
        discussion: """
            For a server listed here, fileq accepts this key, whatever the certificate says, and no other. 'fileq \
            get' and 'fileq put' ask on a terminal and store what you answer with 'always'; --trust accepts a key \
            for one run.

            The file is trusted-keys beside the configuration file; only its owner may have write access.

            Examples:
              fileq trust list
              fileq trust add nas.example.org:8443 sha256//BASE64
              fileq trust remove nas.example.org:8443
            """,
        subcommands: [TrustListCommand.self, TrustAddCommand.self, TrustRemoveCommand.self]
    )

    /// The user's file of trusted keys.
    static func store() throws(TransferError) -> TrustStore {
        try TrustStore(file: Places(environment: ProcessEnvironment.value).trustedKeys)
    }
}

struct TrustListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Print the keys, one per line.")

    @Flag(help: "One JSON object per line: host, port, publicKey, certificate, accepted, subject.")
    var json = false

    func run() throws {
        for key in try TrustCommand.store().all { print(json ? Self.line(key).object : key.line) }
    }

    static func line(_ key: TrustedKey) -> JSONLine {
        var line = JSONLine()
        line.add("host", key.host)
        line.add("port", key.port)
        line.add("publicKey", key.publicKey.description)
        line.add("certificate", key.certificate?.description)
        line.add("accepted", key.accepted.map(CompactTime.day))
        line.add("subject", key.subject.isEmpty ? nil : key.subject)
        return line
    }
}

struct TrustAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Trust a key of a server, replacing those trusted before.")

    @Argument(help: ArgumentHelp("The server; the default port is 443.", valueName: "host:port"))
    var server: String

    @Argument(
        help: ArgumentHelp("Its public key, as shown when its certificate is rejected.", valueName: "sha256//base64"))
    var key: String

    func run() throws {
        let (host, port) = try TrustArguments.server(server)
        let trusted = try naming("the key") { () throws(TransferError) in
            try TrustArguments.trusted(host, port, key, accepted: Int64(SystemClock.wall))
        }
        try TrustCommand.store().replace(with: trusted)
    }
}

struct TrustRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove the keys of these servers.")

    @Argument(help: ArgumentHelp("The servers; the default port is 443.", valueName: "host:port"))
    var servers: [String]

    func run() throws {
        let store = try TrustCommand.store()
        let known = store.all
        for text in servers {
            let (host, port) = try TrustArguments.server(text)
            guard known.contains(where: { $0.host == host && $0.port == port }) else {
                throw TransferError(
                    .usage,
                    "no key of \(ConsentQuestion.authority(host, port)) is trusted; 'fileq trust list' shows all keys")
            }
            try store.remove(host: host, port: port)
        }
    }
}
