// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// The options shared by `get` and `put`, by topic.
struct TransferOptionGroup {
    var request: RequestOptions
    var login: LoginOptions
    var connection: ConnectionOptions
    var network: NetworkOptions
    var identity: IdentityOptions
    var trust: TrustOptions
    var run: RunOptions
    var files: FileOptions
    var output: OutputOptions

    static var defaults: TransferOptionGroup {
        TransferOptionGroup(
            request: .defaults, login: .defaults, connection: .defaults, network: .defaults, identity: .defaults,
            trust: .defaults, run: .defaults, files: .defaults, output: .defaults)
    }

    /// See ``TransferPlan/isDry``.
    var isDry: Bool { files.dryRun }
}

/// A command with groups of options that `get`, `put` and both of `add` have. Each declares its groups itself: a debug
/// build of the parser checks the options of a group within a group five times as often.
protocol GroupedCommand: AsyncParsableCommand {
    var request: RequestOptions { get set }
    var login: LoginOptions { get set }
    var connection: ConnectionOptions { get set }
    var network: NetworkOptions { get set }
    var identity: IdentityOptions { get set }
    var inputs: FileOptions { get set }
}

/// `get` and `put`.
protocol TransferCommand: GroupedCommand {
    var trust: TrustOptions { get set }
    var runs: RunOptions { get set }
    var report: OutputOptions { get set }
}

extension TransferCommand {
    var shared: TransferOptionGroup {
        get {
            TransferOptionGroup(
                request: request, login: login, connection: connection, network: network, identity: identity,
                trust: trust, run: runs, files: inputs, output: report)
        }
        set {
            (request, login, connection, network) = (
                newValue.request, newValue.login, newValue.connection, newValue.network
            )
            (identity, trust, runs) = (newValue.identity, newValue.trust, newValue.run)
            (inputs, report) = (newValue.files, newValue.output)
        }
    }
}

struct RequestOptions: ParsableArguments {
    @Option(
        name: [.customShort("X"), .long],
        help: ArgumentHelp("Use this method instead of GET, PUT or POST.", valueName: "name"))
    var method: String?

    @Option(
        name: [.customShort("H"), .long],
        help: ArgumentHelp(
            "Send a header; @FILE reads one per line from a file. Repeatable.", valueName: "name: value"))
    var header: [String] = []

    @Option(
        name: [.customShort("b"), .long],
        help: ArgumentHelp(
            "Send a cookie; @FILE takes them from a file of NAME=VALUE lines or in Netscape format. Repeatable.",
            valueName: "name=value"))
    var cookie: [String] = []

    @Option(
        name: [.customShort("e"), .long],
        help: ArgumentHelp("Send this URL as the Referer.", valueName: "url"))
    var referer: String?

    @Option(
        name: [.customShort("A"), .long],
        help: ArgumentHelp("Send this text as the User-Agent.", valueName: "text"))
    var userAgent: String?

    @Flag(
        help: """
            Send -H, -b, -e, --sid, --user, --token-file and --cert to all servers of this command or list. By \
            default they go to the origin of the first URL only.
            """)
    var forAllHosts = false

    @Option(
        help: ArgumentHelp(
            "Read cookies from this file, and write them back at the end (Netscape format).",
            valueName: "file"), completion: .file())
    var cookieJar: String?

    @Option(
        help: ArgumentHelp(
            "FileQ session (the fileuploadSID cookie); makes put a FileQ upload. Others can see it in the process "
                + "list.",
            valueName: "value"))
    var sid: String?

    @Option(help: ArgumentHelp("As --sid, from the first line of a file.", valueName: "file"), completion: .file())
    var sidFile: String?

    @Option(
        help: ArgumentHelp(
            "FileQ metadata (a fileq-meta-NAME cookie); makes put a FileQ upload. Repeatable.", valueName: "name=value")
    )
    var meta: [String] = []

    /// Options that need no check; ``PreparedOptions`` checks the others.
    func assign(to options: inout TransferOptions) {
        options.referer = referer.map { Secret($0) }
        options.userAgent = userAgent
    }

