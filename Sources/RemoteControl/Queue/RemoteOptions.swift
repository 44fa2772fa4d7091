// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The options of a call: aria2's names with strings, numbers or booleans, of which fileq has some. Others are ignored,
/// as aria2 does, but those whose loss the user would notice too late.
struct RemoteOptions: Sendable, Hashable {
    private var value = RPCValue.object([])

    init() {}

    init?(_ value: RPCValue) {
        guard case .object = value else { return nil }
        self.value = value
    }

    var names: [String] {
        guard case .object(let members) = value else { return [] }
        return members.map(\.name)
    }

    /// Empty texts mean the default, as forms send them.
    subscript(name: String) -> String? {
        switch value[name] {
        case .string(let text)?: text.isEmpty ? nil : text
        case .bool(let flag)?: flag ? "true" : "false"
        case .number(let number)?: Int(exactly: number).map(String.init)
        default: nil
        }
    }

    private func flag(_ name: String) throws(RPCFailure) -> Bool? {
        guard let text = self[name] else { return nil }
        guard text == "true" || text == "false" else { throw Self.wrong(name, "true or false") }
        return text == "true"
    }

    private func number(_ name: String) throws(RPCFailure) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), number > 0 else { throw Self.wrong(name, "a number above 0") }
        return number
    }

    /// Bytes per second, such as `500K`; 0: unlimited.
    /// - Returns: `nil` without the option, `.some(nil)` for unlimited.
    func rate(_ name: String) throws(RPCFailure) -> Int?? {
        guard let text = self[name] else { return nil }
        guard let rate = ByteCount.parse(text) else { throw Self.wrong(name, "bytes per second, such as 500K") }
        return .some(rate == 0 ? nil : rate)
    }

    static func wrong(_ name: String, _ what: String) -> RPCFailure {
        RPCFailure("the option \(name) must be \(what)")
    }

    func isPaused() throws(RPCFailure) -> Bool { try flag("pause") ?? false }

    /// - Throws: for one that is not 16 hexadecimal digits.
    func gid() throws(RPCFailure) -> RemoteGID? {
        guard let text = self["gid"] else { return nil }
        guard let gid = RemoteGID(text) else { throw RPCFailure("Invalid GID \(text.prefix(64))") }
        return gid
    }

    /// `all-proxy` and its kin are refused: without the proxy, the server would see the user's address.
    func transferOptions() throws(RPCFailure) -> TransferOptions {
        for name in ["all-proxy", "http-proxy", "https-proxy"] where self[name] != nil {
            throw RPCFailure("\(name) is not supported; the service takes proxies from its environment")
        }
        var options = TransferOptions()
        let request = try requestFields()
        (options.headers, options.cookies) = (request.headers, request.cookies)
        options.referer = request.referer.map { Secret($0) }
        if let agent = self["user-agent"] { options.userAgent = try Self.field("User-Agent: \(agent)")?.value }
        options.login = login
        options.rateLimit = try rate("max-download-limit") ?? nil
        let (split, perServer) = (try number("split"), try number("max-connection-per-server"))
        if split != nil || perServer != nil {
            options.connections = min(Self.mostConnections, split ?? Self.mostConnections, perServer ?? .max)
        }
        return options
    }

    private static let mostConnections = 16

    var login: Credential? {
        self["http-user"].map { Credential(user: $0, password: self["http-passwd"] ?? "") }
    }

    /// `sha-256=HEX`.
    func checksum() throws(RPCFailure) -> Checksum? {
        guard let text = self["checksum"] else { return nil }
        let parts = text.split(separator: "=", maxSplits: 1)
        let algorithm = parts.first?.lowercased().replacing("-", with: "") ?? ""
        guard parts.count == 2, let checksum = Checksum("\(algorithm):\(parts[1])") else {
            throw Self.wrong("checksum", "a digest such as sha-256=HEX")
        }
        return checksum
    }

    /// The effect of existing files: aria2 renames unless it is requested otherwise.
    func existing() throws(RPCFailure) -> (overwrites: Bool, existing: ExistingFile) {
        let overwrites = try flag("allow-overwrite") ?? false
        let renames = try flag("auto-file-renaming") ?? true
        return (overwrites, renames && !overwrites ? .keepsBoth : .fails)
    }

    func followsMetalink() -> Bool { self["follow-metalink"] != "false" }

    typealias RequestFields = (headers: [HTTPField], cookies: [Cookie], referer: String?)

    /// Those that fileq sets, in lower case: an extension sends all that a browser has sent.
    private static let owned: Set<String> = [
        "accept-encoding", "connection", "content-length", "expect", "if-range", "keep-alive", "proxy-connection",
        "range", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// `header`, a string or a list, and `referer`.
    func requestFields() throws(RPCFailure) -> RequestFields {
        var fields: RequestFields = ([], [], nil)
        let lines = value["header"]?.array?.compactMap(\.string) ?? self["header"].map { [$0] } ?? []
        for line in lines where !line.isEmpty {
            guard let field = try Self.field(line) else { continue }
            switch field.name.canonicalName {
            case "cookie": fields.cookies += Self.cookies(field.value)
            case "referer": fields.referer = field.value
            default: fields.headers.append(field)
            }
        }
        if let referer = self["referer"] { fields.referer = try Self.field("Referer: \(referer)")?.value }
        return fields
    }

    /// - Returns: `nil` for one that fileq sets.
    private static func field(_ line: String) throws(RPCFailure) -> HTTPField? {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let name = HTTPField.Name(String(parts[0])),
            parts[1].unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f || $0 == "\t" })
        else { throw wrong("header", "a field such as 'Name: value'") }
        guard !owned.contains(name.canonicalName) else { return nil }
        return HTTPField(name: name, value: parts[1].withoutBlanks)
    }

    /// A browser may have cookies that cannot be sent; the others are worth sending.
    private static func cookies(_ value: String) -> [Cookie] {
        value.split(separator: ";").compactMap { pair in
            let parts = pair.withoutBlanks.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? try? Cookie(name: String(parts[0]), value: String(parts[1])) : nil
        }
    }
}
