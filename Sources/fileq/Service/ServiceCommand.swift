// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import TransferControl
import TransferModel

/// `fileq service`
struct ServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "The process that carries background transfers.",
        discussion: """
            Nobody needs to start it: every command that needs it does, and it ends by itself when nothing is left to \
            do. Transfers go on when the terminal is closed, and when the service is started again after whatever \
            ended it.
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
            What is logged is shown here too. SIGTERM and Ctrl-C end it within two seconds, with 143 and 130; \
            everything is kept and goes on with the next start. It ends with 0 when 'fileq service stop' asks for it, \
            and when nobody has been connected and nothing was queued, running, waiting or retrying for a while; \
            paused transfers do not keep it alive.

            The log is service.log in the state folder, and service.log.1 what was logged before that; each line \
            begins with its time.
            """
    )

    @Option(
        help: ArgumentHelp("Seconds without anybody and anything to do after which it ends; 0: never.", valueName: "s"))
    var idleTimeout: Double = 600

    @Option(
        name: [.customShort("j"), .customLong("concurrent")],
        help: ArgumentHelp("How many transfers run at once, until a command changes it.", valueName: "n"))
    var concurrent = 4

    @Flag(help: .hidden)
    var onDemand = false

    mutating func run() async throws {
        guard idleTimeout.isFinite, idleTimeout >= 0 else {
            throw TransferError(.usage, option: "--idle-timeout", "write seconds, 0 for never")
        }
        guard (1...256).contains(concurrent) else {
            throw TransferError(.usage, option: "--concurrent", "write a number from 1 to 256")
        }
        var settings = ServiceSettings(places: Places(environment: ProcessEnvironment.value).service)
        settings.concurrent = concurrent
        let configuration = try ConfigurationWatch(path: Places(environment: ProcessEnvironment.value).configuration)
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
        abstract: "End the service; all transfers are kept and go on with its next start.",
        discussion: """
            Returns when the process has ended. Where none is running there is nothing to do, and the exit code is 0. \
            A service that cannot be asked, because its socket is gone or it does not answer for 3 seconds, gets \
            SIGTERM.
            """
    )

    mutating func run() async throws {
        var launcher = try ServiceAccess.launcher()
        launcher.report = { StandardError.say($0) }
        if try await !launcher.stopService() { StandardError.say("no background service is running") }
    }
}
