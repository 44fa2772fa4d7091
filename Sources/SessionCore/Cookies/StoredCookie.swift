// SPDX-License-Identifier: MIT

public import TransferModel

/// A cookie with its scope and lifetime (RFC 6265bis, section 5.7).
///
/// Always valid: it can be sent unchanged, whatever its origin. Prints without its value.
public struct StoredCookie: Sendable, Hashable, CustomStringConvertible {
    /// The server's rule for cross-site requests. Stored for programs that read it; no request here is cross-site, so
    /// it withholds nothing.
    public enum SameSite: String, Sendable, Hashable { case none, lax, strict }

    /// What makes two cookies the same: the later replaces the earlier.
    struct Key: Hashable {
        var name: String
        var domain: String
        var hostOnly: Bool
        var path: String
    }

    /// Of name and value together.
    public static let maximumBytes = 4096

    /// May be empty, if the value is not.
    public let name: String
    public let value: String
    /// Lower case, in ASCII, without a dot in front.
    public let domain: String
    /// Goes to ``domain`` itself and to nothing below it.
    public let hostOnly: Bool
    /// Absolute; URLs below it get the cookie.
    public let path: String
    /// Sent only over https.
    public let secure: Bool
    /// Meant for requests, not for programs within a page.
    public let httpOnly: Bool
    public let sameSite: SameSite?
    /// Seconds since 1970; `nil`: as long as the session.
    public let expires: Int64?
    /// When a cookie of this name and place was first stored, in seconds since 1970; 0 until it is.
    public internal(set) var creation: Double = 0
    /// When it was last sent or stored, in seconds since 1970; 0 until it is stored.
    public internal(set) var lastAccess: Double = 0

    /// A cookie made by hand. `domain` may be written in any script.
    /// - Throws: code `usage`, saying what no cookie may hold.
    public init(
        name: String, value: String, domain: String, hostOnly: Bool = true, path: String = "/", secure: Bool = false,
        httpOnly: Bool = false, sameSite: SameSite? = nil, expires: Int64? = nil
    ) throws(TransferError) {
        self.name = name
        self.value = value
        self.domain = CookieDomain.canonical(domain)
        self.hostOnly = hostOnly
        self.path = path
        self.secure = secure
        self.httpOnly = httpOnly
        self.sameSite = sameSite
        self.expires = expires
        if let complaint { throw complaint }
    }

    var key: Key { Key(name: name, domain: domain, hostOnly: hostOnly, path: path) }

    public func isExpired(at now: Double) -> Bool { expires.map { Double($0) <= now } ?? false }

    public var description: String { "\(name)=(hidden) for \(hostOnly ? "" : "*.")\(domain)\(path)" }

    /// As the `Cookie` field writes it (section 5.8.3).
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

    /// What is wrong with the cookie.
    private var complaint: TransferError? {
        let texts = [name, value, domain, path]
        if texts.contains(where: { $0.utf8.contains { $0.isForbiddenInCookies || $0 == UInt8(ascii: ";") } }) {
            return TransferError(.storedCookieCharacter)
        }
        if name.utf8.contains(UInt8(ascii: "=")) { return TransferError(.storedCookieEqualsSign) }
        if [name, value].contains(where: { Self.isBlank($0.utf8.first) || Self.isBlank($0.utf8.last) }) {
            return TransferError(.storedCookieBlank)
        }
        if name.isEmpty && value.isEmpty { return TransferError(.storedCookieEmpty) }
        if name.utf8.count + value.utf8.count > Self.maximumBytes {
            return TransferError(.storedCookieSize, Self.maximumBytes)
        }
        if domain.isEmpty || domain.hasPrefix(".") { return TransferError(.storedCookieDomain) }
        if !path.beginsWithSlash { return TransferError(.storedCookiePath) }
        if max(domain.utf8.count, path.utf8.count) > SetCookie.maximumAttributeBytes {
            return TransferError(.storedCookieLongAttribute, SetCookie.maximumAttributeBytes)
        }
        return honoursPrefix ? nil : TransferError(.storedCookiePrefix)
    }

    private static func isBlank(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }

    /// `__Secure-` and `__Host-` promise how the cookie was set (section 5.7); some servers read names in any
    /// case, and a value without a name as a name.
    private var honoursPrefix: Bool {
        let start = (name.isEmpty ? value : name).utf8.prefix(9).map { $0 >= 0x41 && $0 <= 0x5a ? $0 | 0x20 : $0 }
        let isSecure = start.elementsEqual("__secure-".utf8)
        let isHost = start.starts(with: "__host-".utf8)
        guard isSecure || isHost else { return true }
        return !name.isEmpty && secure && (!isHost || hostOnly && path == "/")
    }
}
