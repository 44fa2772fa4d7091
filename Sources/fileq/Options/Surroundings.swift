// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import Platform
import SessionCore
import TransferModel

/// What a command asks of the world outside its arguments, while it makes its plan.
struct Surroundings: Sendable {
    /// The words of the command line, which other users of the machine can see.
    var arguments: [String]
    /// One environment variable.
    var environment: @Sendable (String) -> String?
    /// Tells the user something that does not stop the run.
    var warn: @Sendable (String) -> Void
    /// Shows a prompt on the terminal and reads a line without echo.
    var askPassword: @Sendable (String) throws(TransferError) -> String
    /// Seconds since 1970.
    var now: @Sendable () -> Double
    /// What `--http 3` needs; the error says what is missing.
    var requireHTTP3: @Sendable () throws(TransferError) -> Void
    /// What the configuration file says of networks.
    var pathOverrides: @Sendable () throws(TransferError) -> PathOverrides = { () throws(TransferError) in
        PathOverrides()
    }
    /// The absolute path that relative ones begin at.
    var workingFolder: @Sendable () throws(TransferError) -> String = WorkingFolder.path
    var localTime = LocalTime.system
    /// Whether results would go to a terminal.
    var writesToTerminal: @Sendable () -> Bool = { isatty(STDOUT_FILENO) == 1 }

    /// The process's own.
    static let process = Surroundings(
        arguments: CommandLine.arguments,
        environment: ProcessEnvironment.value,
        warn: StandardError.say,
        askPassword: PasswordPrompt.ask,
        now: { SystemClock.wall },
        requireHTTP3: fileq.requireHTTP3,
        pathOverrides: { () throws(TransferError) in
            try ConfigurationFile.read(Places(environment: ProcessEnvironment.value).configuration)?.pathOverrides()
                ?? PathOverrides()
        })
}

enum WorkingFolder {
    /// - Throws: code `usage` where the folder is gone.
    static func path() throws(TransferError) -> String {
        guard let path = getcwd(nil, 0) else {
            throw TransferError(.usage, "the working folder no longer exists; go to another one with 'cd'")
        }
        defer { free(path) }
        return String(cString: path)
    }
}
