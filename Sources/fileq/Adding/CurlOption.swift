// SPDX-License-Identifier: MIT

/// The options of curl(1) that a pasted line may hold, and what becomes of each.
struct CurlOption: Sendable {
    enum Meaning: Sendable {
        /// It asks for what fileq does anyway, or changes only what curl says.
        case silent
        /// It is passed over, and that is said.
        case passedOver(String)
        /// The line is refused.
        case refused(String)
        /// It has a counterpart; see ``CurlLine``.
        case taken
    }

    var long: String
    var short: Character?
    var takesValue: Bool
    var meaning: Meaning

    /// - Parameter name: without dashes; `no-NAME` switches a flag off.
    static func named(_ name: String) -> CurlOption? {
        if let option = byLong[name] { return option }
        guard name.hasPrefix("no-"), let option = byLong[String(name.dropFirst(3))], !option.takesValue else {
            return nil
        }
        return CurlOption(long: name, short: nil, takesValue: false, meaning: .silent)
    }

    static func named(_ letter: Character) -> CurlOption? { byShort[letter] }

    private static let byLong = Dictionary(all.map { ($0.long, $0) }, uniquingKeysWith: { first, _ in first })
    private static let byShort = Dictionary(
        all.compactMap { option in option.short.map { ($0, option) } }, uniquingKeysWith: { first, _ in first })

    private static func flag(_ long: String, _ short: Character? = nil, _ meaning: Meaning = .taken) -> CurlOption {
        CurlOption(long: long, short: short, takesValue: false, meaning: meaning)
    }

    private static func value(_ long: String, _ short: Character? = nil, _ meaning: Meaning = .taken) -> CurlOption {
        CurlOption(long: long, short: short, takesValue: true, meaning: meaning)
    }

    private static let noTransfer = "that is a question to a server and no file transfer; ask it with curl itself"
    private static let form = "fileq sends files as they are and not as forms: 'fileq add put FILE URL'"
    private static let proxy =
        "proxies come from http_proxy, https_proxy, all_proxy and no_proxy in the environment of the service"
    private static let versions = "the versions of TLS are a matter of the whole service"
    private static let untold = "nothing is written but the file"

    private static let all: [CurlOption] = taken + silent + passedOver + refused

    private static let taken: [CurlOption] = [
        value("url"), value("output", "o"), flag("remote-name", "O"), flag("remote-name-all"),
        flag("remote-header-name", "J"),
        value("output-dir"), value("upload-file", "T"), flag("clobber"), flag("create-dirs"),
        value("request", "X"), value("header", "H"), value("user-agent", "A"), value("referer", "e"),
        value("cookie", "b"), value("cookie-jar", "c"),
        value("user", "u"), value("oauth2-bearer"), value("continue-at", "C"),
        value("limit-rate"), value("connect-timeout"), value("max-time", "m"), value("retry"),
        value("cacert"), value("cert", "E"), value("cert-type"), value("key"), value("pass"), value("pinnedpubkey"),
        flag("http1.1"), flag("http1.0", "0"), flag("http2"), flag("http2-prior-knowledge"), flag("http3"),
        flag("http3-only"),
        value("interface"), flag("globoff", "g"), value("proto"), value("proto-redir"), value("max-redirs"),
        flag("insecure", "k"),
        value("data", "d"), value("data-raw"), value("data-ascii"), value("data-urlencode"), value("data-binary"),
        value("json"), flag("get", "G"),
    ]

    private static let silent: [CurlOption] = [
        flag("location", "L", .silent), flag("silent", "s", .silent), flag("show-error", "S", .silent),
        flag("fail", "f", .silent),
        flag("fail-with-body", nil, .silent), flag("fail-early", nil, .silent), flag("progress-bar", "#", .silent),
        flag("progress-meter", nil, .silent), flag("verbose", "v", .silent), flag("remote-time", "R", .silent),
        flag("netrc", "n", .silent),
        flag("netrc-optional", nil, .silent), flag("no-buffer", "N", .silent), flag("no-clobber", nil, .silent),
        flag("parallel", "Z", .silent), flag("parallel-immediate", nil, .silent), value("parallel-max", nil, .silent),
        flag("disable", "q", .silent), flag("keepalive", nil, .silent), value("keepalive-time", nil, .silent),
        flag("tcp-nodelay", nil, .silent),
        flag("tcp-fastopen", nil, .silent), flag("tlsv1", "1", .silent), flag("tlsv1.2", nil, .silent),
        flag("tlsv1.0", nil, .silent),
        flag("tlsv1.1", nil, .silent), flag("basic", nil, .silent), flag("digest", nil, .silent),
        flag("anyauth", nil, .silent),
        flag("styled-output", nil, .silent), flag("sessionid", nil, .silent), flag("alpn", nil, .silent),
        flag("npn", nil, .silent),
        flag("ssl-reqd", nil, .silent), flag("retry-connrefused", nil, .silent), flag("expect100", nil, .silent),
        value("expect100-timeout", nil, .silent), value("proto-default", nil, .silent),
        flag("xattr", nil, .silent), flag("skip-existing", nil, .silent), flag("remove-on-error", nil, .silent),
    ]

