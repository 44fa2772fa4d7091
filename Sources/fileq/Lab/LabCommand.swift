// SPDX-License-Identifier: MIT

import ArgumentParser

/// `fileq lab`
struct LabCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lab",
        abstract: "See what a client does when servers and networks misbehave.",
        discussion: """
            'lab serve' is a server that waits and fails as each request asks it to, 'lab link' a proxy that makes the way \
            to any server slow, late or broken, 'lab table' a check of every timeout against every wait. All of it is on \
            this machine.
            """,
        subcommands: [LabServeCommand.self, LabTableCommand.self, LabLinkCommand.self]
    )
}
