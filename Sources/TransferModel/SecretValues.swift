// SPDX-License-Identifier: MIT

import Synchronization

/// The secrets of one transfer by their references, such as `cookies.0.value`. Prints as a count.
public struct SecretValues: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    private var values: [String: String] = [:]

    public init() {}

    public var isEmpty: Bool { values.isEmpty }
    public var description: String { "\(values.count) hidden" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// By reference.
    public subscript(reference: String) -> String? {
        get { values[reference] }
        set { values[reference] = newValue }
    }

    /// Takes in all of `other`, which has other references.
    public mutating func merge(_ other: SecretValues) { values.merge(other.values) { _, new in new } }
}

extension SecretValues: Codable {
    /// One object of references and values. It is written only to the file of secrets.
    public init(from decoder: any Decoder) throws {
        values = try decoder.singleValueContainer().decode([String: String].self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values)
    }
}

/// Where a coder puts the secrets of one transfer, and finds them again.
public final class SecretVault: Sendable {
    private let values: Mutex<SecretValues>

    public init(_ values: SecretValues = SecretValues()) { self.values = Mutex(values) }

    /// What was put in since the last time; the vault is empty afterwards.
    public func take() -> SecretValues {
        values.withLock { values in
            defer { values = SecretValues() }
            return values
        }
    }

    func keep(_ value: String, as reference: String) { values.withLock { $0[reference] = value } }

    func value(of reference: String) throws(MissingSecret) -> String {
        guard let value = values.withLock({ $0[reference] }) else { throw MissingSecret(reference: reference) }
        return value
    }
}

/// A reference was read whose value the vault does not have.
public struct MissingSecret: Error, Sendable, Hashable {
    public let reference: String
}
