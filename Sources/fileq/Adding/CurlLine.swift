// SPDX-License-Identifier: MIT

import TransferModel

/// A parsed curl command line.
struct CurlLine: Equatable {
    enum Output: Equatable {
        /// `-o`
        case file(String)
        /// `-O`: the last component of the URL.
        case remoteName
    }

    /// In order; ``uploads`` and ``outputs`` have the same indexes.
    var urls: [String] = []
    var outputs: [Output] = []
    var uploads: [String] = []
    var outputFolder: String?
    var namesAllByURL = false
    /// `-J`: prefer the server's file name.
    var takesServerName = false
    var overwrites = false
    /// `--create-dirs`
    var makesFolders = false
    /// `--proto`, `--proto-redir`: the allowed schemes among http and https.
    var protocols: Set<String> = ["http", "https"]
    var redirectProtocols: Set<String> = ["http", "https"]
    /// `-k`
    var isInsecure = false
    /// `-d`, `--json` and related options: the request body.
    var data = CurlData()
    /// `--max-redirs`
    var maximumRedirects: Int?

    var method: String?
    /// `NAME: VALUE`, or `@FILE`
    var headers: [String] = []
    /// `NAME=VALUE`, or `@FILE`
    var cookies: [String] = []
    var cookieJar: String?
    /// `NAME`, or `NAME:PASSWORD`
    var user: String?
    var limit: String?
    var connectTimeout: Double?
    var maximumTime: Double?
    var retries: Int?
    var authorities: String?
    var certificate: String?
    var key: String?
    var passphrase: String?
    var pins: [String] = []
    var httpVersion: String?
    var interface: String?
    /// Whether `{}` and `[]` in URLs are literal.
    var isLiteral = false
    /// Ignored options, one sentence each.
    var notes: [String] = []

    /// - Parameter words: arguments after shell parsing, with or without `curl` in front.
    /// - Throws: code `usage`, naming the unsupported option.
    init(_ words: [String]) throws(TransferError) {
        var words = words[...]
        // Lines copied from documentation often begin with the prompt.
        if words.first == "$" || words.first == "%" { words.removeFirst() }
        if let first = words.first,
            ["curl", "curl.exe"].contains(first.lastPathPart.map(String.init) ?? "")
        {
            words.removeFirst()
        }
        var readsOptions = true
        while let word = words.popFirst() {
            if readsOptions, word == "--" {
                readsOptions = false
            } else if readsOptions, word.hasPrefix("--") {
                try take(long: String(word.dropFirst(2)), &words)
            } else if readsOptions, word.hasPrefix("-"), word.count > 1 {
                try take(letters: word.dropFirst(), &words)
            } else {
                urls.append(word)
            }
        }
        try check()
    }

    /// Whether the line contains secrets.
    var holdsSecrets: Bool {
        let namesThem = ["authorization:", "proxy-authorization:", "x-api-key:"]
        return user?.contains(":") == true || passphrase != nil || data.holdsAny
            || cookies.contains { !$0.hasPrefix("@") }
            || headers.contains { header in namesThem.contains { header.lowercased().hasPrefix($0) } }
    }

    private mutating func take(long name: String, _ words: inout ArraySlice<String>) throws(TransferError) {
        guard let option = CurlOption.named(name) else { throw Self.unknown("--\(name)") }
        var value: String?
        if option.takesValue {
            guard let next = words.popFirst() else { throw TransferError(.usage, "curl's --\(name) needs a value") }
            value = next
        }
        try carryOut(option, as: "--\(name)", value)
    }

    /// `-sSLo file`, `-ofile`
    private mutating func take(letters: Substring, _ words: inout ArraySlice<String>) throws(TransferError) {
        var letters = letters
        while let letter = letters.popFirst() {
            guard let option = CurlOption.named(letter) else { throw Self.unknown("-\(letter)") }
            guard option.takesValue else {
                try carryOut(option, as: "-\(letter)", nil)
                continue
            }
            let value = letters.isEmpty ? words.popFirst() : String(letters)
            guard let value else { throw TransferError(.usage, "curl's -\(letter) needs a value") }
            return try carryOut(option, as: "-\(letter)", value)
        }
    }

    private static func unknown(_ name: String) -> TransferError {
        TransferError(.usage, "curl's option \(name) is not supported; omit it, or use curl")
    }

    private mutating func carryOut(_ option: CurlOption, as name: String, _ value: String?) throws(TransferError) {
        switch option.meaning {
        case .silent: break
        case .passedOver(let reason): notes.append("curl's \(name) is ignored: \(reason)")
        case .refused(let reason): throw Self.refusal(name, reason)
        case .taken:
            if try !take(transfer: option.long, value ?? "") { try take(request: option.long, value ?? "", as: name) }
        }
    }

