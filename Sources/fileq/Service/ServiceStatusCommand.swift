// SPDX-License-Identifier: MIT

import ArgumentParser
import TerminalInterface
import TransferControl
import TransferModel

/// `fileq service status`
struct ServiceStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say whether the service is running, and what it carries.",
        discussion: "Never starts it. The exit code is 0 where it is running and 1 where it is not."
    )

    @Flag(help: """
        One JSON object: pid, version, protocol, socket, log, started (RFC 3339), clients, and in transfers how many there are in \
        each state.
        """)
    var json = false

    mutating func run() async throws {
        let launcher = try ServiceAccess.launcher()
        guard let client = try await launcher.find() else { throw TransferError(.other, "no background service is running") }
        var status = try await client.status()
        // Not its own where systemd made it.
        status.socket = status.socket ?? launcher.places.socket
        print(json ? Self.object(status, log: launcher.places.log) : Self.text(status, log: launcher.places.log))
    }

    static func object(_ status: ServiceStatus, log: String) -> String {
        var line = JSONLine()
        line.add("pid", status.pid)
        line.add("version", status.version)
        line.add("protocol", status.protocol)
        line.add("socket", status.socket)
        line.add("log", log)
        line.add("started", Timestamp.text(status.startedAt))
        line.add("clients", status.clients)
        var transfers = JSONLine()
        for state in TransferState.allCases { transfers.add(word: state.rawValue, status.transfers[state.rawValue] ?? 0) }
        line.add("transfers", transfers)
        return line.object
    }

    static func text(_ status: ServiceStatus, log: String) -> String {
        let counts = TransferState.allCases.compactMap { state in
            status.transfers[state.rawValue].map { "\($0) \(state.rawValue)" }
        }
        return [
            ("running", "process \(status.pid), fileq \(status.version), since \(Timestamp.text(status.startedAt))"),
            ("transfers", counts.isEmpty ? "none" : counts.joined(separator: ", ")),
            ("socket", status.socket ?? ""),
            ("log", log),
        ].map { name, value in name + String(repeating: " ", count: 11 - name.count) + TextSanitizer.clean(value) }.joined(separator: "\n")
    }
}
