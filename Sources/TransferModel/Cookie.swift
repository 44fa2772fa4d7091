// SPDX-License-Identifier: MIT

/// One cookie as it is sent: a name and a value, checked by ``init(name:value:)``.
public struct Cookie: Sendable, Hashable, Codable, ListElement {
    public let name: String
    @Secret public private(set) var value: String
    /// RFC 6265bis: one cookie holds at most 4096 bytes.
    public static let maximumBytes = 4096

    /// - Throws: a ``TransferError`` with code `usage` when the name is no RFC 9110 token, the value holds a control
    ///   character, `;`, or a byte outside ASCII, or both together exceed ``maximumBytes``.
    public init(name: String, value: String) throws(TransferError) {
        guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte) else {
            throw TransferError(.cookieName)
        }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ";") }) else {
            throw TransferError(.cookieValue, name)
        }
        guard name.utf8.count + value.utf8.count + 1 <= Self.maximumBytes else {
            throw TransferError(.cookieSize, name, Self.maximumBytes)
        }
        self.name = name
        _value = Secret(value)
    }
}

extension Cookie {
    /// - Throws: as ``init(name:value:)``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            name: container.decode(String.self, forKey: .name),
            value: container.decode(Secret.self, forKey: .value).value)
    }
}

extension UInt8 {
    /// `tchar` of RFC 9110, section 5.6.2.
    var isTokenByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
