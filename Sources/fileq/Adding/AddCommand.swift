// SPDX-License-Identifier: MIT

import ArgumentParser

/// `fileq add`: transfers for the background.
struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Enqueue transfers in the background.",
        discussion: """
            Takes the arguments of 'fileq get' and 'fileq put' and hands the transfers to the background service, \
            which is started if necessary. Prints the ID of each transfer, one per line, in order; other commands \
            take these IDs. Either all transfers are enqueued or none.

            'fileq add' alone means 'fileq add get'. A command line copied for curl can follow unchanged.

            Transfers do not depend on the working folder or terminal: paths become absolute, passwords are prompted \
            for and folders walked now. What a transfer needs later (files to upload, certificates, cookie jars, \
            ~/.netrc) is read when it starts. The file named by NETRC is read now.

            Examples:
              fileq add https://example.org/disk.iso
              fileq add put -r photos https://example.org/backup/
              fileq add get --paused -i list.txt
              fileq add --at 23:30 --limit 2M https://example.org/disk.iso
              fileq add curl -L -H 'Accept: */*' -o disk.iso https://example.org/latest
            """,
        subcommands: [AddGetCommand.self, AddPutCommand.self, AddCurlCommand.self],
        defaultSubcommand: AddGetCommand.self
    )
}
