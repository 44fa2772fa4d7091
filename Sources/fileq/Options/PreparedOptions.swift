// SPDX-License-Identifier: MIT

import FoundationEssentials
import HTTPTypes
import SessionCore
import TransferModel

/// The shared options of a run, with files read and values checked, for any number of transfers.
struct PreparedOptions {
    private var shared = TransferOptions()
    private var cookieFiles: [NetscapeCookies] = []
    private var login: Login
    private let isForAllHosts: Bool
    /// The first URL: its origin gets the command's credentials.
    private var first: TransferURL?
    /// The options of the last URL.
    private var last: Shared<TransferOptions>?
    private var firstServer = ""
    /// The options withheld from other origins, by name.
    private var leftOut: [String] = []
    private let now: Double
    /// `--method`
    var method: HTTPRequest.Method? { shared.method }
    /// What makes an upload a FileQ upload; `nil` if not requested.
    let fileQ: FileQUpload?
    let checksum: Checksum?
    let limits: QueueSettings

    /// - Throws: code `usage`, naming the invalid option.
    init(
        _ group: TransferOptionGroup, kind: TransferKind, purpose: PlanPurpose, surroundings: CommandEnvironment
    ) throws(TransferError) {
        now = surroundings.now()
        fileQ = try Self.fileQ(group.request)
        checksum = try Self.checksum(group.files.checksums)
        isForAllHosts = group.request.forAllHosts
        login = try Login(group.login, purpose: purpose, surroundings: surroundings)
        var limits = try QueueSettings(group, kind: kind)
        limits.pathOverrides = try surroundings.pathOverrides()
        self.limits = limits
        // Else an error of every line of a list.
        try login.checkNetrc()
        try addRequest(group.request, tokenFile: group.login.tokenFile, kind: kind)
        try addConnection(group.connection, purpose, surroundings)
        try addNetwork(group.network, purpose, surroundings)
        shared.clientIdentity = try TrustArguments.identity(group.identity)
    }

    /// Binds the credentials to the origin of `url`, not to that of the first URL.
    mutating func bind(to url: TransferURL) { (first, firstServer) = (url, url.authority) }

    /// The most connections of one transfer.
    mutating func setConnections(_ most: Int?) { shared.connections = most }

    /// Instead of fields of these names that were given with `--header`.
    mutating func setFields(_ fields: [HTTPField]) {
        let names = Set(fields.map(\.name))
        shared.headers = shared.headers.filter { !names.contains($0.name) } + fields
    }

    /// The options for one URL: its login and cookies.
    /// - Parameter given: a known login; `nil`: look it up.
    mutating func options(for url: TransferURL, login given: Credential? = nil) throws(TransferError) -> TransferOptions
    {
        let isOwn = isForAllHosts || isFirstOrigin(url)
        var options = shared
        if !isOwn { dropSecrets(from: &options, hasLogin: given != nil) }
        if let given {
            options.credential = given
        } else {
            options.credential = try login.credential(for: url, isOwn: isOwn)
        }
        for file in cookieFiles { options.cookies += try file.cookies(for: url) }
        return options
    }

    /// As ``options(for:login:)``; URLs with the same options share them.
    mutating func sharedOptions(
        for url: TransferURL, login given: Credential? = nil
    ) throws(TransferError) -> Shared<TransferOptions> {
        let options = try options(for: url, login: given)
        if let last, last.wrappedValue == options { return last }
        let shared = Shared(wrappedValue: options)
        last = shared
        return shared
    }

    private mutating func isFirstOrigin(_ url: TransferURL) -> Bool {
        guard let first else {
            (first, firstServer) = (url, url.authority)
            return true
        }
        return url.host == first.host && url.port == first.port && url.scheme == first.scheme
    }

    /// A warning after all URLs have their options; `nil`: nothing was withheld.
    var notice: String? {
        guard !leftOut.isEmpty else { return nil }
        return
            "sent only to \(firstServer), not to other servers of this command: \(leftOut.joined(separator: ", ")); "
            + "--for-all-hosts sends them to all"
    }

