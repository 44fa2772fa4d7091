// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// The root of the command tree.
struct LabCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fileq-lab",
        abstract: "See what a client does when servers and networks misbehave.",
        discussion: """
            'serve' is a server that waits and fails as each request asks it to, 'link' a proxy that makes the way \
            to any server slow, late or broken, 'table' a check of every timeout against every wait. All of it is on \
            this machine.
            """,
        version: ProgramVersion.current,
        subcommands: [LabServeCommand.self, LabTableCommand.self, LabLinkCommand.self]
    )
}
