// SPDX-License-Identifier: MIT

import ArgumentParser
import Platform
import SessionCore
import TransferModel

/// `fileq trust`
struct TrustCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "See and change which servers' keys are trusted although the system does not trust them.",
        discussion: """
            A key that is kept here is accepted of its server whatever its certificate says, and no other key is. \
            'fileq get' and 'fileq put' ask on a terminal and keep what 'always' is answered to; --trust accepts a key \
            for one run.

            The file is trusted-keys beside the configuration file; only its owner may be able to write it.
            """,
        subcommands: [TrustListCommand.self, TrustAddCommand.self, TrustRemoveCommand.self]
    )

    /// The file of this user.
    static func store() throws(TransferError) -> TrustStore {
        try TrustStore(file: Places(environment: ProcessEnvironment.value).trustedKeys)
    }
}

struct TrustListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Print the keys, one a line.")

    @Flag(help: "One JSON object a line: host, port, publicKey, certificate, accepted, subject.")
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
        abstract: "Trust a key of a server from now on, in place of those that were trusted of it before.")

    @Argument(help: ArgumentHelp("The server; without a port 443.", valueName: "host:port"))
    var server: String

    @Argument(
        help: ArgumentHelp("Its public key, as the refusal of its certificate shows it.", valueName: "sha256//base64"))
    var key: String

    func run() throws {
        let (host, port) = try TrustWords.server(server)
        let trusted = try naming("the key") { () throws(TransferError) in
            try TrustWords.trusted(host, port, key, accepted: Int64(SystemClock.wall))
        }
        let store = try TrustCommand.store()
        try store.remove(host: host, port: port)
        try store.accept(trusted, persistence: .permanent)
    }
}

struct TrustRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Trust no key of these servers any more.")

    @Argument(help: ArgumentHelp("The servers; without a port 443.", valueName: "host:port"))
    var servers: [String]

    func run() throws {
        let store = try TrustCommand.store()
        let known = store.all
        for text in servers {
            let (host, port) = try TrustWords.server(text)
            guard known.contains(where: { $0.host == host && $0.port == port }) else {
                throw TransferError(
                    .usage,
                    "no key of \(ConsentQuestion.authority(host, port)) is trusted; 'fileq trust list' shows all")
            }
            try store.remove(host: host, port: port)
        }
    }
}
