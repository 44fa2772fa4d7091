// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// The options that `get` and `put` share, by what they are about.
struct TransferOptionGroup: ParsableArguments {
    @OptionGroup(title: "Request") var request: RequestOptions
    @OptionGroup(title: "Login") var login: LoginOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Run") var run: RunOptions
    @OptionGroup(title: "Output") var output: OutputOptions
}

/// What is sent along with each request.
struct RequestOptions: ParsableArguments {
    @Option(
        name: [.customShort("X"), .long],
        help: ArgumentHelp("Use this method instead of GET, PUT or POST.", valueName: "name"))
    var method: String?

    @Option(
        name: [.customShort("H"), .long],
        help: ArgumentHelp(
            "Send a header; @FILE takes one a line from a file. Repeatable.", valueName: "name: value"))
    var header: [String] = []

    @Option(
        name: [.customShort("b"), .long],
        help: ArgumentHelp(
            "Send a cookie; @FILE takes them from a file of NAME=VALUE lines or in Netscape format. Repeatable.",
            valueName: "name=value"))
    var cookie: [String] = []

    @Option(
        name: [.customShort("e"), .long],
        help: ArgumentHelp("Name this page as the one that links to the URL.", valueName: "url"))
    var referer: String?

    @Flag(
        help: """
            Send -H, -b, -e, --sid, --user and --cert to all servers of this command or list. Without it they go to \
            the first URL's scheme, host and port alone.
            """)
    var forAllHosts = false

    @Option(
        help: ArgumentHelp(
            "Read cookies from this file before, and write them to it after (Netscape format).",
            valueName: "file"), completion: .file())
    var cookieJar: String?

    @Option(
        help: ArgumentHelp(
            "FileQ session (the fileuploadSID cookie); makes put a FileQ upload. Others can see it in the process "
                + "list.",
            valueName: "value"))
    var sid: String?

    @Option(help: ArgumentHelp("As --sid, read from the first line of a file.", valueName: "file"), completion: .file())
    var sidFile: String?

    @Option(
        help: ArgumentHelp(
            "FileQ metadata (a fileq-meta-NAME cookie); makes put a FileQ upload. Repeatable.", valueName: "name=value")
    )
    var meta: [String] = []

    /// Options that need no check; the others are checked in ``PreparedOptions``.
    func assign(to options: inout TransferOptions) {
        options.referer = referer.map { Secret($0) }
    }
}

