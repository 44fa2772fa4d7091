// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

/// Encodes JSON without Foundation's coders, in the same form. Used for lists of a whole queue.
protocol DirectlyWritten {
    func write(to json: inout JSONWriter) throws
}

/// The other direction. Ignores unknown members and the order.
protocol DirectlyRead {
    static func read(from json: inout JSONReader) throws -> Self
}

typealias DirectlyCoded = DirectlyWritten & DirectlyRead

/// An object: names its members once, for both directions.
protocol DirectRecord: DirectlyCoded {
    /// The value to read into.
    static var blank: Self { get }

    /// Passes each member to `visitor`, in the order in which they are written.
    mutating func visit(_ visitor: inout some MemberVisitor) throws
}

protocol MemberVisitor {
    mutating func required<Value: DirectlyCoded>(_ name: StaticString, _ value: inout Value) throws
    /// Omits `nil`.
    mutating func optional<Value: DirectlyCoded>(_ name: StaticString, _ value: inout Value?) throws
}

extension DirectRecord {
    func write(to json: inout JSONWriter) throws {
        json.beginObject()
        var copy = self
        try copy.visit(&json)
        json.endObject()
    }

    static func read(from json: inout JSONReader) throws -> Self {
        var record = blank
        try json.read(into: &record)
        return record
    }
}

extension JSONWriter: MemberVisitor {
    mutating func required<Value: DirectlyCoded>(_ name: StaticString, _ value: inout Value) throws {
        key(name)
        try value.write(to: &self)
    }

    mutating func optional<Value: DirectlyCoded>(_ name: StaticString, _ value: inout Value?) throws {
        guard let value else { return }
        key(name)
        try value.write(to: &self)
    }
}

extension JSONReader {
    /// Fills `record` with the members of the next object.
    /// - Throws: if a required member is missing, or one has another type.
    mutating func read(into record: inout some DirectRecord) throws {
        var members = try MemberReader(self)
        // Members written in the order of the visit are found in one round.
        repeat {
            members.beginRound()
            try record.visit(&members)
            try members.endRound()
        } while members.isUnfinished
        guard members.isComplete else { throw Problem() }
        self = members.json
    }
}

/// Assigns members as the record visits them.
private struct MemberReader: MemberVisitor {
    private(set) var json: JSONReader
    /// The member whose value is next; `nil` at the end of the object.
    private var name: UnsafeBufferPointer<UInt8>?
    private var needed = 0
    private var found = 0
    private var isFruitless = false

    init(_ json: JSONReader) throws {
        self.json = json
        try self.json.take("{")
        name = try self.json.takes("}") ? nil : try self.json.key()
    }

    var isUnfinished: Bool { name != nil }
    var isComplete: Bool { found >= needed }

    mutating func beginRound() {
        needed = 0
        isFruitless = true
    }

    /// A member that no visit of a whole round has read is unknown.
    mutating func endRound() throws {
        guard isFruitless, name != nil else { return }
        _ = try json.value()
        try advance()
    }

    mutating func required<Value: DirectlyCoded>(_ name: StaticString, _ value: inout Value) throws {
        needed += 1
        guard isNext(name) else { return }
        value = try Value.read(from: &json)
        found += 1
        try advance()
    }

    mutating func optional<Value: DirectlyCoded>(_ name: StaticString, _ value: inout Value?) throws {
        guard isNext(name) else { return }
        value = try json.takesNull() ? nil : try Value.read(from: &json)
        try advance()
    }

    private func isNext(_ known: StaticString) -> Bool {
        guard let name, name.count == known.utf8CodeUnitCount, let start = name.baseAddress else { return false }
        return memcmp(start, known.utf8Start, name.count) == 0
    }

    private mutating func advance() throws {
        isFruitless = false
        if try json.takes(",") {
            name = try json.key()
        } else {
            try json.take("}")
            name = nil
        }
    }
}

// MARK: Values

extension FixedWidthInteger {
    func write(to json: inout JSONWriter) throws { json.write(self) }
    static func read(from json: inout JSONReader) throws -> Self { try json.integer(Self.self) }
}

extension Int: DirectlyCoded {}
extension Int32: DirectlyCoded {}
extension Int64: DirectlyCoded {}

extension Double: DirectlyCoded {
    func write(to json: inout JSONWriter) throws { json.write(self) }
    static func read(from json: inout JSONReader) throws -> Double { try json.double() }
}

extension Bool: DirectlyCoded {
    func write(to json: inout JSONWriter) throws { json.write(self) }
    static func read(from json: inout JSONReader) throws -> Bool { try json.bool() }
}

extension String: DirectlyCoded {
    func write(to json: inout JSONWriter) throws { json.write(self) }
    static func read(from json: inout JSONReader) throws -> String { try json.string() }
}

extension RawRepresentable where RawValue: DirectlyCoded {
    func write(to json: inout JSONWriter) throws { try rawValue.write(to: &json) }
    static func read(from json: inout JSONReader) throws -> Self {
        guard let value = Self(rawValue: try RawValue.read(from: &json)) else { throw JSONReader.Problem() }
        return value
    }
}

extension Array: DirectlyWritten where Element: DirectlyWritten {
    func write(to json: inout JSONWriter) throws {
        // An estimate for a transfer; for short lists the growth does not matter.
        if count > 100 { json.reserve(count * 384) }
        json.beginArray()
        for element in self {
            json.element()
            try element.write(to: &json)
        }
        json.endArray()
    }
}

extension Array: DirectlyRead where Element: DirectlyRead {
    static func read(from json: inout JSONReader) throws -> [Element] {
        var list: [Element] = []
        try json.take("[")
        if try json.takes("]") { return list }
        repeat { list.append(try Element.read(from: &json)) } while try json.takes(",")
        try json.take("]")
        return list
    }
}

/// A rare or small value inside: Foundation's coders handle it.
protocol IndirectlyCoded: DirectlyCoded, Codable {}

extension IndirectlyCoded {
    func write(to json: inout JSONWriter) throws { json.write(json: try ControlCoding.json(self)) }
    static func read(from json: inout JSONReader) throws -> Self {
        try ControlCoding.decode(Self.self, from: Data(try json.value()))
    }
}
