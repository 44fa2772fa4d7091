// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import TransferControl
import TransferModel

/// `fileq service`
struct ServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "The background service, which runs the queue.",
        discussion: """
            Commands that need the service start it, and it exits when it has nothing to do. Transfers continue when \
            the terminal is closed, and when the service is restarted after any kind of end.

            Examples:
              fileq service status
              fileq service run --idle-timeout 0
              fileq service install
              systemctl --user enable --now fileq.socket fileq.service
              fileq service stop
            """,
        subcommands: [
            ServiceRunCommand.self, ServiceStatusCommand.self, ServiceStopCommand.self, ServiceInstallCommand.self,
        ]
    )
}

/// `fileq service run`
struct ServiceRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the service in this terminal.",
        discussion: """
            The log also goes to the terminal. SIGTERM and Ctrl-C end the service within two seconds, with 143 and \
            130; all transfers are kept and continue at the next start. It ends with 0 after 'fileq service stop', \
            and when for a while nobody was connected and no transfer was queued, running, waiting or retrying; \
            paused transfers do not keep it running, but 'fileq rpc enable' does.

            The log is service.log in the state folder, older entries are in service.log.1; each line begins with \
            its time.
            """
    )

    @Option(
        help: ArgumentHelp("Exit after this many idle seconds; 0: never.", valueName: "s"))
    var idleTimeout: Double = 600

    @Option(
        name: [.customShort("j"), .customLong("concurrent")],
        help: ArgumentHelp("The number of concurrent transfers, until a command changes it.", valueName: "n"))
    var concurrent = 4

    @Flag(help: .hidden)
    var onDemand = false

    mutating func run() async throws {
        guard idleTimeout.isFinite, idleTimeout >= 0 else {
            throw TransferError(.usage, option: "--idle-timeout", "use seconds, 0 for never")
        }
        guard (1...256).contains(concurrent) else {
            throw TransferError(.usage, option: "--concurrent", "use a number from 1 to 256")
        }
        let places = Places(environment: ProcessEnvironment.value)
        var settings = ServiceSettings(places: places)
        settings.concurrent = concurrent
        let configuration = try ConfigurationWatch(path: places.configuration, remote: places.remote)
        settings.configured = configuration.values
        let process = ServiceProcess(
            settings: settings, configuration: configuration, version: FileqCommand.configuration.version,
            idleTimeout: idleTimeout > 0 ? min(idleTimeout, 1e9) : nil, isOnDemand: onDemand)
        let code = try await process.run()
        if code != 0 { throw ExitCode(code) }
    }
}

/// `fileq service stop`
struct ServiceStopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Stop the service; its transfers continue at the next start.",
        discussion: """
            Returns when the process has ended. If no service is running, the exit code is 0. A service without a \
            socket, or without a reply for 3 seconds, gets SIGTERM.
            """
    )

    mutating func run() async throws {
        var launcher = try ServiceAccess.launcher()
        launcher.report = { StandardError.say(MessageCatalog.text($0)) }
        if try await !launcher.stopService() { StandardError.say("no background service is running") }
    }
}