    static func refusal(_ name: String, _ reason: String) -> TransferError {
        TransferError(.usage, "curl's \(name) is not supported: \(reason)")
    }

    /// URLs and output files.
    private mutating func take(transfer option: String, _ value: String) throws(TransferError) -> Bool {
        switch option {
        case "url": urls.append(value)
        case "output":
            guard value != "-" else {
                throw Self.refusal(
                    "-o -", "the background service cannot write to this program's output; 'fileq get -o -' can")
            }
            outputs.append(.file(value))
        case "remote-name": outputs.append(.remoteName)
        case "remote-name-all": namesAllByURL = true
        case "remote-header-name": takesServerName = true
        case "output-dir": outputFolder = value
        case "upload-file": uploads.append(value)
        case "clobber": overwrites = true
        case "create-dirs": makesFolders = true
        case "globoff": isLiteral = true
        case "continue-at":
            guard value == "-" else {
                throw Self.refusal(
                    "-C", "fileq resumes automatically, and checks that the file is unchanged")
            }
        case "proto": protocols = Self.protocols(value)
        case "proto-redir": redirectProtocols = Self.protocols(value)
        case "insecure": isInsecure = true
        case "get": data.isQuery = true
        case "data", "data-raw", "data-ascii", "data-urlencode", "data-binary", "json": try data.add(value, option)
        default: return false
        }
        return true
    }

    /// Request options.
    private mutating func take(request option: String, _ value: String, as name: String) throws(TransferError) {
        switch option {
        case "request": method = value
        case "header": try addHeader(value)
        case "user-agent": if !value.isEmpty { headers.append("User-Agent: \(value)") }
        case "referer":
            let address = value.hasSuffix(";auto") ? String(value.dropLast(5)) : value
            if !address.isEmpty { headers.append("Referer: \(address)") }
        case "oauth2-bearer": headers.append("Authorization: Bearer \(value)")
        case "cookie": try addCookies(value)
        case "cookie-jar":
            guard value != "-" else { throw Self.refusal("-c -", "pass a file name for the cookies") }
            cookieJar = value
        case "user": if value != "", value != ":" { user = value }
        case "limit-rate": limit = value
        case "max-redirs":
            guard let count = Int(value), count >= -1 else {
                throw TransferError(.usage, "curl's --max-redirs needs a number")
            }
            // -1: no limit. A thousand in a row is a loop.
            maximumRedirects = count < 0 ? 1000 : count
        case "connect-timeout": connectTimeout = try Self.seconds(value, name)
        case "max-time": maximumTime = try Self.seconds(value, name)
        case "retry":
            guard let count = Int(value), count >= 0 else {
                throw TransferError(.usage, "curl's --retry needs a number")
            }
            retries = count
        case "cacert": authorities = value
        case "cert": (certificate, passphrase) = Self.certificate(value, keeping: passphrase)
        case "cert-type":
            guard ["PEM", "P12"].contains(value.uppercased()) else {
                throw Self.refusal(name, "certificates must be PEM or PKCS #12")
            }
        case "key": key = value
        case "pass": passphrase = value
        case "pinnedpubkey":
            let keys = value.split(separator: ";").map(String.init)
            guard keys.allSatisfy({ $0.hasPrefix("sha256//") }) else {
                throw Self.refusal(name, "use sha256//BASE64 for the key")
            }
            pins += keys
        case "http1.1", "http1.0": httpVersion = "1.1"
        case "http2", "http2-prior-knowledge": httpVersion = "2"
        case "http3", "http3-only": httpVersion = "3"
        case "interface": interface = value.hasPrefix("if!") ? String(value.dropFirst(3)) : value
        default: throw Self.unknown(name)
        }
    }

    private mutating func addHeader(_ text: String) throws(TransferError) {
        guard !text.hasPrefix("@") else { return headers.append(text) }
        switch try PastedHeader(text, option: "curl's -H") {
        case .field(let words): headers.append(words)
        case .cookies(let pairs): try add(pairs)
        case .owned(let name): notes.append("the header \(name) is ignored: fileq sets it")
        }
    }

    /// `-b` takes cookies, or the name of a cookie file.
    private mutating func addCookies(_ value: String) throws(TransferError) {
        if value.contains("=") { return try add(PastedHeader.pairs(value)) }
        guard value != "-" else { throw Self.refusal("-b -", "pass a file name, or the cookies") }
        if !value.isEmpty { cookies.append("@\(value)") }
    }

    private mutating func add(_ pairs: [String]) throws(TransferError) {
        for pair in pairs {
            guard !pair.hasPrefix("@"), pair.contains("="), pair.first != "=" else {
                throw TransferError(.usage, "a cookie has no name")
            }
            cookies.append(pair)
        }
    }

