// SPDX-License-Identifier: MIT

import ArgumentParser

/// `fileq add`: transfers for the background.
struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Queue transfers in the background.",
        discussion: """
            The words of 'fileq get' and 'fileq put', handed to the background service, which is started where none \
            runs. An id is written for each transfer, one a line, in the order given; the other commands of the queue \
            take it. Either all are queued or none.

            'fileq add' with neither is 'fileq add get'. A line that was copied for curl can follow as it is.

            Transfers do not depend on where they were queued: paths are made absolute, passwords asked for and \
            folders walked now. What a transfer needs later (the files it sends, certificates, cookie jars, ~/.netrc) \
            the service reads when it starts. The file that NETRC names is read now.

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
