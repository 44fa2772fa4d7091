// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// Options of a list for one download; unset ones are those of the command.
struct ListedOptions {
    /// `out`: a file name relative to `folder`.
    var output: String?
    var folder: String?
    var credential: Credential?
    var checksum: Checksum?
    var overwrites: Bool?
    /// `pause=true`: added paused.
    var isHeld = false
    var fields: [HTTPField] = []
    var cookies: [Cookie] = []
    var connectTimeout: Double?
    var requestTimeout: Double?
    var retries: Int?
    /// Unlimited retries.
    var retriesWithoutEnd = false
    /// Bytes per second.
    var rateLimit: Int?
    /// `split`
    var connections: Int?
    /// `follow-metalink`
    var followsMetalink: Bool?

    /// Applies these to the options of the command.
    func apply(to options: inout TransferOptions) {
        options.headers = HeaderArguments.merged(options.headers + fields)
        options.cookies += cookies
        if let connectTimeout { options.connectTimeout = connectTimeout }
        if let requestTimeout { options.requestTimeout = requestTimeout }
        if let retries { options.retries = retries }
        if retriesWithoutEnd { options.retries = nil }
        if let rateLimit { options.rateLimit = rateLimit }
        if let connections { options.connections = connections }
    }
}

/// Parses the options of a list, by aria2's names (aria2c(1), "Input File").
struct ListedOptionReader {
    /// Ignored: they concern aria2's implementation, or ask for what fileq does anyway.
    private static let silent: Set<String> = [
        "continue", "always-resume", "remote-time", "auto-file-renaming", "max-connection-per-server",
        "min-split-size", "retry-wait",
        "file-allocation", "gid", "http-auth-challenge", "enable-http-keep-alive", "enable-http-pipelining",
        "http-accept-gzip", "no-netrc",
        "piece-length", "stream-piece-selector", "uri-selector", "reuse-uri", "content-disposition-default-utf8",
        "check-integrity",
    ]
    /// Rejected: ignoring them would change the result.
    private static let refused: [String: String] = [
        "all-proxy": "set http_proxy, https_proxy and no_proxy",
        "http-proxy": "set http_proxy",
        "https-proxy": "set https_proxy", "dry-run": "use --dry-run of fileq",
        "check-certificate": "use 'fileq trust' to accept a certificate",
    ]

    private let now: Double
    /// Files that a list may read and replace; `nil`: as its user.
    private let bounds: Bounds?
    private var cookieFiles: [String: NetscapeCookies] = [:]
    private var unknown: [String: Tally] = [:]
    /// The names of `unknown`, in order of appearance.
    private var unknownNames: [String] = []

    /// A list may come from the web: it does nothing that its user could regret.
    struct Bounds {
        /// Whether the command replaces files.
        var overwrites: Bool
        /// Fails for a file that it may not read.
        var checkSource: (String) throws(TransferError) -> Void
    }

    init(now: Double, bounds: Bounds?) { (self.now, self.bounds) = (now, bounds) }

    /// Warnings about ignored options, one line each.
    var passedOver: [String] {
        unknownNames.compactMap { name in
            unknown[name]?.words.map {
                let reason = name == "allow-overwrite" ? "--overwrite replaces files" : "fileq has no such option"
                return "\($0): '\(name)' is ignored: \(reason)"
            }
        }
    }

    /// - Returns: `nil` if not given.
    /// - Throws: code `usage`, with the option and, if it differs from the URL's, its line.
    mutating func read(_ request: DownloadRequest, for url: TransferURL) throws(TransferError) -> ListedOptions? {
        guard !request.options.isEmpty else { return nil }
        var listed = ListedOptions()
        var user: String?
        var password: String?
        for option in request.options {
            do throws(TransferError) {
                switch option.name {
                case "http-user": user = option.value
                case "http-passwd": password = option.value
                default: try take(option, into: &listed, request, url)
                }
            } catch {
                let place = option.line == request.origin?.line ? "" : "line \(option.line): "
                throw error.prefixed(place)
            }
        }
        if let user { listed.credential = Credential(user: user, password: password ?? "") }
        guard user != nil || password == nil else { throw TransferError(.usage, "http-passwd needs http-user") }
        return listed
    }

