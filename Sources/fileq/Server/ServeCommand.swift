// SPDX-License-Identifier: MIT

import ArgumentParser
import FileServer
import Glibc
import Logging
import TransferModel

/// `fileq serve [DIR]`
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Receive and hand out files over HTTP.",
        discussion: """
            Serves the folder DIR: GET and HEAD read files, with ranges; PUT stores them; POST /upload takes FileQ \
            uploads and GET /files lists those. A file appears under its name only when all of it is on disk. Uploads \
            are kept in DIR/files, the server's own affairs in DIR/.fileq-server. It speaks HTTP/1.1.

            The first line on standard output is 'listening on http://127.0.0.1:PORT', once connections are accepted. \
            Only this machine can connect unless --host says otherwise. SIGTERM and Ctrl-C end it when running \
            requests are done.

            With --token-file a client needs the header 'Authorization: Bearer TOKEN'; fileq sends it with -H @FILE, \
            where FILE holds that line.

            On this machine alone it answers requests that name it by an address, by localhost or by a --name, so that \
            no page of another site reaches it through a name of its own; where other machines can connect, every name \
            will do unless --name is given. Pages of other sites cannot store or remove files. Files are sent so that \
            a browser runs no script of theirs. Listings leave out names that begin with a dot unless --hidden is \
            given; who knows the name can read such a file, as with other file servers.

            Examples:
              fileq serve ~/inbox --port 8080
              fileq serve --tls-cert cert.pem --tls-key key.pem --token-file ~/.token
            """
    )

    @Argument(help: "The folder to serve; it must exist.", completion: .directory)
    var folder = "."

    @Option(help: ArgumentHelp("The address to listen at.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The port to listen at; 0 picks one that is free.", valueName: "n"))
    var port = 8080

    @Option(
        help: ArgumentHelp(
            "A further name by which requests may address the server; may be repeated.", valueName: "host"))
    var name: [String] = []

    @Option(
        help: ArgumentHelp(
            "The certificate chain, a PEM file; with --tls-key the server speaks HTTPS.", valueName: "file"),
        completion: .file())
    var tlsCert: String?

    @Option(help: ArgumentHelp("The certificate's private key, a PEM file.", valueName: "file"), completion: .file())
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "A file whose first line every request must bring as 'Authorization: Bearer'.", valueName: "file"),
        completion: .file())
    var tokenFile: String?

    @Option(help: ArgumentHelp("The largest upload taken, such as 500M or 10G.", valueName: "bytes"))
    var maxUpload: String?

    @Option(help: ArgumentHelp("Seconds without a byte after which a connection is ended.", valueName: "s"))
    var idleTimeout: Double = 60

    @Option(
        help: ArgumentHelp(
            "Bytes a second for each connection, each way, such as 500k: to slow it for demonstration.",
            valueName: "rate"))
    var rate: String?

    @Flag(
        help:
            "Do not make uploads durable before they are answered: quicker, and a power cut may lose what was answered."
    )
    var noSync = false

    @Flag(help: "List names that begin with a dot too.")
    var hidden = false

    @Flag(name: [.customShort("v"), .long], help: "Write one line a request to standard error.")
    var verbose = false

    mutating func run() async throws {
        // Written into a pipe, the one line must come when it is true and not when a buffer is full.
        let announce: @Sendable (String) -> Void = { line in
            print(line)
            fflush(nil)
        }
        do {
            let settings = try settings()
            let server = try FileServer(configuration: settings)
            for warning in Self.warnings(about: settings) { StandardError.say(warning) }
            let (host, scheme) = (host.contains(":") ? "[\(host)]" : host, server.scheme)
            // Under nohup a closed terminal is no reason to end.
            let signals = [SIGINT, SIGTERM] + (Interruption.isIgnored(SIGHUP) ? [] : [SIGHUP])
            let signal = try await server.run(untilSignal: signals) { port in
                announce("listening on \(scheme)://\(host):\(port)")
            }
            // Ended as asked: that is success for a server, whichever signal asked.
            _ = signal
        } catch let error as StartError {
            throw TransferError(.other, error.message)
        }
    }

    /// What whoever starts it should know of who can reach it; one line each.
    static func warnings(about settings: FileServerConfiguration) -> [String] {
        guard !settings.isLoopback else { return [] }
        guard settings.token != nil else {
            return [
                "warning: everyone who can connect to \(settings.host) can read and store files here; "
                    + "--token-file FILE lets in only those who have the token"
            ]
        }
        guard settings.tls != nil else {
            return [
                "warning: the token and all files travel unencrypted; --tls-cert FILE and --tls-key FILE encrypt them"
            ]
        }
        return []
    }

    /// - Throws: code `usage`, or `cannotReadSource` for files that cannot be read.
    func settings() throws(TransferError) -> FileServerConfiguration {
        guard (0...65_535).contains(port) else {
            throw TransferError(.usage, option: "--port", "write a number from 0 to 65535")
        }
        guard idleTimeout.isFinite, idleTimeout > 0 else {
            throw TransferError(.usage, option: "--idle-timeout", "write seconds above 0")
        }
        guard FileStatus(folder)?.isFolder == true else {
            throw TransferError(.usage, "'\(folder)' is no folder; make it with 'mkdir -p' first")
        }
        var settings = FileServerConfiguration(root: folder, host: host, port: port)
        settings.unknownHostAdvice = "; start it with --name HOST to allow it"
        switch (tlsCert, tlsKey) {
        case (let certificate?, let key?): settings.tls = .init(certificatePath: certificate, keyPath: key)
        case (nil, nil): break
        default:
            throw TransferError(
                .usage, about: "tls-cert", "--tls-cert and --tls-key belong together: give both or neither")
        }
        settings.names = try name.map { text throws(TransferError) in
            guard !text.isEmpty, text.utf8.allSatisfy({ $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") }) else {
                throw TransferError(.usage, option: "--name", "write a host's name alone, such as files.example.org")
            }
            return text
        }
        settings.listsHidden = hidden
        // All come from one address then, and a proxy before the server has one for all of its clients.
        if settings.isLoopback { settings.limits.connectionsPerAddress = settings.limits.connections }
        if let tokenFile { settings.token = try SecretFile.firstLine(of: tokenFile, option: "--token-file") }
        settings.limits.idleSeconds = min(idleTimeout, 1e9)
        settings.limits.uploadBytes = try maxUpload.map { text throws(TransferError) in
            guard let bytes = ByteCount.parse(text) else {
                throw TransferError(.usage, option: "--max-upload", "write bytes such as 500M or 10G")
            }
            return Int64(bytes)
        }
        if let rate {
            settings.rate = try naming("--rate") { () throws(TransferError) in try TransferRate.parse(rate) }
        }
        settings.syncs = !noSync
        settings.logger = Logger(label: "fileq") { label in
            if verbose {
                StreamLogHandler.standardError(label: label) as any LogHandler
            } else {
                SwiftLogNoOpLogHandler()
            }
        }
        return settings
    }
}
