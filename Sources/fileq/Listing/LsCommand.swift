// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import Listings
import Platform
import SessionCore
import TransferModel
import TransferService

/// `fileq ls URL`
struct LsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "List a folder of a server.",
        discussion: """
            Prints one name per line, folders with a '/', in an order in which numbers count as such. Listings are \
            read as servers make them: index pages of nginx, Apache, lighttpd, caddy, h2o, Python and others, JSON of \
            nginx, caddy, dufs (?json), copyparty (?ls) and 'fileq serve', WebDAV, and S3 for s3://BUCKET/PREFIX/. A \
            page that is none of them is refused (22). 'fileq list' shows the queue.

            With -l each line begins with size and local time, separated by two spaces; '-' for what the server does \
            not state, '~' before a size that it has rounded. Index pages seldom state a zone: their times are read \
            as UTC. With -R lines are paths, and the folders below follow, never those of another server. With --json \
            one object per line: name, kind (file, folder or unknown), url, and, if known, size, modified, etag and \
            checksum; path with -R; "sizeIsExact": false for a rounded size, modifiedPrecision unless it is seconds.

            Control characters in a name are written as \\t, \\n or \\xHH, those of bidi as \\uHHHH; a terminal shows \
            none of them. Names that no file may have are reported and left out, with the exit code 23; so are \
            folders that cannot be listed and loops, with the code of the first. An incomplete listing ends with 18.

            Access keys of S3 come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from ~/.aws/credentials.

            Examples:
              fileq ls https://example.org/pub/
              fileq ls -l --user alice https://nas.example.org/dav/photos/
              fileq ls -R --json s3://backup/2026/ | jq -r .path
            """
    )

    @Argument(
        help: ArgumentHelp("The URL of the folder: http, https or s3; or PLACE:PATH.", valueName: "url"),
        completion: .places)
    var url: String

    @Flag(name: [.customShort("l"), .long], help: "Show sizes and times.")
    var long = false

    @Flag(name: [.customShort("R"), .long], help: "List the folders below, too.")
    var recursive = false

    @Option(help: ArgumentHelp("With -R, list this many levels of folders. (default: 32)", valueName: "n"))
    var depth: Int?

    @Flag(help: "One JSON object per name.")
    var json = false

    @OptionGroup(title: "S3") var s3: S3Options
    @OptionGroup(title: "Request") var request: RequestOptions
    @OptionGroup(title: "Login") var login: LoginOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup(title: "Trust") var identity: IdentityOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions

    mutating func run() async throws {
        let surroundings = CommandEnvironment.process
        let plan = try plan(surroundings)
        signal(SIGPIPE, SIG_IGN)
        let interruption = Interruption()
        interruption.listen()
        let session = try makeProbe(plan.settings)
        session.applyRateLimits(download: plan.settings.download, upload: nil)
        interruption.arm(onFirst: { _ in session.invalidateAndCancel() }, onSecond: {})
        defer { session.invalidateAndCancel() }
        let fetch = ListingFetch(plan, session) { interruption.signalNumber != nil }
        let isTerminal = surroundings.writesToTerminal()
        let lines = ListingLines(
            isLong: long, isJSON: json, hasPaths: recursive, isTerminal: isTerminal, localTime: surroundings.localTime)
        var run = ListingRun(
            plan, lines, ResultOutput(FileOutput(descriptor: STDOUT_FILENO)), report: StandardError.say
        ) { request, staysAtOrigin async throws(TransferError) in
            try await fetch.response(to: request, staysAtOrigin: staysAtOrigin)
        }
        let result: Result<Int32, any Error>
        do { result = .success(try await run.run()) } catch { result = .failure(error) }
        do throws(TransferError) { try session.flush() } catch { surroundings.warn(MessageCatalog.text(error)) }
        if let number = interruption.signalNumber { throw ExitCode(Interruption.exitCode(for: number)) }
        let status = try result.get()
        if status != 0 { throw ExitCode(status) }
    }

    /// Checks everything that needs no network.
    func plan(_ surroundings: CommandEnvironment) throws(TransferError) -> ListingPlan {
        guard depth == nil || recursive else { throw TransferError(.usage, option: "--depth", "is for -R") }
        guard depth ?? 1 >= 1 else { throw TransferError(.usage, option: "--depth", "use a number from 1") }
        guard request.method == nil else {
            throw TransferError(.usage, option: "--method", "the requests of a listing have their own; omit it")
        }
        let group = TransferOptionGroup(
            request: request, login: login, connection: connection, network: network, identity: identity, trust: trust,
            run: .defaults, files: .defaults, output: .defaults)
        let prepared = try PreparedOptions(
            group, kind: .download, purpose: .foreground, surroundings: surroundings)
        var plan = try S3Location.isOne(url) ? storePlan(prepared, surroundings) : webPlan(prepared, surroundings)
        plan.settings.trustedKeys = try TrustArguments.keys(trust.trust, for: [plan.url])
        return plan
    }

    private func webPlan(
        _ prepared: PreparedOptions, _ surroundings: CommandEnvironment
    ) throws(TransferError) -> ListingPlan {
        let address = try TransferURL(url)
        if address.credential?.password.isEmpty == false, surroundings.arguments.contains(url) {
            surroundings.warn(
                "\(address.authority): other users can see the URL's password in the process list; "
                    + "use --user and --password-file, or netrc")
        }
        // A password is asked for now: no signal is handled yet.
        var prepared = prepared
        _ = try prepared.options(for: address)
        return ListingPlan(url: address, options: prepared, isRecursive: recursive, depth: depth)
    }

    /// - Throws: code `malformedURL`, or `usage` or `secretMissing` for want of keys.
    private func storePlan(
        _ prepared: PreparedOptions, _ surroundings: CommandEnvironment
    ) throws(TransferError) -> ListingPlan {
        // A bucket alone has no slash.
        let location = try S3Location(parsing: url.pathParts.count > 2 || url.endsWithSlash ? url : url + "/")
        let store = try s3.store(for: "s3://\(location.bucket)/", surroundings)
        guard let credential = S3RequestSigner.credential(of: store.upload) else {
            throw S3RequestSigner.missingCredential(store.upload)
        }
        var plan = ListingPlan(url: store.url, options: prepared, isRecursive: recursive, depth: depth)
        let key = location.key
        plan.bucket = (location.bucket, key.isEmpty || key.endsWithSlash ? key : key + "/")
        plan.signature = S3RequestSigner(credential: credential, region: store.upload.region)
        return plan
    }
}