    private mutating func take(
        _ option: DownloadRequest.Option, into listed: inout ListedOptions, _ request: DownloadRequest,
        _ url: TransferURL
    ) throws(TransferError) {
        let value = option.value
        switch option.name {
        case "out": listed.output = value
        case "dir": listed.folder = value
        case "header": try addHeader(value, to: &listed)
        case "user-agent": listed.fields.append(try HeaderArguments.field("User-Agent: \(value)", option: option.name))
        case "referer":
            listed.fields.append(
                try HeaderArguments.field("Referer: \(value == "*" ? url.string : value)", option: option.name))
        case "load-cookies": listed.cookies += try cookies(of: value, for: url, isListed: request.origin != nil)
        case "checksum": listed.checksum = try Self.checksum(value)
        case "allow-overwrite":
            let overwrites = try Self.flag(option)
            guard overwrites, request.origin != nil, bounds?.overwrites == false else {
                listed.overwrites = overwrites
                return
            }
            passOver(option, request)
        case "follow-metalink":
            // Documents are never saved as well.
            listed.followsMetalink = value == "mem" ? true : try Self.flag(option)
        case "pause": listed.isHeld = try Self.flag(option)
        case "connect-timeout": listed.connectTimeout = try Self.seconds(option)
        case "timeout": listed.requestTimeout = try Self.seconds(option)
        case "max-tries":
            let attempts = try Self.number(option)
            (listed.retries, listed.retriesWithoutEnd) = (max(0, attempts - 1), attempts == 0)
        case "split": listed.connections = max(1, try Self.number(option))
        case "max-download-limit":
            guard let rate = ByteCount.parse(value) else {
                throw TransferError(.usage, "\(option.name): use bytes per second, such as 500K or 2M")
            }
            listed.rateLimit = rate > 0 ? rate : nil
        default:
            if let reason = Self.refused[option.name] {
                throw TransferError(.usage, "\(option.name) cannot be set here: \(reason)")
            }
            if !Self.silent.contains(option.name) { passOver(option, request) }
        }
    }

    private mutating func passOver(_ option: DownloadRequest.Option, _ request: DownloadRequest) {
        guard let origin = request.origin else { return }
        if unknown[option.name] == nil { unknownNames.append(option.name) }
        unknown[option.name, default: Tally()].count(.init(file: origin.file, line: option.line))
    }

    private func addHeader(_ text: String, to listed: inout ListedOptions) throws(TransferError) {
        let pasted = try PastedHeader(text, option: "header")
        switch pasted {
        case .field(let words): listed.fields.append(try HeaderArguments.field(words, option: "header"))
        case .cookies(let pairs):
            for pair in pairs { listed.cookies.append(try CookieArguments.cookie(pair, option: "header")) }
        case .owned: break
        }
    }

    /// A list may name Netscape files alone, whose cookies have a domain: any other content would be sent to a server
    /// of the list's choice.
    private mutating func cookies(
        of path: String, for url: TransferURL, isListed: Bool
    ) throws(TransferError) -> [Cookie] {
        if let known = cookieFiles[path] { return try known.cookies(for: url) }
        if isListed { try bounds?.checkSource(path) }
        guard let status = FileStatus(path), status.isRegular else {
            throw TransferError(.usage, option: "load-cookies", "'\(path)' is not a regular file")
        }
        guard case .netscape(let file) = try CookieArguments.file(path, now: now) else {
            throw TransferError(
                .usage, option: "load-cookies", "'\(path)' is not a cookie file in Netscape format; pass it with -b")
        }
        cookieFiles[path] = file
        return try file.cookies(for: url)
    }

    /// `sha-256=HEX`
    private static func checksum(_ text: String) throws(TransferError) -> Checksum {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        let algorithm = parts.first?.lowercased().replacing("-", with: "") ?? ""
        guard parts.count == 2, Checksum.Algorithm(rawValue: algorithm) != nil else {
            throw TransferError(
                .usage, "checksum: fileq computes sha-256=HEX, sha-512=HEX, sha-1=HEX and md5=HEX; omit any other")
        }
        return try Checksum(parsing: "\(algorithm):\(parts[1])")
    }

    private static func flag(_ option: DownloadRequest.Option) throws(TransferError) -> Bool {
        switch option.value {
        case "true": true
        case "false": false
        default: throw TransferError(.usage, "\(option.name): use true or false")
        }
    }

    private static func seconds(_ option: DownloadRequest.Option) throws(TransferError) -> Double {
        guard let seconds = Double(option.value), seconds.isFinite, seconds > 0 else {
            throw TransferError(.usage, "\(option.name): use seconds above 0")
        }
        return min(seconds, 1e9)
    }

    private static func number(_ option: DownloadRequest.Option) throws(TransferError) -> Int {
        guard let number = Int(option.value), number >= 0 else {
            throw TransferError(.usage, "\(option.name): use a number from 0")
        }
        return number
    }
}