    /// As after a redirect: credentials stay at the origin they were given for.
    private mutating func dropSecrets(from options: inout TransferOptions, hasLogin: Bool) {
        var names = options.headers.filter { !$0.name.isImpersonal }.map(\.name.rawName)
        if !options.cookies.isEmpty { names.append("cookies") }
        if login.namesUser, !hasLogin { names.append("--user") }
        if options.clientIdentity != nil { names.append("--cert") }
        names += options.leaveOrigin()
        for name in names where !leftOut.contains(name) { leftOut.append(name) }
    }

    private mutating func addRequest(
        _ request: RequestOptions, tokenFile: String?, kind: TransferKind
    ) throws(TransferError) {
        if let method = request.method {
            guard let known = HTTPRequest.Method(method) else {
                throw TransferError(.usage, option: "--method", "'\(method)' is not a method: use a token such as POST")
            }
            guard kind != .upload || Upload.isPossible(with: known) else {
                throw TransferError(
                    .usage, option: "--method", "\(method) uploads no file: use PUT, POST or PATCH, or omit it")
            }
            shared.method = known
        }
        request.assign(to: &shared)
        shared.headers = try HeaderArguments.parse(request.header, tokenFile: tokenFile)
        for word in request.cookie {
            guard word.hasPrefix("@") else {
                shared.cookies.append(try CookieArguments.cookie(word))
                continue
            }
            switch try CookieArguments.file(String(word.dropFirst()), now: now) {
            case .pairs(let cookies): shared.cookies += cookies
            case .netscape(let file): cookieFiles.append(file)
            }
        }
        if kind == .download, let fileQ { shared.cookies += try Self.cookies(for: fileQ) }
        if let jar = request.cookieJar { try Self.check(jar: jar) }
        shared.cookieJar = request.cookieJar
    }

    private mutating func addConnection(
        _ connection: ConnectionOptions, _ purpose: PlanPurpose,
        _ surroundings: CommandEnvironment
    ) throws(TransferError) {
        shared.connectTimeout = try Self.seconds(connection.connectTimeout, "--connect-timeout")
        shared.requestTimeout = try Self.seconds(connection.requestTimeout, "--request-timeout")
        shared.responseTimeout = try Self.seconds(connection.responseTimeout, "--response-timeout")
        shared.resourceTimeout = try Self.seconds(connection.resourceTimeout, "--resource-timeout")
        guard connection.retry ?? 0 >= 0 else {
            throw TransferError(.usage, option: "--retry", "use a number from 0")
        }
        shared.retries = connection.retry ?? purpose.retries
        if let wait = connection.retryMaxWait, !(wait >= 0 && wait.isFinite) {
            throw TransferError(.usage, option: "--retry-max-wait", "use seconds from 0")
        }
        shared.maximumRetryWait = connection.retryMaxWait ?? purpose.maximumRetryWait
        guard connection.maxRedirs ?? 0 >= 0 else {
            throw TransferError(.usage, option: "--max-redirs", "use a number from 0")
        }
        shared.maximumRedirects = connection.maxRedirs
        if let version = connection.http {
            guard let known = TransferOptions.HTTPVersion(rawValue: version), known != .automatic else {
                throw TransferError(.usage, option: "--http", "use 1.1, 2 or 3")
            }
            if known == .http3 {
                try naming("--http 3") { () throws(TransferError) in try surroundings.requireHTTP3() }
            }
            shared.httpVersion = known
        }
        if connection.allowDowngrade { shared.allowsDowngrade = true }
        (shared.pins, shared.certificatePins) = try TrustArguments.pins(connection.pin)
        if let file = connection.cacert {
            guard FileManager.default.isReadableFile(atPath: file) else {
                throw TransferError(.usage, option: "--cacert", "'\(file)' cannot be read")
            }
            shared.certificateAuthorities = file
        }
    }

