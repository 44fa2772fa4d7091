// SPDX-License-Identifier: MIT

import TransferModel

/// What a command line of curl asks for.
struct CurlLine: Equatable {
    enum Output: Equatable {
        /// `-o`
        case file(String)
        /// `-O`: as the URL has it.
        case remoteName
    }

    /// In order; each is sent what stands at its place in ``uploads``, or saved as ``outputs`` has it.
    var urls: [String] = []
    var outputs: [Output] = []
    var uploads: [String] = []
    var outputFolder: String?
    var namesAllByURL = false
    /// `-J`: the server's own name comes first.
    var takesServerName = false
    var overwrites = false

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
    /// Whether `{}` and `[]` in URLs are themselves.
    var isLiteral = false
    /// What was passed over, one sentence each.
    var notes: [String] = []

    /// - Parameter words: as a shell hands them over, with or without `curl` in front.
    /// - Throws: code `usage`, naming the option that cannot be carried out.
    init(_ words: [String]) throws(TransferError) {
        var words = words[...]
        // From documentation, the prompt often comes along.
        if words.first == "$" || words.first == "%" { words.removeFirst() }
        if let first = words.first, ["curl", "curl.exe"].contains(first.split(separator: "/").last.map(String.init) ?? "") { words.removeFirst() }
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

    /// Whether it says what others should not see.
    var holdsSecrets: Bool {
        let namesThem = ["authorization:", "proxy-authorization:", "x-api-key:"]
        return user?.contains(":") == true || passphrase != nil || cookies.contains { !$0.hasPrefix("@") }
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
        TransferError(.usage, "curl's option \(name) is not known here; leave it out, or use curl itself")
    }

    private mutating func carryOut(_ option: CurlOption, as name: String, _ value: String?) throws(TransferError) {
        switch option.meaning {
        case .silent: break
        case .passedOver(let reason): notes.append("curl's \(name) is passed over: \(reason)")
        case .refused(let reason): throw Self.refusal(name, reason)
        case .taken: if try !take(transfer: option.long, value ?? "") { try take(request: option.long, value ?? "", as: name) }
        }
    }

    static func refusal(_ name: String, _ reason: String) -> TransferError {
        TransferError(.usage, "curl's \(name) cannot be carried out: \(reason)")
    }

    /// Where from, where to.
    private mutating func take(transfer option: String, _ value: String) throws(TransferError) -> Bool {
        switch option {
        case "url": urls.append(value)
        case "output": outputs.append(.file(value))
        case "remote-name": outputs.append(.remoteName)
        case "remote-name-all": namesAllByURL = true
        case "remote-header-name": takesServerName = true
        case "output-dir": outputFolder = value
        case "upload-file": uploads.append(value)
        case "clobber": overwrites = true
        case "globoff": isLiteral = true
        case "continue-at":
            guard value == "-" else {
                throw Self.refusal("-C", "fileq finds out by itself where to go on, and checks that it is the same file")
            }
        case "proto":
            guard value.contains("http") else { throw Self.refusal("--proto", "fileq speaks http and https") }
        default: return false
        }
        return true
    }

    /// What is said to the server, and how.
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
            guard value != "-" else { throw Self.refusal("-c -", "name a file for the cookies") }
            cookieJar = value
        case "user": if value != "", value != ":" { user = value }
        case "limit-rate": limit = value
        case "connect-timeout": connectTimeout = try Self.seconds(value, name)
        case "max-time": maximumTime = try Self.seconds(value, name)
        case "retry":
            guard let count = Int(value), count >= 0 else { throw TransferError(.usage, "curl's --retry needs a number") }
            retries = count
        case "cacert": authorities = value
        case "cert": (certificate, passphrase) = Self.certificate(value, keeping: passphrase)
        case "cert-type":
            guard ["PEM", "P12"].contains(value.uppercased()) else { throw Self.refusal(name, "certificates are PEM or PKCS #12") }
        case "key": key = value
        case "pass": passphrase = value
        case "pinnedpubkey":
            let keys = value.split(separator: ";").map(String.init)
            guard keys.allSatisfy({ $0.hasPrefix("sha256//") }) else { throw Self.refusal(name, "write the key as sha256//BASE64") }
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
        case .owned(let name): notes.append("the header \(name) is left out: it is fileq's own business")
        }
    }

    /// `-b` takes cookies, or else a file with them.
    private mutating func addCookies(_ value: String) throws(TransferError) {
        if value.contains("=") { return try add(PastedHeader.pairs(value)) }
        guard value != "-" else { throw Self.refusal("-b -", "name a file, or write the cookies") }
        if !value.isEmpty { cookies.append("@\(value)") }
    }

    private mutating func add(_ pairs: [String]) throws(TransferError) {
        for pair in pairs {
            guard !pair.hasPrefix("@"), pair.contains("="), pair.first != "=" else {
                throw TransferError(.usage, "one of the cookies has no name, and fileq sends none without")
            }
            cookies.append(pair)
        }
    }

    private static func seconds(_ value: String, _ name: String) throws(TransferError) -> Double {
        guard let seconds = Double(value), seconds > 0, seconds.isFinite else { throw TransferError(.usage, "curl's \(name) needs seconds above 0") }
        return seconds
    }

    /// `FILE`, or `FILE:PASSWORD` with backslashes before colons of the file's name.
    private static func certificate(_ value: String, keeping passphrase: String?) -> (file: String, passphrase: String?) {
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
        if let method, uploads.isEmpty, !["GET", "POST"].contains(method.uppercased()) {
            throw Self.refusal("-X \(method)", "that moves no file; ask it with curl itself")
        }
        for index in urls.indices { urls[index] = try address(urls[index]) }
        // Such a file need not exist: the jar is read before it is written.
        if let cookieJar { cookies.removeAll { $0 == "@\(cookieJar)" } }
    }

    /// Without the braces and brackets by which curl makes several URLs of one; with a scheme.
    private func address(_ text: String) throws(TransferError) -> String {
        var address = text
        if !isLiteral {
            let plain = text.replacing("\\[", with: "").replacing("\\]", with: "").replacing("\\{", with: "").replacing("\\}", with: "")
            let host = plain.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first ?? ""
            let rest = host.hasPrefix("[") || host.contains("@[") ? plain.replacing(host, with: "", maxReplacements: 1) : plain
            guard !rest.contains(where: { "{}[]".contains($0) }) else {
                throw TransferError(.usage, "the curl line makes several URLs of one by braces or brackets; write them out, or give -g "
                    + "where they are meant as they are")
            }
            for sign in ["[", "]", "{", "}"] { address = address.replacing("\\\(sign)", with: sign) }
        }
        return address.contains("://") ? address : "http://\(address)"
    }
}
