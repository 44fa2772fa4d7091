// SPDX-License-Identifier: MIT

import ArgumentParser
import TerminalInterface
import TransferControl
import TransferModel

/// `fileq service status`
struct ServiceStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show whether the service is running, and its transfers.",
        discussion: "Never starts it. The exit code is 0 if it is running and 1 if it is not."
    )

    @Flag(
        help: """
            One JSON object: pid, version, protocol, socket, log, started (RFC 3339), clients, transfers (the number \
            in each state), limits in force (concurrent, perHost, download, upload; absent: unlimited; held: \
            true if the queue is held), and configuration: file, modified, problem, hooks (the program of each), \
            interfaces, sleep (enabled, prevented, problem).
            """)
    var json = false

    mutating func run() async throws {
        var launcher = try ServiceAccess.talkative()
        launcher.options.usesReservedConnection = true
        guard let client = try await launcher.find() else {
            throw TransferError(.other, "no background service is running")
        }
        var status = try await client.status()
        // systemd's socket is not its own.
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
        for state in TransferState.allCases {
            transfers.add(word: state.rawValue, status.transfers[state.rawValue] ?? 0)
        }
        line.add("transfers", transfers)
        if let limits = status.limits { line.add("limits", object(limits)) }
        if let configuration = status.configuration { line.add("configuration", object(configuration)) }
        return line.object
    }

    private static func object(_ limits: QueueLimits) -> JSONLine {
        var line = JSONLine()
        line.add("concurrent", limits.concurrent)
        line.add("perHost", limits.perHost)
        line.add("download", limits.download)
        line.add("upload", limits.upload)
        if limits.isHeld == true { line.add("held", true) }
        return line
    }

    private static func object(_ configuration: ServiceConfiguration) -> JSONLine {
        var line = JSONLine()
        line.add("file", configuration.file)
        line.add("modified", configuration.modifiedAt.map(Timestamp.text))
        line.add("problem", configuration.problem)
        var hooks = JSONLine()
        for (event, program) in configuration.hooks.sorted(by: { $0.key < $1.key }) { hooks.add(word: event, program) }
        line.add("hooks", hooks)
        line.add("interfaces", words: configuration.interfaces)
        if let sleep = configuration.sleep { line.add("sleep", object(sleep)) }
        return line
    }

    private static func object(_ sleep: SleepStatus) -> JSONLine {
        var line = JSONLine()
        line.add("enabled", sleep.enabled)
        line.add("prevented", sleep.prevented)
        line.add("problem", sleep.problem)
        return line
    }

    private static func words(_ sleep: SleepStatus) -> String {
        guard sleep.enabled else { return "not prevented: \(ConfigurationFile.sleepKey) = false" }
        if let problem = sleep.problem { return "not prevented: \(problem)" }
        return sleep.prevented ? "prevented now, as transfers run" : "prevented while transfers run"
    }

    private static func words(_ limits: QueueLimits) -> String {
        func rate(_ value: Int?) -> String { value.map { RateText.label($0) + "/s" } ?? "unlimited" }
        return "\(limits.concurrent) at once" + (limits.perHost.map { ", \($0) for each host" } ?? "")
            + ", download \(rate(limits.download)), upload \(rate(limits.upload))"
            + (limits.isHeld == true ? "; held until 'fileq resume --all'" : "")
    }

    private static func rows(_ configuration: ServiceConfiguration) -> [(String, String)] {
        let time = configuration.modifiedAt.map { ", of \(Timestamp.text($0))" } ?? " (there is none)"
        var rows = [("config", configuration.file + time)]
        if let problem = configuration.problem { rows.append(("", "changed since and not in force: \(problem)")) }
        let hooks = configuration.hooks.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        rows.append(("hooks", hooks.isEmpty ? "none" : hooks.joined(separator: ", ")))
        if let sleep = configuration.sleep { rows.append(("sleep", words(sleep))) }
        if !configuration.interfaces.isEmpty {
            rows.append(("networks", configuration.interfaces.joined(separator: ", ")))
        }
        return rows
    }

    static func text(_ status: ServiceStatus, log: String) -> String {
        let counts = TransferState.allCases.compactMap { state in
            status.transfers[state.rawValue].map { "\($0) \(state.rawValue)" }
        }
        let rows =
            [
                (
                    "running",
                    "process \(status.pid), fileq \(status.version), since \(Timestamp.text(status.startedAt))"
                ),
                ("transfers", counts.isEmpty ? "none" : counts.joined(separator: ", ")),
                ("socket", status.socket ?? ""),
                ("log", log),
            ] + (status.limits.map { [("limits", words($0))] } ?? []) + (status.configuration.map(rows) ?? [])
        return rows.map { name, value in
            name + String(repeating: " ", count: 11 - name.count) + TextSanitizer.clean(value)
        }.joined(separator: "\n")
    }
}
