// SPDX-License-Identifier: MIT

import ArgumentParser
import FileServer
import Glibc
import Logging
import Platform
import TransferModel

/// `fileq serve [DIR]`
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a folder and receive uploads over HTTP.",
        discussion: """
            Serves the folder DIR: GET and HEAD read files, with ranges; PUT stores them; POST /upload takes FileQ \
            uploads and GET /files lists those. A file appears under its name only when it is complete on disk. \
            Uploads are stored in DIR/files, the server's own data in DIR/.fileq-server. It speaks HTTP/1.1.

            Uploads are resumable with the IETF draft (versions 8, 6, 5 and 3) and with tus 1.0: they continue after a \
            broken connection, and after the server was killed. Other clients than browsers get listings as JSON. \
            Browsers get a page, in English or Japanese: files and folders dropped on it are uploaded, new folders \
            made, folders downloaded as .zip (which is '/FOLDER/?zip') and, with --allow-delete, files deleted.

            The first line on standard output is 'listening on http://127.0.0.1:PORT', once the server accepts \
            connections; standard error states the folder and how to stop. Without --host only this machine can \
            connect; otherwise standard error also has the addresses for other devices and, on a terminal and with \
            libqrencode, the first one as a QR code. SIGTERM and Ctrl-C end it after the running requests, with exit \
            code 0; a second one ends it immediately.

            With --token-file, clients must send the token: as 'Authorization: Bearer TOKEN', as get, put and add do \
            with their --token-file, or as the password of any user name. Browsers get a form for it and, once they \
            have logged in, a cookie for seven days.

            On a terminal, standard error has a line for each request: time, client, method, path, status, bytes of \
            content in and out, duration; --log json is for programs, --log none writes none. Links are cut off in it, \
            and queries left out.

            If only this machine can connect, the server accepts requests addressed to an IP address, to localhost \
            or to a --name, so that no page of another site reaches it through DNS rebinding; otherwise it accepts \
            every name unless --name is given. Pages of other sites cannot store or remove files, and browsers run \
            no script of the files served. Listings omit names that begin with a dot unless --hidden is given; such \
            files can still be read by name.

            Examples:
              fileq serve ~/inbox --port 8080
              fileq serve --tls-cert cert.pem --tls-key key.pem --token-file ~/.token
            """
    )

    @Argument(help: "The folder to serve; it must exist.", completion: .directory)
    var folder = "."

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The port to listen on; 0 picks a free one.", valueName: "n"))
    var port = 8080

    @Option(
        help: ArgumentHelp(
            "An additional name of the server in requests; repeatable.", valueName: "host"))
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
            "A file whose first line is the token that requests need, as a bearer token or as a password.",
            valueName: "file"),
        completion: .file())
    var tokenFile: String?

    @Option(help: ArgumentHelp("The largest upload accepted, such as 500M or 10G.", valueName: "bytes"))
    var maxUpload: String?

    @Option(
        help: ArgumentHelp(
            "The most that all unfinished resumable uploads may have together, such as 50G.", valueName: "bytes"))
    var uploadQuota: String?

    @Option(
        help: ArgumentHelp(
            "Remove a resumable upload that has received nothing for this many hours.", valueName: "hours"))
    var uploadLifetime: Double = 168

    @Option(help: ArgumentHelp("Close a connection after this many seconds without a byte.", valueName: "s"))
    var idleTimeout: Double = 60

    @Option(
        help: ArgumentHelp(
            "Bytes per second for each connection and direction, such as 500k, for demonstrations.",
            valueName: "rate"))
    var rate: String?

    @Flag(
        help:
            "Do not sync uploads before responding: faster, but a power cut may lose them."
    )
    var noSync = false

    @Flag(help: "Let clients delete files and folders, with DELETE and on the page.")
    var allowDelete = false

    @Flag(help: "Also list names that begin with a dot.")
    var hidden = false

    @Option(
        help: ArgumentHelp(
            "A line for each request on standard error: common, json or none; common on a terminal.",
            valueName: "format"))
    var log: RequestLogFormat?

    @Flag(name: [.customShort("v"), .long], help: "Also warnings, and lines for requests without a terminal.")
    var verbose = false

    mutating func run() async throws {
        // Unbuffered: in a pipe, the line must appear immediately.
        let announce: @Sendable (String) -> Void = { line in
            print(line)
            fflush(nil)
        }
        do {
            var settings = try settings()
            let log = RequestLog(logFormat(isTerminal: isatty(STDERR_FILENO) == 1))
            settings.log = { log.add($0) }
            defer { log.flush() }
            let server = try FileServer(configuration: settings)
            for warning in Self.warnings(about: settings) { StandardError.say(warning) }
            let (host, scheme) = (host.contains(":") ? "[\(host)]" : host, server.scheme)
            // Ignores a closed terminal under nohup.
            let signals = [SIGINT, SIGTERM] + (Interruption.isIgnored(SIGHUP) ? [] : [SIGHUP])
            let path = AbsolutePaths(workingFolder: try CommandEnvironment.process.workingFolder()).path(folder)
            // Ended on request: success for a server, whatever the signal.
            _ = try await server.run(untilSignal: signals) { [settings] port in
                announce("listening on \(scheme)://\(host):\(port)")
                let addresses = ServeWords.addresses(
                    of: settings, scheme, port, own: InterfaceNames.reachableAddresses())
                for line in ServeWords.reach(settings, at: addresses) { StandardError.say(line) }
                if let first = addresses.first { _ = QRCodeText.show(first) }
                StandardError.say(ServeWords.started(settings, folder: path))
            } onSignal: { [settings] in
                StandardError.say(ServeWords.stopping(settings))
            }
            StandardError.say(ServeWords.stopped)
        } catch let error as StartError {
            throw TransferError(.other, ServeWords.failed(error))
        }
    }

    func logFormat(isTerminal: Bool) -> RequestLogFormat { log ?? (isTerminal || verbose ? .common : .none) }

    /// Warnings about who can reach the server; one line each.
    static func warnings(about settings: FileServerConfiguration) -> [String] {
        guard !settings.isLoopback else { return [] }
        var warnings: [String] = []
        if settings.token == nil {
            warnings.append(
                "warning: everyone who can connect to \(settings.host) can read and store files here; "
                    + "--token-file FILE requires a token")
            if settings.names.isEmpty {
                warnings.append(
                    "warning: pages of other sites can do so, too, through the browser of a visitor (DNS rebinding); "
                        + "--name HOST limits the names of this server")
            }
        } else if settings.tls == nil {
            warnings.append(
                "warning: the token and all files travel unencrypted; --tls-cert FILE and --tls-key FILE encrypt them")
        }
        return warnings
    }

    /// - Throws: code `usage`, or `cannotReadSource` for unreadable files.
    func settings() throws(TransferError) -> FileServerConfiguration {
        guard (0...65_535).contains(port) else {
            throw TransferError(.usage, option: "--port", "use a number from 0 to 65535")
        }
        // The resolver takes both for loopback.
        guard !host.isEmpty, host != "*" else {
            throw TransferError(.usage, option: "--host", "use an address of this machine, or 0.0.0.0 for all of them")
        }
        guard idleTimeout.isFinite, idleTimeout > 0 else {
            throw TransferError(.usage, option: "--idle-timeout", "use seconds above 0")
        }
        guard uploadLifetime.isFinite, uploadLifetime > 0 else {
            throw TransferError(.usage, option: "--upload-lifetime", "use hours above 0")
        }
        guard FileStatus(folder)?.isFolder == true else {
            throw TransferError(
                .usage, "'\(folder)' is not a folder; name one that exists, or create it with 'mkdir -p'")
        }
        var settings = FileServerConfiguration(root: folder, host: host, port: port)
        settings.unknownHostAdvice = "; start it with --name HOST to allow it"
        switch (tlsCert, tlsKey) {
        case (let certificate?, let key?): settings.tls = .init(certificatePath: certificate, keyPath: key)
        case (nil, nil): break
        default:
            throw TransferError(
                .usage, about: "tls-cert", "--tls-cert and --tls-key need each other: use both or neither")
        }
        settings.names = try name.map { text throws(TransferError) in
            guard !text.isEmpty, text.utf8.allSatisfy({ $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") }) else {
                throw TransferError(.usage, option: "--name", "use a host name such as files.example.org")
            }
            return text
        }
        settings.listsHidden = hidden
        settings.allowsDelete = allowDelete
        // All connections then come from one address, as from a reverse proxy.
        if settings.isLoopback { settings.limits.connectionsPerAddress = settings.limits.connections }
        if let tokenFile { settings.token = try SecretFile.firstLine(of: tokenFile, option: "--token-file") }
        settings.limits.idleSeconds = min(idleTimeout, 1e9)
        settings.limits.uploadBytes = try Self.bytes(maxUpload, "--max-upload")
        settings.limits.unfinishedBytes = try Self.bytes(uploadQuota, "--upload-quota")
        settings.limits.uploadLifetimeSeconds = min(uploadLifetime, 1e6) * 3600
        if let rate {
            settings.rate = try naming("--rate") { () throws(TransferError) in try TransferRate.parse(rate) }
        }
        settings.syncs = !noSync
        settings.logger = Logger(label: "fileq") { label in
            guard verbose else { return SwiftLogNoOpLogHandler() }
            var handler = StreamLogHandler.standardError(label: label)
            // The server's parts log their starts and ends.
            handler.logLevel = .warning
            return handler
        }
        return settings
    }

    private static func bytes(_ text: String?, _ option: String) throws(TransferError) -> Int64? {
        guard let text else { return nil }
        guard let bytes = ByteCount.parse(text) else {
            throw TransferError(.usage, option: option, "use bytes such as 500M or 10G")
        }
        return Int64(bytes)
    }
}