    private static func seconds(_ value: String, _ name: String) throws(TransferError) -> Double {
        guard let seconds = Double(value), seconds > 0, seconds.isFinite else {
            throw TransferError(.usage, "curl's \(name) needs seconds above 0")
        }
        return seconds
    }

    /// `FILE`, or `FILE:PASSWORD` with `\:` in the file name.
    private static func certificate(_ value: String, keeping passphrase: String?) -> (file: String, passphrase: String?)
    {
        var file = ""
        var rest = value[...]
        while let character = rest.popFirst() {
            if character == "\\", let next = rest.first, next == ":" || next == "\\" {
                file.append(rest.removeFirst())
            } else if character == ":" {
                return (file, String(rest))
            } else {
                file.append(character)
            }
        }
        return (file, passphrase)
    }

    private mutating func check() throws(TransferError) {
        guard !urls.isEmpty else { throw TransferError(.usage, "the curl line names no URL") }
        guard outputs.count <= urls.count, uploads.count <= urls.count else {
            throw TransferError(.usage, "the curl line names more files than URLs")
        }
        guard !data.holdsAny || uploads.isEmpty else {
            throw Self.refusal("-T", "the line has data and a file; only one can be sent")
        }
        let methods = data.body == nil ? ["GET", "POST"] : ["GET", "POST", "PUT", "PATCH"]
        if let method, uploads.isEmpty, !methods.contains(method.uppercased()) {
            throw Self.refusal("-X \(method)", "that transfers no file; use curl")
        }
        for index in urls.indices { urls[index] = data.query(on: try address(urls[index])) }
        addDataHeaders()
        try checkProtocols()
        // The jar need not exist: it is read before it is written.
        if let cookieJar { cookies.removeAll { $0 == "@\(cookieJar)" } }
    }

    /// curl's defaults, unless the line overrides them.
    private mutating func addDataHeaders() {
        guard data.body != nil else { return }
        func isGiven(_ name: String) -> Bool { headers.contains { $0.lowercased().hasPrefix("\(name):") } }
        if !isGiven("content-type") {
            headers.append("Content-Type: \(data.isJSON ? "application/json" : "application/x-www-form-urlencoded")")
        }
        if data.isJSON, !isGiven("accept") { headers.append("Accept: application/json") }
        if method == nil { method = "POST" }
    }

    /// `=https`, `-all,https`, `http,https`: evaluated from left to right, as by curl (curl(1), `--proto`).
    private static func protocols(_ value: String) -> Set<String> {
        var allowed: Set<String> = ["http", "https"]
        for (index, word) in value.lowercased().split(separator: ",").enumerated() {
            let name = word.drop { "+-=".contains($0) }
            let named: Set<String> =
                name == "all" ? ["http", "https"] : Set(["http", "https"]).intersection([String(name)])
            if word.hasPrefix("-") {
                allowed.subtract(named)
            } else if word.hasPrefix("=") || index == 0 && !word.hasPrefix("+") {
                allowed = named
            } else {
                allowed.formUnion(named)
            }
        }
        return allowed
    }

    private func checkProtocols() throws(TransferError) {
        for url in urls {
            guard let known = try? TransferURL(url) else { continue }
            guard protocols.contains(known.scheme) else {
                throw Self.refusal("--proto", "it forbids \(known.scheme), the scheme of the URL of \(known.host)")
            }
            // fileq never redirects from https to http by default.
            guard known.isSecure || redirectProtocols.intersection(protocols).contains("http") else {
                throw Self.refusal(
                    "--proto-redir", "redirects of an http URL may lead to http; use https")
            }
            guard !isInsecure || !known.isSecure else {
                throw Self.refusal(
                    "-k",
                    "fileq always verifies certificates; run 'fileq get URL' in a terminal, which shows the key of "
                        + "\(known.authority) and asks, or 'fileq trust add \(known.host):\(known.port) KEY'")
            }
        }
    }

    /// Rejects braces and brackets that curl would expand, and adds a scheme.
    private func address(_ text: String) throws(TransferError) -> String {
        var address = text
        if !isLiteral {
            let plain = text.replacing("\\[", with: "").replacing("\\]", with: "").replacing("\\{", with: "").replacing(
                "\\}", with: "")
            let host =
                plain.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst(2).first
                .map(Substring.init) ?? ""
            let rest =
                host.hasPrefix("[") || host.contains("@[") ? plain.replacing(host, with: "", maxReplacements: 1) : plain
            guard !rest.contains(where: { "{}[]".contains($0) }) else {
                throw TransferError(
                    .usage,
                    "the curl line expands braces or brackets in a URL; list the URLs, or use -g "
                        + "to take them literally")
            }
            for sign in ["[", "]", "{", "}"] { address = address.replacing("\\\(sign)", with: sign) }
        }
        // On bytes: a slash may have a combining mark.
        return address.utf8.firstRange(of: "://".utf8) != nil ? address : "http://\(address)"
    }
}