    private static let passedOver: [CurlOption] = [
        flag("compressed", nil, .passedOver("files are moved as they are")),
        flag("tr-encoding", nil, .passedOver("files are moved as they are")),
        flag("raw", nil, .passedOver("files are moved as they are")),
        flag("ipv4", "4", .passedOver("both families of addresses are tried")),
        flag("ipv6", "6", .passedOver("both families of addresses are tried")),
        value("retry-delay", nil, .passedOver("the time between tries grows by itself")),
        value("retry-max-time", nil, .passedOver("-m ends a transfer with all its tries")),
        flag("retry-all-errors", nil, .passedOver("failures that cannot pass are not tried again")),
        flag("include", "i", .passedOver(untold)), value("write-out", "w", .passedOver(untold)),
        value("dump-header", "D", .passedOver(untold)),
        value("stderr", nil, .passedOver(untold)), value("trace", nil, .passedOver(untold)),
        value("trace-ascii", nil, .passedOver(untold)),
        flag("trace-time", nil, .passedOver(untold)),
        value("etag-save", nil, .passedOver("resuming keeps its own record")),
        flag("junk-session-cookies", "j", .passedOver("cookies are sent as the file has them")),
        value("speed-limit", "Y", .passedOver("a try ends when no byte has moved for the request timeout")),
        value("speed-time", "y", .passedOver("a try ends when no byte has moved for the request timeout")),
    ]

    private static let refused: [CurlOption] = [
        value("url-query", nil, .refused("write the query into the URL")),
        flag("head", "I", .refused(noTransfer)), value("form", "F", .refused(form)),
        value("form-string", nil, .refused(form)),
        flag("proxy-insecure", nil, .refused("a certificate is always checked")),
        flag("next", ":", .refused("give the command lines on both sides of it one by one")),
        value("proxy", "x", .refused(proxy)), value("proxy-user", "U", .refused(proxy)),
        value("noproxy", nil, .refused(proxy)),
        value("preproxy", nil, .refused(proxy)), value("socks5", nil, .refused(proxy)),
        value("socks5-hostname", nil, .refused(proxy)),
        value("socks4", nil, .refused(proxy)), value("socks4a", nil, .refused(proxy)),
        value("proxy-header", nil, .refused(proxy)),
        flag("proxytunnel", "p", .refused(proxy)),
        flag("tlsv1.3", nil, .refused(versions)), value("tls-max", nil, .refused(versions)),
        value("ciphers", nil, .refused(versions)),
        value("tls13-ciphers", nil, .refused(versions)), value("curves", nil, .refused(versions)),
        value(
            "time-cond", "z",
            .refused("fileq downloads whatever the date; 'fileq get' replaces a file with --overwrite")),
        value("etag-compare", nil, .refused("fileq downloads whatever the tag")),
        value("range", "r", .refused("fileq downloads whole files")),
        value(
            "max-filesize", nil, .refused("fileq has no limit for sizes; --checksum tells whether it is the right file")
        ),
        value("config", "K", .refused("write its options into the line")),
        value("netrc-file", nil, .refused("the file with logins is ~/.netrc, or the one that NETRC names")),
        flag("location-trusted", nil, .refused("logins are never sent to another host than the one they are for")),
        flag("append", "a", .refused("fileq resumes uploads by itself")),
        value("resolve", nil, .refused("names are resolved by the system")),
        value("connect-to", nil, .refused("names are resolved by the system")),
        value("dns-servers", nil, .refused("names are resolved by the system")),
        value("doh-url", nil, .refused("names are resolved by the system")),
        value("unix-socket", nil, .refused("transfers go over the network")),
        value("abstract-unix-socket", nil, .refused("transfers go over the network")),
        flag("ntlm", nil, .refused("fileq logs in by Basic and Digest")),
        flag("negotiate", nil, .refused("fileq logs in by Basic and Digest")),
        value("aws-sigv4", nil, .refused("fileq cannot sign requests; use an address that is signed already")),
        value("capath", nil, .refused("--cacert takes one file")),
        value("crlfile", nil, .refused("fileq reads no revocation lists")),
        value("quote", "Q", .refused("fileq speaks http and https")),
        value("ftp-port", "P", .refused("fileq speaks http and https")),
        value("telnet-option", "t", .refused("fileq speaks http and https")),
        flag("list-only", "l", .refused("fileq speaks http and https")),
        flag("use-ascii", "B", .refused("files are moved as they are")),
    ]
}