/// Who is asking.
struct LoginOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Log in as NAME. The password comes from --password-file, else from netrc, else it is asked for on the \
            terminal. It is sent at once by https; by http when the server asks, as Digest where it can.
            """,
            valueName: "name"))
    var user: String?

    @Option(
        help: ArgumentHelp("Read the password from the first line of this file.", valueName: "file"),
        completion: .file())
    var passwordFile: String?
}

/// How long to wait, how fast to go, whom to trust.
struct ConnectionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Give a connection this long to come about. (default: 30)", valueName: "seconds"))
    var connectTimeout: Double?

    @Option(
        help: ArgumentHelp(
            "Give up a try when no byte has moved for this long, either way. (default: 60)",
            valueName: "seconds"))
    var requestTimeout: Double?

    @Option(
        help: ArgumentHelp(
            "Give up a transfer after this long, all tries included. (default: 604800)",
            valueName: "seconds"))
    var resourceTimeout: Double?

    @Option(
        help: ArgumentHelp(
            "Try again this many times after failures that may pass. (default: 5; in the background as often as time "
                + "allows)",
            valueName: "n"))
    var retry: Int?

    @Option(help: ArgumentHelp("Follow at most this many redirects. (default: 20)", valueName: "n"))
    var maxRedirs: Int?

    @Option(
        help: ArgumentHelp(
            "Move at most this many bytes a second, all transfers of this run together: 500k, 2M, 1.5G (1024-based).",
            valueName: "rate"))
    var limit: String?

    @Option(
        help: ArgumentHelp(
            """
            1.1: nothing newer. 2: offer HTTP/2, and take 1.1 from a server that has no more. 3: try HTTP/3 first, \
            where libcurl was built with it. (default: fileq chooses)
            """,
            valueName: "version"))
    var http: String?

    @Option(
        help: ArgumentHelp(
            """
            Accept only a server with this public key (sha256//BASE64) or this certificate (cert-sha256:HEX); its \
            certificate must hold too. Repeatable: any of a kind will do.
            """,
            valueName: "pin"))
    var pin: [String] = []

    @Flag(help: "Follow redirects from https to http too, where anybody on the way can read and change what is sent.")
    var allowDowngrade = false

    @Option(
        help: ArgumentHelp(
            "Trust the certificate authorities of this PEM file instead of the system's.",
            valueName: "file"), completion: .file())
    var cacert: String?
}

/// Which networks may be used, and what happens when there is none.
struct NetworkOptions: ParsableArguments {
    @Flag(help: "Fail at once where the network cannot carry a transfer, instead of waiting until it can.")
    var noWait = false

    @Flag(
        help: """
            Use no network that may cost money: mobile ones, and those that NetworkManager or the configuration calls \
            metered.
            """
    )
    var noExpensive = false

    @Flag(help: "Use no network that the configuration says is to carry little.")
    var noConstrained = false

    @Flag(help: "Use no mobile network.")
    var noCellular = false

    @Option(help: ArgumentHelp("Use this network interface alone, such as wlan0.", valueName: "name"))
    var interface: String?

    @Option(
        help: ArgumentHelp(
            """
            Use several network paths at once where kernel and server speak Multipath TCP: none, handover, interactive \
            or aggregate; the kernel's path manager ('ip mptcp') decides which. Alone it means handover. (default: \
            none)
            """,
            valueName: "type"))
    var multipath: String?

    @Flag(help: "Use whatever network there is, whatever it costs.")
    var now = false

    /// What somebody says who wants nothing to be spared.
    var restrictions: [(name: String, isOn: Bool)] {
        [("--no-expensive", noExpensive), ("--no-constrained", noConstrained), ("--no-cellular", noCellular)]
    }
}

/// What belongs to the run and not to one request.
struct RunOptions: ParsableArguments {
    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: ArgumentHelp("Run this many transfers at once.", valueName: "n"))
    var concurrent: Int = 4

    @OptionGroup var files: FileOptions
}

/// Which files, and what becomes of those that are there already.
struct FileOptions: ParsableArguments {
    @Option(
        name: [.customShort("i"), .long],
        help: ArgumentHelp(
            """
            Take more URLs (put: more files) from this file, one a line; '#' begins a comment; '-' is standard input. \
            Indented lines below a URL are options of aria2 for it.
            """,
            valueName: "file"), completion: .file())
    var input: String?

    @Option(help: ArgumentHelp("The sum that the one file must have: sha256:HEX or sha512:HEX.", valueName: "sum"))
    var checksum: String?

    @Flag(help: "List what would be done, with sizes where servers and files say them; change nothing, queue nothing.")
    var dryRun = false

    @Flag(help: "get: let a list name files outside of the -d folder, and hidden ones.")
    var allowOutside = false

    @Flag(help: "get: replace what already bears the final name. put: that is the server's decision.")
    var overwrite = false
}

/// What is said on the way.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Write one JSON object an event to standard output, and nothing else there.")
    var json = false

    @Flag(help: "Report progress as one line an event instead of bars; right for screen readers and logs.")
    var plain = false

    @Flag(name: [.customShort("q"), .long], help: "Report errors only.")
    var quiet = false

    @Flag(
        name: [.customShort("v"), .long],
        help: "Show for each transfer what it cost: protocol, address, exchanges, and a waterfall of their stages.")
    var verbose = false
}
