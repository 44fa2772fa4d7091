// SPDX-License-Identifier: MIT

/// Keeps a large value that is seldom there outside of what holds it, so that copies of the holder stay small.
/// Behaves as an optional property: a value, not a reference.
@propertyWrapper
public struct Boxed<Value: Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
    private final class Box: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private var box: Box?

    public init(wrappedValue: Value?) { box = wrappedValue.map(Box.init) }

    public var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map(Box.init) }
    }

    /// Assigned to another, both share what is in it.
    public var projectedValue: Self {
        get { self }
        set { self = newValue }
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.box === right.box || left.wrappedValue == right.wrappedValue
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }

    public init(from decoder: any Decoder) throws {
        self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension KeyedDecodingContainer {
    /// What is not there is `nil`, as for any optional property.
    package func decode<Value>(_ type: Boxed<Value>.Type, forKey key: Key) throws -> Boxed<Value> {
        Boxed(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    /// `nil` is left out, as for any optional property.
    package mutating func encode<Value>(_ value: Boxed<Value>, forKey key: Key) throws {
        try encodeIfPresent(value.wrappedValue, forKey: key)
    }
}
