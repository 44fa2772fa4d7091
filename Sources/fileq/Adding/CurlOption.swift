// SPDX-License-Identifier: MIT

/// The options of curl(1), and how fileq treats each in a pasted line.
struct CurlOption: Sendable {
    enum Meaning: Sendable {
        /// Ignored: fileq does it anyway, or it only changes curl's output.
        case silent
        /// Ignored with a warning.
        case passedOver(String)
        /// Rejected.
        case refused(String)
        /// Supported; see ``CurlLine``.
        case taken
    }

    var long: String
    var short: Character?
    var takesValue: Bool
    var meaning: Meaning

    /// - Parameter name: without dashes; `no-NAME` turns a flag off.
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

    private static let noTransfer = "that transfers no file; use curl"
    private static let form = "fileq sends no forms; use 'fileq add put FILE URL'"
    private static let proxy =
        "set http_proxy, https_proxy, all_proxy and no_proxy in the environment of the service"
    private static let versions = "TLS versions apply to the whole service"
    private static let fileOnly = "fileq writes the file only"

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
        flag("compressed", nil, .passedOver("fileq transfers files unchanged")),
        flag("tr-encoding", nil, .passedOver("fileq transfers files unchanged")),
        flag("raw", nil, .passedOver("fileq transfers files unchanged")),
        flag("ipv4", "4", .passedOver("fileq uses both IPv4 and IPv6")),
        flag("ipv6", "6", .passedOver("fileq uses both IPv4 and IPv6")),
        value("retry-delay", nil, .passedOver("fileq chooses the delay between attempts")),
        value("retry-max-time", nil, .passedOver("-m limits a transfer with all its attempts")),
        flag("retry-all-errors", nil, .passedOver("fileq does not retry permanent failures")),
        flag("include", "i", .passedOver(fileOnly)), value("write-out", "w", .passedOver(fileOnly)),
        value("dump-header", "D", .passedOver(fileOnly)),
        value("stderr", nil, .passedOver(fileOnly)), value("trace", nil, .passedOver(fileOnly)),
        value("trace-ascii", nil, .passedOver(fileOnly)),
        flag("trace-time", nil, .passedOver(fileOnly)),
        value("etag-save", nil, .passedOver("fileq has its own metadata for resuming")),
        flag("junk-session-cookies", "j", .passedOver("fileq sends the cookies of the file")),
        value("speed-limit", "Y", .passedOver("the request timeout ends an attempt without progress")),
        value("speed-time", "y", .passedOver("the request timeout ends an attempt without progress")),
    ]

    private static let refused: [CurlOption] = [
        value("url-query", nil, .refused("put the query into the URL")),
        flag("head", "I", .refused(noTransfer)), value("form", "F", .refused(form)),
        value("form-string", nil, .refused(form)),
        flag("proxy-insecure", nil, .refused("fileq always verifies certificates")),
        flag("next", ":", .refused("pass the command lines on both sides of it one by one")),
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
            .refused("fileq downloads regardless of the date; use 'fileq get -N'")),
        value("etag-compare", nil, .refused("fileq downloads regardless of the tag")),
        value("range", "r", .refused("fileq downloads complete files")),
        value(
            "max-filesize", nil, .refused("fileq has no size limit; use --checksum to verify the file")
        ),
        value("config", "K", .refused("put its options into the line")),
        value("netrc-file", nil, .refused("credentials come from ~/.netrc, or the file named by NETRC")),
        flag("location-trusted", nil, .refused("fileq never sends credentials to another host")),
        flag("append", "a", .refused("fileq retries uploads automatically")),
        value("resolve", nil, .refused("the system resolves names")),
        value("connect-to", nil, .refused("the system resolves names")),
        value("dns-servers", nil, .refused("the system resolves names")),
        value("doh-url", nil, .refused("the system resolves names")),
        value("unix-socket", nil, .refused("fileq uses the network only")),
        value("abstract-unix-socket", nil, .refused("fileq uses the network only")),
        flag("ntlm", nil, .refused("fileq logs in by Basic and Digest")),
        flag("negotiate", nil, .refused("fileq logs in by Basic and Digest")),
        value("aws-sigv4", nil, .refused("fileq cannot sign requests; use a signed URL")),
        value("capath", nil, .refused("--cacert takes one file")),
        value("crlfile", nil, .refused("fileq reads no revocation lists")),
        value("quote", "Q", .refused("fileq speaks http and https")),
        value("ftp-port", "P", .refused("fileq speaks http and https")),
        value("telnet-option", "t", .refused("fileq speaks http and https")),
        flag("list-only", "l", .refused("fileq speaks http and https")),
        flag("use-ascii", "B", .refused("fileq transfers files unchanged")),
    ]
}
