// SPDX-License-Identifier: MIT

import ArgumentParser
import NetworkLab
import TransferModel

/// `fileq-lab link`
struct LabLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "A proxy that makes the way to a server slow, late or broken.",
        discussion: """
            Connections to its port are led to HOST:PORT through a link of the given profile, which all of them share. \
            The first line on standard output is 'listening on http://127.0.0.1:PORT'; what happens goes to standard \
            error.

            The profiles are shaped, not emulated: bandwidth, delay, jitter, stalls and outages are felt, but packets \
            are never lost or reordered, for a proxy does not see them.

            \(LinkProfile.all.map(\.helpLine).joined(separator: "\n"))

            With --down and --every the link is down for so long at the end of each such span. --outage stall holds \
            all bytes back meanwhile, reset cuts the connections, refuse cuts them and refuses new ones.

            Examples:
              fileq-lab link --profile 3g --to 127.0.0.1:8080 --port 9090
              fileq-lab link --profile wifi --to 127.0.0.1:8080 --down 10s --every 60s --outage refuse
            """
    )

    @Option(
        help: ArgumentHelp(
            "The kind of link: \(LinkProfile.all.map(\.name).joined(separator: ", ")).", valueName: "name"),
        completion: .list(LinkProfile.all.map(\.name)))
    var profile: String

    @Option(help: ArgumentHelp("Where connections are led to.", valueName: "host:port"))
    var to: String

    @Option(help: ArgumentHelp("The port to listen on; 0 picks a free one.", valueName: "n"))
    var port = 0

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var listen = "127.0.0.1"

    @Option(help: ArgumentHelp("How long each outage lasts, such as 10s.", valueName: "time"))
    var down: String?

    @Option(help: ArgumentHelp("From one outage to the next, such as 60s.", valueName: "time"))
    var every: String?

    @Option(
        help: ArgumentHelp("What an outage does: stall, reset or refuse.", valueName: "kind"),
        completion: .list(LinkProxy.Outage.allCases.map(\.rawValue)))
    var outage = LinkProxy.Outage.stall.rawValue

    @Flag(name: [.customShort("q"), .long], help: "Say nothing of what happens.")
    var quiet = false

    mutating func run() async throws {
        let settings = try settings()
        let link = try await LinkProxy.start(settings)
        if !settings.profile.losesAll,
            let reason = await LinkProxy.connectionFailed(settings.targetHost, settings.targetPort)
        {
            LabProgram.say("\(to) cannot be reached now: \(reason); connections are reset until it can")
        }
        if !quiet { LabProgram.say("shaped link \(settings.profile.name) to \(to): \(settings.profile.summary)") }
        let host = listen.contains(":") ? "[\(listen)]" : listen
        await LabServerRun.untilSignal(listeningOn: "http://\(host):\(link.port)")
        await link.stop()
    }

    /// - Throws: code `usage`.
    func settings() throws(TransferError) -> LinkProxy.Configuration {
        guard let profile = LinkProfile.named(profile) else {
            throw TransferError(
                .usage,
                "there is no profile '\(profile)': choose one of "
                    + LinkProfile.all.map(\.name).joined(separator: ", "))
        }
        let (host, targetPort) = try Self.target(to)
        var settings = LinkProxy.Configuration(profile: profile, targetHost: host, targetPort: targetPort)
        (settings.host, settings.port) = (listen, try LabServerRun.port(port))
        guard let outage = LinkProxy.Outage(rawValue: outage) else {
            throw TransferError(.usage, "--outage: write stall, reset or refuse")
        }
        settings.outage = outage
        switch (down, every) {
        case (nil, nil): break
        case (let down?, let every?):
            let schedule = OutageSchedule(
                down: try LabDuration.parse(down, option: "--down"),
                every: try LabDuration.parse(every, option: "--every"))
            guard let schedule else { throw TransferError(.usage, "--down must be above 0 and shorter than --every") }
            settings.outages = schedule
        default: throw TransferError(.usage, "--down and --every belong together: give both or neither")
        }
        if !quiet { settings.report = LabServerRun.report }
        return settings
    }

    /// `HOST:PORT`, or `[IPv6]:PORT`.
    static func target(_ text: String) throws(TransferError) -> (host: String, port: Int) {
        let complaint = TransferError(.usage, "--to: write HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080")
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (1...65_535).contains(port)
        else { throw complaint }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            throw complaint
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "/") }) else {
            throw complaint
        }
        return (String(host), port)
    }
}

extension LinkProfile {
    /// Name and summary, in two columns.
    fileprivate var helpLine: String {
        "  " + name + String(repeating: " ", count: max(1, 10 - name.count)) + summary
    }
}
