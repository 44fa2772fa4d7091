// SPDX-License-Identifier: MIT

/// A value that JSON omits while it is the default.
@propertyWrapper
public struct Default<Usual: UsualValue>: Sendable, Hashable {
    public var wrappedValue: Usual.Value

    public init() { wrappedValue = Usual.value }

    public init(wrappedValue: Usual.Value) { self.wrappedValue = wrappedValue }
}

/// Names the usual value of a ``Default``.
public protocol UsualValue: Sendable {
    associatedtype Value: Sendable & Hashable & Codable
    static var value: Value { get }
}

/// Usual values.
public enum Usual {
    public enum True: UsualValue { public static var value: Bool { true } }
    public enum False: UsualValue { public static var value: Bool { false } }
}

/// A list that JSON leaves out while it is empty.
@propertyWrapper
public struct OrEmpty<Element: ListElement>: Sendable, Hashable {
    public var wrappedValue: [Element]

    public init() { wrappedValue = [] }

    public init(wrappedValue: [Element]) { self.wrappedValue = wrappedValue }
}

/// What stands in JSON for one element of an ``OrEmpty``.
public protocol ListElement: Sendable, Hashable {
    associatedtype Form: Codable
    var form: Form { get }
    /// - Throws: for what is no element.
    init(form: Form) throws
}

/// An optional value that is a text in JSON.
@propertyWrapper
public struct Text<Value: LosslessStringConvertible & Sendable & Hashable>: Sendable, Hashable {
    public var wrappedValue: Value?

    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }
}

/// A value outside of what holds it: copies share it, so that many of the same take the room of one. Behaves as a
/// value.
@propertyWrapper
package struct Shared<Value: Sendable & Hashable>: Sendable, Hashable {
    private final class Box: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    package init(wrappedValue: Value) { box = Box(wrappedValue) }

    package var wrappedValue: Value {
        get { box.value }
        set { box = Box(newValue) }
    }

    /// Assigned to another, both share one object.
    package var projectedValue: Self {
        get { self }
        set { self = newValue }
    }

    /// Whether both are one object. Two that are not may be equal.
    package func isIdentical(to other: Self) -> Bool { box === other.box }

    package static func == (left: Self, right: Self) -> Bool {
        left.box === right.box || left.box.value == right.box.value
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}

// MARK: JSON

extension ListElement where Self: Codable {
    public var form: Self { self }
    public init(form: Self) { self = form }
}

extension String: ListElement {}

extension Default: Codable {
    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(Usual.Value.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension OrEmpty: Codable {
    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode([Element.Form].self).map { try Element(form: $0) }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue.map(\.form))
    }
}

extension Text: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Value(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not of its form")
        }
        wrappedValue = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue?.description)
    }
}

/// What is absent has its usual value.
extension KeyedDecodingContainer {
    package func decode<Usual>(_ type: Default<Usual>.Type, forKey key: Key) throws -> Default<Usual> {
        try decodeIfPresent(Usual.Value.self, forKey: key).map(Default.init) ?? Default()
    }

    package func decode<Element>(_ type: OrEmpty<Element>.Type, forKey key: Key) throws -> OrEmpty<Element> {
        try decodeIfPresent(type, forKey: key) ?? OrEmpty()
    }

    package func decode<Value>(_ type: Text<Value>.Type, forKey key: Key) throws -> Text<Value> {
        try decodeIfPresent(type, forKey: key) ?? Text(wrappedValue: nil)
    }
}

/// What has its usual value is left out.
extension KeyedEncodingContainer {
    package mutating func encode<Usual>(_ value: Default<Usual>, forKey key: Key) throws {
        if value != Default() { try encode(value.wrappedValue, forKey: key) }
    }

    package mutating func encode<Element>(_ value: OrEmpty<Element>, forKey key: Key) throws {
        if !value.wrappedValue.isEmpty { try encodeIfPresent(value, forKey: key) }
    }

    package mutating func encode<Value>(_ value: Text<Value>, forKey key: Key) throws {
        if value.wrappedValue != nil { try encodeIfPresent(value, forKey: key) }
    }
}
