// SPDX-License-Identifier: MIT

import ArgumentParser
import SessionCore
import TransferModel

/// `fileq put FILE… URL`
struct PutCommand: TransferCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Upload files.",
        usage: "fileq put <file> ... <url> [<options>]",
        discussion: """
            Sends each file unchanged (application/octet-stream) to the URL, with PUT. If the URL ends in '/', the \
            file name is appended; several files need such a URL. '-' uploads standard input, named by --name.

            With -r, the files of a folder keep their paths: 'photos' as photos/2024/a.jpg, 'photos/' as 2024/a.jpg. \
            Symbolic links are skipped unless --follow. Missing folders of a WebDAV server are created. Files that \
            cannot be read are reported, and the others uploaded; the exit code is then 26.

            An upload completes only if the server received every byte before it responded. An earlier success, as \
            from login pages, is a failure (55). Up to 64 KiB, and whatever the server's kernel has acknowledged, \
            count as received: whether the server reads them, only its response states.

            Servers replace existing files. --no-overwrite keeps them: the server is asked first, and the upload \
            fails (23; 22 if the server refuses it). --if-match replaces a file only if it is still the version with \
            that entity tag.

            An interrupted upload continues from the last byte that the server confirmed, if the server speaks a \
            protocol for that (--resumable): after a lost connection, and if the same command is given again. Other \
            uploads start again. So does a file that has changed.

            --sid, --sid-file or --meta make it a FileQ upload: POST to the URL, with name, size and metadata in \
            cookies.

            s3://BUCKET/KEY is an object of AWS S3 or, with --s3-endpoint, of another store. Files larger than one \
            part are sent in parts, of which none is sent again once the store has confirmed it. Access keys come \
            from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from ~/.aws/credentials.

            --share prints a link to each uploaded file that browsers, curl and fileq can open without the server's \
            token, one a line; of several with a tab and its name. A folder given with -r has one, too, to itself as \
            .zip. A terminal also shows where you can delete the link, and with --qr a QR code.

            Ctrl-C stops cleanly; a second one stops immediately.

            Examples:
              fileq put report.pdf https://example.org/inbox/
              fileq put -r photos https://example.org/backup/
              fileq put --sid-file ~/.sid --meta title=夏 movie.mp4 https://example.org/upload
              fileq put --resumable tus movie.mp4 https://tus.example.org/files/
              tar cz src | fileq put - https://example.org/src.tar.gz
              fileq put movie.mp4 s3://backup/movies/
              fileq put --share --share-expires 7d movie.mp4 https://example.org/inbox/
            """
    )

    @Argument(
        help: ArgumentHelp("The files to upload, then the URL or PLACE:path.", valueName: "file ... url"),
        completion: .file())
    var items: [String] = []

    @OptionGroup var files: UploadOptions

    @Option(
        help: ArgumentHelp(
            "The name of standard input, for a URL that ends in '/', and for servers of tus and FileQ.",
            valueName: "name"))
    var name: String?

    @OptionGroup(title: "Existing files") var conditions: ConditionOptions

    @OptionGroup(title: "S3") var s3: S3Options
    @OptionGroup(title: "S3") var parts: S3PartOptions

    @OptionGroup var sharing: ShareOptions

    @OptionGroup(title: "Request") var request: RequestOptions
    @OptionGroup(title: "Login") var login: LoginOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup(title: "Trust") var identity: IdentityOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Run") var runs: RunOptions
    @OptionGroup(title: "Run") var inputs: FileOptions
    @OptionGroup(title: "Output") var report: OutputOptions

    mutating func run() async throws {
        let wanted = try sharing.request()
        guard wanted == nil || !S3Location.isOne(items.last ?? "") else {
            throw TransferError(.usage, option: "--share", "links are for 'fileq serve', not for s3:// URLs")
        }
        let plan = try plan(.process)
        plan.failures.report()
        guard let wanted else { return try await TransferRun.start(plan) }
        let session = try makeProbe(plan.settings)
        defer { session.invalidateAndCancel() }
        var links = ShareLinks(wanted: wanted, writesJSON: shared.output.json) { request in
            do throws(TransferError) { return .success(try await session.data(for: request, body: []).response) } catch
            {
                return .failure(error)
            }
        }
        links.showsCodes = sharing.qr
        if let base = (try? TransferURL(items.last ?? ""))?.path { links.base = base.endsWithSlash ? base : base + "/" }
        // Of a folder whose path ends in a slash, only what is in it was uploaded.
        links.folders = Set(
            items.dropLast().filter { !$0.endsWithSlash }.compactMap { $0.lastPathPart.map(String.init) })
        try await TransferRun.start(plan) { [links] completed in await links.print(for: completed) }
    }
}
