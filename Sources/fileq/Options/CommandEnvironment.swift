// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import Platform
import SessionCore
import TransferModel

/// The environment of a command while it makes its plan.
struct CommandEnvironment: Sendable {
    /// The command line, which other users of the machine can see.
    var arguments: [String]
    /// One environment variable.
    var environment: @Sendable (String) -> String?
    /// Shows a warning.
    var warn: @Sendable (String) -> Void
    /// Shows a prompt on the terminal and reads a line without echo.
    var askPassword: @Sendable (String) throws(TransferError) -> String
    /// Seconds since 1970.
    var now: @Sendable () -> Double
    /// Checks the prerequisites of `--http 3`; the error names what is missing.
    var requireHTTP3: @Sendable () throws(TransferError) -> Void
    /// Network traits from the configuration file.
    var pathOverrides: @Sendable () throws(TransferError) -> PathOverrides = { () throws(TransferError) in
        PathOverrides()
    }
    /// The places of the configuration file.
    var places: @Sendable () throws(TransferError) -> SavedPlaces = { () throws(TransferError) in SavedPlaces() }
    /// The network interfaces of this machine; empty if unknown.
    var interfaceNames: @Sendable () -> [String] = { [] }
    /// The machine of the queue; `nil`: this one. On another, files can neither be looked at nor made from here.
    var machine: String?
    /// The base of relative paths; absolute.
    var workingFolder: @Sendable () throws(TransferError) -> String = WorkingFolder.path
    /// See ``TransferOptions/umask``; `nil` if unknown.
    var umask: @Sendable () -> Int? = { nil }
    var localTime = LocalTime.system
    /// Whether standard output is a terminal.
    var writesToTerminal: @Sendable () -> Bool = { isatty(STDOUT_FILENO) == 1 }

    /// The process's own.
    static let process = CommandEnvironment(
        arguments: CommandLine.arguments,
        environment: ProcessEnvironment.value,
        warn: StandardError.say,
        askPassword: PasswordPrompt.ask,
        now: { SystemClock.wall },
        requireHTTP3: fileq.requireHTTP3,
        pathOverrides: { () throws(TransferError) in
            try ConfigurationFile.read(Places(environment: ProcessEnvironment.value).configuration)?.pathOverrides()
                ?? PathOverrides()
        }, places: SavedPlaces.ofUser, interfaceNames: InterfaceNames.read,
        umask: { ProcessUmask.read().map { Int($0) } })
}

enum WorkingFolder {
    /// - Throws: code `usage` if the folder no longer exists, or its name is not UTF-8.
    static func path() throws(TransferError) -> String {
        guard let path = getcwd(nil, 0) else {
            throw TransferError(.usage, "the working folder no longer exists; change to another one with 'cd'")
        }
        defer { free(path) }
        guard let text = String(validatingCString: path) else {
            throw TransferError(.usage, "the working folder's name is not UTF-8; change to another one with 'cd'")
        }
        return text
    }
}
