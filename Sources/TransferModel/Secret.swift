// SPDX-License-Identifier: MIT

/// A password, token or key. Prints without its value, and is encoded only if the encoder's `userInfo` states how
/// (``SecretCoding``).
@propertyWrapper
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var value: String

    public init(_ value: String) { self.value = value }

    public init(wrappedValue: String) { value = wrappedValue }

    public var wrappedValue: String {
        get { value }
        set { value = newValue }
    }

    public var description: String { "(hidden)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension CodingUserInfoKey {
    /// A ``SecretCoding``.
    package static let secrets = CodingUserInfoKey(rawValue: "secrets").unsafelyUnwrapped
}

/// How a coder treats each ``Secret``.
package enum SecretCoding: Sendable {
    /// For what is stored: a reference is written, and the value is put into the vault; on reading the vault gives it
    /// back.
    case vault(SecretVault)
    /// For people and logs: only that there is one is written. What was written so cannot be read.
    case redacted
    /// For a request on the local socket, and for a file of mode 0600 that is made for secrets.
    case plain
}

/// In JSON a text in plain; an object with `secret`, a reference; or an object with `hidden`.
extension Secret: Codable {
    private enum Key: CodingKey { case secret, hidden }

    /// - Throws: ``MissingSecret`` for a value that the vault does not have.
    public init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self.init(text)
            return
        }
        let container = try decoder.container(keyedBy: Key.self)
        let reference = try container.decode(String.self, forKey: .secret)
        guard case .vault(let vault)? = decoder.userInfo[.secrets] as? SecretCoding else {
            throw DecodingError.dataCorruptedError(
                forKey: .secret, in: container, debugDescription: "a reference without a vault")
        }
        self.init(try vault.value(of: reference))
    }

    /// - Throws: where `userInfo` does not say how.
    public func encode(to encoder: any Encoder) throws {
        switch encoder.userInfo[.secrets] as? SecretCoding {
        case .plain?:
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .redacted?:
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(true, forKey: .hidden)
        case .vault(let vault)?:
            var container = encoder.container(keyedBy: Key.self)
            let place = encoder.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
            vault.keep(value, as: place)
            try container.encode(place, forKey: .secret)
        case nil:
            throw EncodingError.invalidValue(
                self,
                .init(
                    codingPath: encoder.codingPath,
                    debugDescription: "a secret is encoded only "
                        + "where it is said how"))
        }
    }
}
