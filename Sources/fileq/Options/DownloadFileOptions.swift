// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// How a download treats existing files and missing folders, and its expected checksum.
struct DownloadFileOptions: ParsableArguments {
    @Flag(help: "Keep existing files and count them as downloaded.")
    var skipExisting = false

    @Flag(
        name: [.customShort("N"), .long],
        help: """
            Replace an existing file only if the server has a newer version or another size.
            """)
    var ifNewer = false

    @Flag(help: "Save beside an existing file, under the next free name: disk-2.iso.")
    var keepBoth = false

    @Option(
        help: ArgumentHelp(
            """
            Take the checksums of the files from a list in the format of sha256sum, with --tag or without, by file \
            name. A URL is downloaded first.
            """,
            valueName: "file|url"), completion: .file())
    var checksumFile: String?

    @Option(
        name: .customLong("mirror"),
        help: ArgumentHelp(
            """
            Another address of the same file; may be repeated. It is asked when the others fail; with a checksum, \
            also for parts of the file.
            """,
            valueName: "url"))
    var mirrors: [String] = []

    @Option(
        name: .customLong("metalink"),
        help: ArgumentHelp(
            """
            Download the files that a Metalink document describes (RFC 5854), and check them as it says; may be \
            repeated. Arguments that end in .meta4 are such documents, too.
            """,
            valueName: "file|url"), completion: .file())
    var metalinks: [String] = []

    @Flag(help: "Save Metalink documents, instead of downloading the files that they describe.")
    var noMetalink = false

    @Flag(help: "Create missing folders.")
    var createDirs = false

    @Option(
        help: ArgumentHelp(
            """
            Use up to this many connections for one file, as long as each of them makes it faster. 1: never more than \
            one. (default: 4)
            """,
            valueName: "n"))
    var split: Int?

    /// For arguments without a command line.
    static var defaults: DownloadFileOptions {
        var options = DownloadFileOptions()
        (options.skipExisting, options.ifNewer, options.keepBoth) = (false, false, false)
        (options.checksumFile, options.createDirs) = (nil, false)
        (options.split, options.mirrors, options.metalinks, options.noMetalink) = (nil, [], [], false)
        return options
    }

    /// `--split`, also of `put`.
    /// - Throws: code `usage` for a number below 1.
    static func connections(_ split: Int?) throws(TransferError) -> Int? {
        guard split ?? 1 >= 1 else { throw TransferError(.usage, option: "--split", "use a number from 1") }
        return split
    }

    /// - Throws: code `usage` for contradicting options.
    func existing(overwrites: Bool) throws(TransferError) -> ExistingFile {
        let given = [
            ("--overwrite", overwrites), ("--skip-existing", skipExisting), ("--if-newer", ifNewer),
            ("--keep-both", keepBoth),
        ].filter(\.1).map(\.0)
        guard given.count < 2 else {
            throw TransferError(.usage, "\(given[0]) and \(given[1]) exclude each other: use one of them")
        }
        return skipExisting ? .skips : ifNewer ? .updates : .fails
    }
}
