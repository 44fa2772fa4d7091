// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// The root of the command tree.
struct FileqCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fileq",
        abstract: "Transfer files over HTTP, and resume what was interrupted.",
        discussion: """
            Downloads resume where an earlier run stopped, transient failures are retried, and a file appears under \
            its final name only when it is complete.

            'fileq help COMMAND' describes a command, 'fileq help exit-codes' lists the exit codes.

            Every long option has a default that you can set: for --request-timeout, FILEQ_REQUEST_TIMEOUT in the \
            environment, or request-timeout in the configuration file, at the top or in a table such as [get]. The \
            command line takes precedence over the options of a place ('fileq help places'), those over the \
            environment, the environment over the file. The commands that change the queue (pause, resume, cancel, \
            retry, move, set, relocate, clear, undo, wait), open and copy read only their output options from there.
            """,
        version: ProgramVersion.current,
        subcommands: [
            GetCommand.self, PutCommand.self, LsCommand.self, AddCommand.self,
            ListCommand.self, InfoCommand.self, WatchCommand.self, WaitCommand.self, PauseCommand.self,
            ResumeCommand.self,
            CancelCommand.self, RetryCommand.self, MoveCommand.self, SetCommand.self, RelocateCommand.self,
            UndoCommand.self, OpenCommand.self, CopyCommand.self, HistoryCommand.self,
            ClearCommand.self, LogsCommand.self, PlacesCommand.self, TrustCommand.self, ServeCommand.self,
            DemoCommand.self,
            InterfaceCommand.self, KeysCommand.self,
            ServiceCommand.self, RPCCommand.self, ControlCommand.self, GenerateCommand.self,
        ],
        defaultSubcommand: InterfaceCommand.self
    )
}
