// SPDX-License-Identifier: MIT

import ArgumentParser

/// Where a download is saved.
struct DestinationOptions: ParsableArguments {
    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "Save to this file; for get, '-' is standard output, which must not be a terminal.",
            valueName: "file"), completion: .file())
    var output: String?

    @Option(
        name: [.customShort("d"), .long],
        help: ArgumentHelp("Save into this folder.", valueName: "folder"), completion: .directory)
    var directory: String?

    /// For a command created by another one.
    static func of(output: String?, directory: String?) -> DestinationOptions {
        var options = DestinationOptions()
        (options.output, options.directory) = (output, directory)
        return options
    }
}