    private mutating func addNetwork(
        _ network: NetworkOptions, _ purpose: PlanPurpose, _ surroundings: CommandEnvironment
    ) throws(TransferError) {
        if network.now, let rival = network.restrictions.first(where: \.isOn) {
            throw TransferError(.usage, about: "now", "--now and \(rival.name) exclude each other: use one of them")
        }
        if network.noWait { shared.waitsForConnectivity = false }
        if network.noExpensive { shared.allowsExpensive = false }
        if network.noConstrained { shared.allowsConstrained = false }
        if network.noCellular { shared.allowsCellular = false }
        shared.liftsRestrictions = network.now
        if let word = network.multipath {
            guard let type = MultipathServiceType(rawValue: word) else {
                throw TransferError(.usage, option: "--multipath", "use none, handover, interactive or aggregate")
            }
            shared.multipath = type
        }
        if let name = network.interface {
            // The kernel's rules for names (dev_valid_name).
            let isName =
                (1...15).contains(name.utf8.count) && name != "." && name != ".."
                && name.utf8.allSatisfy {
                    $0 > 0x20 && $0 != 0x7f && ![UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "!")].contains($0)
                }
            guard isName else {
                throw TransferError(
                    .usage, option: "--interface",
                    "use the name of a network interface, such as wlan0 ('ip link' lists them)")
            }
            if purpose == .foreground { try Self.check(interface: name, among: surroundings.interfaceNames()) }
            shared.interface = name
        }
    }

    /// The background queue waits for an interface that does not exist yet.
    /// - Parameter known: empty: unknown.
    private static func check(interface: String, among known: [String]) throws(TransferError) {
        guard !known.isEmpty, !known.contains(interface) else { return }
        let shown = known.prefix(16).joined(separator: ", ") + (known.count > 16 ? ", …" : "")
        throw TransferError(
            .interfaceUnavailable, option: "--interface",
            "there is no network interface '\(interface)', only \(shown); 'fileq add' waits for one to appear")
    }

    private static func seconds(_ value: Double?, _ option: String) throws(TransferError) -> Double? {
        guard let value else { return nil }
        guard value.isFinite, value > 0 else {
            throw TransferError(.usage, option: option, "use seconds above 0, such as 30 or 2.5")
        }
        return min(value, 1e9)
    }

    /// A jar need not exist, but its folder must.
    private static func check(jar: String) throws(TransferError) {
        let parent = jar.throughLastSlash.map(String.init) ?? "./"
        guard FileStatus(parent)?.isFolder == true else {
            throw TransferError(
                .usage, option: "--cookie-jar", "no folder '\(parent)'; create it with 'mkdir -p'")
        }
        guard let status = FileStatus(jar) else { return }
        guard status.isRegular, FileManager.default.isReadableFile(atPath: jar) else {
            throw TransferError(.usage, option: "--cookie-jar", "'\(jar)' is not a readable file")
        }
    }

    /// `--checksum`. A file has one; of several, none may be disregarded silently.
    private static func checksum(_ texts: [String]) throws(TransferError) -> Checksum? {
        var found: Checksum?
        for text in texts {
            let checksum = try naming("--checksum") { () throws(TransferError) in try Checksum(parsing: text) }
            guard found == nil || found == checksum else {
                throw TransferError(.usage, option: "--checksum", "two different ones are given; pass one of them")
            }
            found = checksum
        }
        return found
    }

    private static func fileQ(_ request: RequestOptions) throws(TransferError) -> FileQUpload? {
        guard request.sid == nil || request.sidFile == nil else {
            throw TransferError(.usage, about: "sid", "--sid and --sid-file exclude each other: use one of them")
        }
        var sid = request.sid
        if let file = request.sidFile { sid = try SecretFile.firstLine(of: file, option: "--sid-file") }
        var metadata: [FileQUpload.Metadata] = []
        for word in request.meta {
            let (name, value) = try pair(word, option: "--meta")
            guard !metadata.contains(where: { $0.name == name }) else {
                throw TransferError(.usage, option: "--meta", "'\(name)' is given twice")
            }
            metadata.append(.init(name: name, value: value))
        }
        guard sid != nil || !metadata.isEmpty else { return nil }
        let upload = FileQUpload(sid: sid, metadata: metadata)
        _ = try cookies(for: upload)
        return upload
    }

    /// The cookies of a FileQ session; creating them validates names and values.
    private static func cookies(for upload: FileQUpload) throws(TransferError) -> [Cookie] {
        if let sid = upload.sid {
            guard !sid.isEmpty else { throw TransferError(.usage, option: "--sid", "the value is empty") }
            _ = try naming("--sid") { () throws(TransferError) in try FileQCookies(sid: sid).cookies() }
        }
        return try naming("--meta") { () throws(TransferError) in
            try FileQCookies(sid: upload.sid, metadata: upload.metadata).cookies()
        }
    }
}
