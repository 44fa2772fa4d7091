// SPDX-License-Identifier: MIT

import ArgumentParser
import NetworkLab
import TransferModel

/// `fileq-lab serve`
struct LabServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "A server that waits and fails as each request asks it to.",
        discussion: """
            Its address without a path lists everything that a request's query can ask for: waits before the head, the \
            first and the second line of the answer, and faults such as reset, truncate, stall, stop-reading, \
            wrong-length, garbage, drip, 1xx-storm, redirect-loop, 401, 407, 429 and 503. The options below are what \
            holds where a query says nothing.

            Files are numbered lines, with ranges and a strong ETag; uploads are answered with count and SHA-256. The \
            first line on standard output is 'listening on http://127.0.0.1:PORT'; what clients do goes to standard \
            error.

            With --wait-accept each connection is accepted that much later. Until then the kernel has completed it: \
            only the request timer sees the wait, or with HTTPS the connect timer. With --blackhole no connection is \
            completed at all: that is what the connect timer sees.

            Examples:
              fileq-lab serve --port 8080
              fileq get --request-timeout 1 'http://127.0.0.1:8080/file?wait-second=3'
            """
    )

    @Option(help: ArgumentHelp("The port to listen on; 0 picks a free one.", valueName: "n"))
    var port = 0

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var listen = "127.0.0.1"

    @Option(
        help: ArgumentHelp(
            "The certificate chain, a PEM file; with --tls-key the server speaks HTTPS.", valueName: "file"),
        completion: .file())
    var tlsCert: String?

    @Option(help: ArgumentHelp("The certificate's private key, a PEM file.", valueName: "file"), completion: .file())
    var tlsKey: String?

    @Option(
        help: ArgumentHelp("Wait so long before each connection is accepted, such as 2 or 500ms.", valueName: "time"))
    var waitAccept = "0"

    @Flag(help: "Complete no connection: every attempt to connect goes unanswered.")
    var blackhole = false

    @Option(help: ArgumentHelp("Seconds before the head of a response.", valueName: "s"))
    var waitHead: String?

    @Option(help: ArgumentHelp("Seconds before the first line of its body.", valueName: "s"))
    var waitFirst: String?

    @Option(help: ArgumentHelp("Seconds before the second line.", valueName: "s"))
    var waitSecond: String?

    @Option(help: ArgumentHelp("Bytes of every file, such as 10M.", valueName: "bytes"))
    var size: String?

    @Option(help: ArgumentHelp("Lines of every file, of 64 bytes each.", valueName: "n"))
    var lines: String?

    @Option(
        help: ArgumentHelp("What goes wrong with every request.", valueName: "fault"),
        completion: .list(LabFault.allCases.map(\.rawValue)))
    var fault: String?

    @Option(help: ArgumentHelp("Bytes of body after which it does, or 'head'.", valueName: "bytes"))
    var at: String?

    @Option(help: ArgumentHelp("Bytes a second, either way, such as 500k.", valueName: "rate"))
    var rate: String?

    @Option(help: ArgumentHelp("How many informational responses or redirects.", valueName: "n"))
    var count: String?

    @Option(help: ArgumentHelp("Only so many requests for one target meet the fault.", valueName: "n"))
    var times: String?

    @Option(help: ArgumentHelp("Seconds that Retry-After names.", valueName: "s"))
    var retryAfter: String?

    @Flag(name: [.customShort("q"), .long], help: "Say nothing of what clients do.")
    var quiet = false

    mutating func run() async throws {
        if blackhole { return try await runBlackhole() }
        let server = try await LabServer.start(try settings())
        await LabServerRun.untilSignal(listeningOn: server.url)
        await server.stop()
    }

    private func runBlackhole() async throws {
        guard listen == "127.0.0.1", tlsCert == nil, tlsKey == nil, waitAccept == "0" else {
            throw TransferError(
                .usage, "--blackhole goes with --port and --quiet alone: it never gets as far as a response")
        }
        let blackhole = try Blackhole(port: try LabServerRun.port(port))
        await LabServerRun.untilSignal(listeningOn: blackhole.url)
        blackhole.stop()
    }

    /// - Throws: code `usage`.
    func settings() throws(TransferError) -> LabServer.Configuration {
        var settings = LabServer.Configuration()
        (settings.host, settings.port) = (listen, try LabServerRun.port(port))
        switch (tlsCert, tlsKey) {
        case (let certificate?, let key?): settings.tls = .init(certificatePath: certificate, keyPath: key)
        case (nil, nil): break
        default: throw TransferError(.usage, "--tls-cert and --tls-key need each other: use both or neither")
        }
        settings.waitAccept = try LabDuration.parse(waitAccept, option: "--wait-accept")
        let given = [
            ("wait-head", waitHead), ("wait-first", waitFirst), ("wait-second", waitSecond), ("lines", lines),
            ("size", size),
            ("fault", fault), ("at", at), ("rate", rate), ("count", count), ("times", times),
            ("retry-after", retryAfter),
        ]
        for case (let name, let value?) in given {
            do { try settings.defaults.set(name, value) } catch {
                throw TransferError(error.code, "--\(name): \(error.message)")
            }
        }
        if !quiet { settings.report = LabServerRun.report }
        return settings
    }
}
