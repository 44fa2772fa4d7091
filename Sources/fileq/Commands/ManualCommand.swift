// SPDX-License-Identifier: MIT

import ArgumentParser

/// `fileq generate-manual`: for the build, not for people.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate-manual", abstract: "Print the manual page.", shouldDisplay: false)

    func run() {
        print(ManualPage(of: CommandInventory.read()).text, terminator: "")
    }
}