    /// For arguments without a command line.
    static var defaults: RequestOptions {
        var options = RequestOptions()
        (options.method, options.header, options.cookie, options.referer) = (nil, [], [], nil)
        (options.userAgent, options.forAllHosts, options.cookieJar) = (nil, false, nil)
        (options.sid, options.sidFile, options.meta) = (nil, nil, [])
        return options
    }
}

struct LoginOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Log in as NAME. The password comes from --password-file, else from netrc, else from a prompt. Over https \
            it is sent immediately; over http after a challenge, as Digest if possible.
            """,
            valueName: "name"))
    var user: String?

    @Option(
        help: ArgumentHelp("Read the password from the first line of this file.", valueName: "file"),
        completion: .file())
    var passwordFile: String?

    @Option(
        help: ArgumentHelp(
            "Send the token in the first line of this file, as 'Authorization: Bearer'.", valueName: "file"),
        completion: .file())
    var tokenFile: String?

    /// For arguments without a command line.
    static var defaults: LoginOptions {
        var options = LoginOptions()
        (options.user, options.passwordFile, options.tokenFile) = (nil, nil, nil)
        return options
    }
}

struct ConnectionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Limit the time to connect. (default: 30)", valueName: "seconds"))
    var connectTimeout: Double?

    @Option(
        help: ArgumentHelp(
            "Limit the time without a byte, in either direction. (default: 60)",
            valueName: "seconds"))
    var requestTimeout: Double?

    @Option(
        help: ArgumentHelp(
            "Limit the time from the last byte of a request's body to the response. (default: --request-timeout if "
                + "that is set, else 300)",
            valueName: "seconds"))
    var responseTimeout: Double?

    @Option(
        help: ArgumentHelp(
            "Limit the time of a transfer with all its attempts. (default: 604800)",
            valueName: "seconds"))
    var resourceTimeout: Double?

    @Option(
        help: ArgumentHelp(
            "Retry this many times after transient failures; 0: make one attempt. (default: 5; in the background as "
                + "often as time allows)",
            valueName: "n"))
    var retry: Int?

    @Option(
        help: ArgumentHelp(
            """
            Fail if a server asks for a longer wait before the next attempt (Retry-After). (default: 3600; in the \
            background no limit but --resource-timeout)
            """,
            valueName: "seconds"))
    var retryMaxWait: Double?

    @Option(help: ArgumentHelp("Follow at most this many redirects. (default: 20)", valueName: "n"))
    var maxRedirs: Int?

    @Option(
        help: ArgumentHelp(
            "Limit the bytes per second of all transfers of this run together: 500k, 2M, 1.5G (1024-based).",
            valueName: "rate"))
    var limit: String?

    @Option(
        help: ArgumentHelp(
            """
            1.1: nothing newer. 2: offer HTTP/2, fall back to 1.1. 3: try HTTP/3 first, if libcurl supports it. \
            (default: fileq chooses)
            """,
            valueName: "version"), completion: .list(["1.1", "2", "3"]))
    var http: String?

    @Option(
        help: ArgumentHelp(
            """
            Accept only a server with this public key (sha256//BASE64) or this certificate (cert-sha256:HEX), which \
            must also be valid. Repeatable: one of a kind must match.
            """,
            valueName: "pin"))
    var pin: [String] = []

    @Flag(help: "Follow redirects from https to http, where others can read and change the data.")
    var allowDowngrade = false

    @Option(
        help: ArgumentHelp(
            "Trust the certificate authorities of this PEM file instead of the system's.",
            valueName: "file"), completion: .file())
    var cacert: String?

    /// For arguments without a command line.
    static var defaults: ConnectionOptions {
        var options = ConnectionOptions()
        (options.connectTimeout, options.requestTimeout, options.responseTimeout) = (nil, nil, nil)
        (options.resourceTimeout, options.retry, options.retryMaxWait) = (nil, nil, nil)
        (options.maxRedirs, options.limit, options.http, options.pin) = (nil, nil, nil, [])
        (options.allowDowngrade, options.cacert) = (false, nil)
        return options
    }
}

/// Networks to use, and behaviour without one.
struct NetworkOptions: ParsableArguments {
    @Flag(help: "Fail immediately without a usable network, instead of waiting for one.")
    var noWait = false

    @Flag(
        help: """
            Use no network that may cost money: cellular ones, and those that NetworkManager or the configuration \
            marks as metered.
            """
    )
    var noExpensive = false

    @Flag(help: "Use no network that the configuration marks as constrained.")
    var noConstrained = false

    @Flag(help: "Use no cellular network.")
    var noCellular = false

    @Option(
        help: ArgumentHelp("Use only this network interface, such as wlan0.", valueName: "name"),
        completion: .interfaces)
    var interface: String?

    @Option(
        help: ArgumentHelp(
            """
            Use several network paths at once if kernel and server support Multipath TCP: none, handover, \
            interactive or aggregate; the kernel's path manager ('ip mptcp') decides which. Without a value it means \
            handover. (default: none)
            """,
            valueName: "type"), completion: .list(["none", "handover", "interactive", "aggregate"]))
    var multipath: String?

    @Flag(help: "Use any network, whatever it costs.")
    var now = false

    /// Overrides every network restriction.
    var restrictions: [(name: String, isOn: Bool)] {
        [("--no-expensive", noExpensive), ("--no-constrained", noConstrained), ("--no-cellular", noCellular)]
    }

    /// For arguments without a command line.
    static var defaults: NetworkOptions {
        var options = NetworkOptions()
        (options.noWait, options.noExpensive, options.noConstrained) = (false, false, false)
        (options.noCellular, options.interface, options.multipath, options.now) = (false, nil, nil, false)
        return options
    }
}

/// Options of the run, not of a request.
struct RunOptions: ParsableArguments {
    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: ArgumentHelp("Run this many transfers concurrently.", valueName: "n"))
    var concurrent: Int = Self.usual
    private static let usual = 4

    /// For arguments without a command line.
    static var defaults: RunOptions {
        var options = RunOptions()
        options.concurrent = usual
        return options
    }
}

/// Input files and existing files.
struct FileOptions: ParsableArguments {
    @Option(
        name: [.customShort("i"), .long],
        help: ArgumentHelp(
            """
            Read more URLs (put: more files) from this file, one per line; '#' begins a comment; '-' is standard \
            input. Indented lines below a URL are options of aria2 for it. Repeatable.
            """,
            valueName: "file"), completion: .file())
    var input: [String] = []

    /// Several, so that none is silently disregarded.
    @Option(
        name: .customLong("checksum"),
        help: ArgumentHelp("The expected checksum of the file: sha256:HEX or sha512:HEX.", valueName: "sum"))
    var checksums: [String] = []

    @Flag(help: "List the transfers, with sizes if known; transfer, change and enqueue nothing.")
    var dryRun = false

    @Flag(help: "get: allow a list to name hidden files and files outside of the -d folder.")
    var allowOutside = false

    @Flag(help: "get: replace existing files. put: no effect, the server decides; see --no-overwrite.")
    var overwrite = false

    /// The place of the configuration whose options the command has: ``Settings`` passes it.
    @Option(help: .hidden)
    var place: String?

    /// For arguments without a command line.
    static var defaults: FileOptions {
        var options = FileOptions()
        (options.input, options.checksums, options.dryRun) = ([], [], false)
        (options.allowOutside, options.overwrite, options.place) = (false, false, nil)
        return options
    }
}

struct OutputOptions: ParsableArguments {
    @Flag(help: "Write one JSON object per event to standard output, and nothing else.")
    var json = false

    @Flag(help: "Report progress as one line per event instead of bars, for screen readers and logs.")
    var plain = false

    @Flag(name: [.customShort("q"), .long], help: "Report errors only.")
    var quiet = false

    @Flag(
        name: [.customShort("v"), .long],
        help: "Show the metrics of each transfer: protocol, address, exchanges, and a waterfall of their stages.")
    var verbose = false

    /// For arguments without a command line.
    static var defaults: OutputOptions {
        var options = OutputOptions()
        (options.json, options.plain, options.quiet, options.verbose) = (false, false, false, false)
        return options
    }
}
