// SPDX-License-Identifier: MIT

import Synchronization

/// The secrets of one transfer by their references, such as `cookies.0.value`. Prints as a count.
package struct SecretValues: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private var values: [String: String] = [:]

    package init() {}

    package var isEmpty: Bool { values.isEmpty }
    package var description: String { "\(values.count) hidden" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// By reference.
    package subscript(reference: String) -> String? {
        get { values[reference] }
        set { values[reference] = newValue }
    }

    /// Takes in all of `other`, which has other references.
    package mutating func merge(_ other: SecretValues) { values.merge(other.values) { _, new in new } }
}

extension SecretValues: Codable {
    /// One object of references and values. It is written only to the file of secrets.
    package init(from decoder: any Decoder) throws {
        values = try decoder.singleValueContainer().decode([String: String].self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values)
    }
}

/// Where a coder puts the secrets of one transfer, and finds them again.
package final class SecretVault: Sendable {
    private let values: Mutex<SecretValues>

    package init(_ values: SecretValues = SecretValues()) { self.values = Mutex(values) }

    /// What was put in since the last time; the vault is empty afterwards.
    package func take() -> SecretValues {
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
package struct MissingSecret: Error, Sendable, Hashable {
    package let reference: String
}
