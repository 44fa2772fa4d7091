// SPDX-License-Identifier: MIT

/// Stands for a secret in what is kept in plain: the name of its place in the transfer, such as `cookie.0`.
///
/// It means something only together with the ``SecretValues`` of the same transfer.
public struct SecretReference: RawRepresentable, Sendable, Hashable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The secrets of one transfer by their references. Prints as a count.
public struct SecretValues: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private var values: [String: String] = [:]

    public init() {}

    public var isEmpty: Bool { values.isEmpty }
    public var description: String { "\(values.count) hidden" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }

    public subscript(reference: SecretReference) -> String? { values[reference.rawValue] }

    /// Keeps `value` and gives what stands for it.
    public mutating func keep(_ value: String, as place: String) -> SecretReference {
        values[place] = value
        return SecretReference(rawValue: place)
    }

    /// Takes in all of `other`, which has other places.
    public mutating func merge(_ other: SecretValues) { values.merge(other.values) { _, new in new } }
}

extension SecretValues: Codable {
    /// One object, references to values.
    public init(from decoder: any Decoder) throws {
        values = try decoder.singleValueContainer().decode([String: String].self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values)
    }
}
