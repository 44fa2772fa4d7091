// SPDX-License-Identifier: MIT

/// What the cookies of one FileQ upload say: whose it is, which one, and what the bytes are.
///
/// Values travel as percent-encoded UTF-8. The sender prints with ``cookies()``, the receiver reads with
/// ``init(parsing:)``; both refuse control characters, so that no name can break a line anywhere behind them.
package struct FileQCookies: Sendable, Hashable {
    /// `fileuploadSID`, unchanged.
    package var sid: String?
    /// `fileq-upload`: a UUID, the same for every attempt of one upload; lower case.
    package var upload: String?
    /// `fileq-name`
    package var name: String?
    /// `fileq-size`: bytes.
    package var size: Int64?
    /// `fileq-mtime`: seconds since 1970.
    package var modified: Int64?
    /// `fileq-sha256`; only if known before the first byte is sent.
    package var checksum: Checksum?
    /// `fileq-meta-NAME`; in order, names are unique.
    package var metadata: [FileQUpload.Metadata]

    package init(
        sid: String? = nil, upload: String? = nil, name: String? = nil, size: Int64? = nil,
        modified: Int64? = nil, checksum: Checksum? = nil, metadata: [FileQUpload.Metadata] = []
    ) {
        self.sid = sid
        self.upload = upload
        self.name = name
        self.size = size
        self.modified = modified
        self.checksum = checksum
        self.metadata = metadata
    }

    /// The names of cookies that only this format may set.
    package static func isReserved(_ name: some StringProtocol) -> Bool {
        name == sidName || name.hasPrefix("fileq-")
    }

    static let sidName = "fileuploadSID"
    static let metadataPrefix = "fileq-meta-"
}

extension FileQCookies {
    /// The cookies to send, in the order of the published format.
    /// - Throws: code `usage`, naming the cookie, if one is too large, contains a control character, or is a duplicate,
    ///   and if they exceed ``CookieHeader/maximumBytes`` together. Nothing has been sent then.
    package func cookies() throws(TransferError) -> [Cookie] {
        var cookies: [Cookie] = []
        if let sid { cookies.append(try Cookie(name: Self.sidName, value: sid)) }
        if let upload { cookies.append(try Cookie(name: "fileq-upload", value: PercentCoding.encode(upload))) }
        if let name { cookies.append(try Self.cookie("fileq-name", text: name)) }
        if let size { cookies.append(try Cookie(name: "fileq-size", value: String(size))) }
        if let modified { cookies.append(try Cookie(name: "fileq-mtime", value: String(modified))) }
        if let checksum {
            guard checksum.algorithm == .sha256 else {
                throw TransferError(.fileQChecksum, checksum.algorithm)
            }
            cookies.append(try Cookie(name: "fileq-sha256", value: checksum.hex))
        }
        for (index, entry) in metadata.enumerated() {
            guard !entry.name.isEmpty, !Self.holdsControl(entry.name) else {
                throw TransferError(.fileQMetadataName)
            }
            guard !metadata[..<index].contains(where: { $0.name == entry.name }) else {
                throw TransferError(.fileQDouble, ["metadata", entry.name])
            }
            let name = Self.metadataPrefix + PercentCoding.encode(entry.name)
            cookies.append(try Self.cookie(name, text: entry.value, of: ["metadata", entry.name]))
        }
        _ = try CookieHeader.print(cookies)
        return cookies
    }

    private static func cookie(
        _ name: String, text: String, of item: [String]? = nil
    ) throws(TransferError) -> Cookie {
        let item = item ?? ["cookie", name]
        guard !holdsControl(text) else { throw TransferError(.fileQControl, item) }
        let value = PercentCoding.encode(text)
        guard name.utf8.count + value.utf8.count + 1 <= Cookie.maximumBytes else {
            throw TransferError(.fileQEncodedSize, item, Cookie.maximumBytes)
        }
        return try Cookie(name: name, value: value)
    }

    static func holdsControl(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

extension FileQCookies {
    /// Reads a `Cookie` field; cookies of other names are ignored.
    /// - Throws: code `usage`, naming the cookie, for a duplicate or malformed one.
    package init(parsing field: some StringProtocol) throws(TransferError) {
        self.init()
        var seen: Set<String> = []
        for (name, value) in CookieHeader.parse(field) where Self.isReserved(name) {
            guard seen.insert(name).inserted else {
                throw TransferError(.fileQDouble, ["cookie", Self.shown(name)])
            }
            guard name.utf8.count + value.utf8.count + 1 <= Cookie.maximumBytes else {
                throw TransferError(.fileQSize, ["cookie", Self.shown(name)], Cookie.maximumBytes)
            }
            guard try take(name, value) else {
                throw TransferError(.fileQMalformed, ["cookie", Self.shown(name)])
            }
        }
    }

    /// False where the value is malformed. Unknown `fileq-` names are left for later versions of the format.
    private mutating func take(_ name: String, _ value: String) throws(TransferError) -> Bool {
        switch name {
        case Self.sidName: sid = value
        case "fileq-upload":
            upload = Self.uuid(value)
            return upload != nil
        case "fileq-name":
            self.name = Self.text(value)
            return self.name != nil
        case "fileq-size":
            size = ContentRange.number(value)
            return size != nil
        case "fileq-mtime":
            modified =
                value.hasPrefix("-")
                ? ContentRange.number(value.dropFirst()).map { -$0 } : ContentRange.number(value)
            return modified != nil
        case "fileq-sha256":
            guard let bytes = Hex.decode(value), bytes.count == 32 else { return false }
            checksum = Checksum(algorithm: .sha256, bytes: bytes)
        default:
            guard name.hasPrefix(Self.metadataPrefix) else { return true }
            guard let key = Self.text(String(name.dropFirst(Self.metadataPrefix.count))), !key.isEmpty,
                let text = Self.text(value)
            else { return false }
            guard !metadata.contains(where: { $0.name == key }) else { return false }
            metadata.append(.init(name: key, value: text))
        }
        return true
    }

    private static func text(_ value: String) -> String? {
        guard let text = PercentCoding.decode(value), !holdsControl(text) else { return nil }
        return text
    }

    /// 8-4-4-4-12 hexadecimal digits (RFC 9562, section 4), in lower case.
    private static func uuid(_ value: String) -> String? {
        let groups = value.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
            groups.allSatisfy({ $0.utf8.allSatisfy { Hex.value(of: $0) != nil } })
        else { return nil }
        return value.lowercased()
    }

    /// A name from the network, fit for one line of a message.
    private static func shown(_ name: String) -> String {
        String(
            String.UnicodeScalarView(name.unicodeScalars.prefix(60).map { $0.isASCII && $0.value >= 0x20 ? $0 : "?" }))
    }
}
