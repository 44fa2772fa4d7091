// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// What `put` and `add put` send, and how.
struct UploadOptions: ParsableArguments {
    @Flag(name: [.short, .long], help: "Upload folders with their contents.")
    var recursive = false

    @Flag(help: "With -r, upload the targets of symbolic links instead of skipping them.")
    var follow = false

    @Option(
        help: ArgumentHelp(
            """
            Continue interrupted uploads by this protocol: ietf (Resumable Uploads for HTTP), tus, auto (what the \
            server announces; files from 1 MiB on), or never. With tus and ietf, a URL that is an upload already is \
            continued. (default: auto)
            """,
            valueName: "protocol"), completion: .list(UploadResumption.allCases.map(\.rawValue)))
    var resumable: String?

    @Option(
        help: ArgumentHelp(
            """
            Use up to this many connections for one file: for s3:// URLs, and by tus with servers that join parts, \
            from 16 MiB on. (default: 4 for s3:// URLs, else 1)
            """,
            valueName: "n"))
    var split: Int?

    /// For a command created by another one.
    static var unused: UploadOptions {
        var options = UploadOptions()
        (options.recursive, options.follow, options.resumable, options.split) = (false, false, nil, nil)
        return options
    }
}
