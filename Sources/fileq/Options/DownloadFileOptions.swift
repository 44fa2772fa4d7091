// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// What a download does about files and folders that are here or are not, and what its bytes must be.
struct DownloadFileOptions: ParsableArguments {
    @Flag(help: "A file that exists already counts as downloaded; nothing is fetched.")
    var skipExisting = false

    @Flag(
        name: [.customShort("N"), .long],
        help: """
            Replace an existing file only where the server has a newer version or another size; otherwise nothing is \
            fetched.
            """)
    var ifNewer = false

    @Option(
        help: ArgumentHelp(
            """
            Take the files' checksums, by their names, from a list as sha256sum writes them, with --tag or without. An \
            address is fetched first.
            """,
            valueName: "file|url"), completion: .file())
    var checksumFile: String?

    @Flag(help: "Make folders that are missing.")
    var createDirs = false

    /// Of a command that is made by another one.
    static var defaults: DownloadFileOptions {
        var options = DownloadFileOptions()
        (options.skipExisting, options.ifNewer, options.checksumFile, options.createDirs) = (false, false, nil, false)
        return options
    }

    /// - Throws: code `usage` for options that contradict each other.
    func existing(overwrites: Bool) throws(TransferError) -> ExistingFile {
        let given = [("--overwrite", overwrites), ("--skip-existing", skipExisting), ("--if-newer", ifNewer)].filter(
            \.1
        ).map(\.0)
        guard given.count < 2 else {
            throw TransferError(.usage, "\(given[0]) and \(given[1]) contradict each other: give one of them")
        }
        return skipExisting ? .skips : ifNewer ? .updates : .fails
    }
}
