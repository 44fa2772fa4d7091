// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// The root of the command tree.
struct FileqCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fileq",
        abstract: "Move files over HTTP, and keep what has arrived.",
        discussion: """
            Downloads go on where an earlier run stopped, uploads and downloads are tried again after failures that \
            pass, and nothing half-written ever bears its final name.

            'fileq help COMMAND' explains a command, 'fileq help exit-codes' what its exit code says.

            Every long option can be set for good: --request-timeout is FILEQ_REQUEST_TIMEOUT in the environment, or \
            request-timeout in the configuration file, at the top or in a table such as [get]. What is given on the \
            command line counts first, then the environment, then the file. The commands that change the queue (pause, \
            resume, cancel, retry, move, set, relocate, clear, wait) take from there only how they report.
            """,
        version: ProgramVersion.current,
        subcommands: [
            GetCommand.self, PutCommand.self, AddCommand.self,
            ListCommand.self, InfoCommand.self, WatchCommand.self, WaitCommand.self, PauseCommand.self,
            ResumeCommand.self,
            CancelCommand.self, RetryCommand.self, MoveCommand.self, SetCommand.self, RelocateCommand.self,
            HistoryCommand.self,
            ClearCommand.self, LogsCommand.self, TrustCommand.self, ServeCommand.self, DemoCommand.self,
            InterfaceCommand.self,
            ServiceCommand.self, GenerateCommand.self,
        ],
        defaultSubcommand: InterfaceCommand.self
    )
}
