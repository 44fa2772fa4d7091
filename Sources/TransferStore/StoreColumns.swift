// SPDX-License-Identifier: MIT

import FoundationEssentials
import GRDB

/// What SQLite stores as it is: read from the statement directly, without a value in between.
typealias ColumnValue = DatabaseValueConvertible & StatementColumnConvertible

/// Visits the columns of a row in the order of the statements.
protocol ColumnVisitor {
    var isReading: Bool { get }
    mutating func column<Value: ColumnValue>(_ name: String, _ value: inout Value) throws
    mutating func column<Value: ColumnValue>(_ name: String, _ value: inout Value?) throws
    /// - Throws: on reading, for an unknown word.
    mutating func word<Value: RawRepresentable<String>>(_ name: String, _ value: inout Value) throws
    /// An unknown word is read as `nil`.
    mutating func word<Value: RawRepresentable<String>>(_ name: String, _ value: inout Value?) throws
    /// JSON text.
    mutating func json<Value: Codable>(_ name: String, _ value: inout Value?) throws
    /// JSON text that the transfer can do without: text that cannot be decoded is read as `nil`.
    mutating func lenientJSON<Value: Codable>(_ name: String, _ value: inout Value?) throws
}

struct ColumnNames: ColumnVisitor {
    private(set) var names: [String] = []
    let isReading = false

    mutating func column<Value: ColumnValue>(_ name: String, _ value: inout Value) { names.append(name) }
    mutating func column<Value: ColumnValue>(_ name: String, _ value: inout Value?) { names.append(name) }
    mutating func word<Value: RawRepresentable<String>>(_ name: String, _ value: inout Value) { names.append(name) }
    mutating func word<Value: RawRepresentable<String>>(_ name: String, _ value: inout Value?) { names.append(name) }
    mutating func json<Value: Codable>(_ name: String, _ value: inout Value?) { names.append(name) }
    mutating func lenientJSON<Value: Codable>(_ name: String, _ value: inout Value?) { names.append(name) }
}

struct ColumnValues: ColumnVisitor {
    var values: [(any DatabaseValueConvertible)?] = []
    let isReading = false

    mutating func column<Value: ColumnValue>(_ name: String, _ value: inout Value) {
        values.append(value)
    }

    mutating func column<Value: ColumnValue>(_ name: String, _ value: inout Value?) {
        values.append(value)
    }

    mutating func word<Value: RawRepresentable<String>>(_ name: String, _ value: inout Value) {
        values.append(value.rawValue)
    }

    mutating func word<Value: RawRepresentable<String>>(_ name: String, _ value: inout Value?) {
        values.append(value?.rawValue)
    }

    mutating func json<Value: Codable>(_ name: String, _ value: inout Value?) throws {
        values.append(try StoreJSON.text(value))
    }

    mutating func lenientJSON<Value: Codable>(_ name: String, _ value: inout Value?) throws {
        values.append(try StoreJSON.text(value))
    }
}

struct ColumnReader: ColumnVisitor {
    let row: Row
    let isReading = true
    private var index = 0

    init(row: Row) { self.row = row }

    mutating func column<Value: ColumnValue>(_ name: String, _ value: inout Value) throws {
        value = try row.decode(Value.self, atIndex: next())
    }

    mutating func column<Value: ColumnValue>(_ name: String, _ value: inout Value?) throws {
        value = try row.decode(Value?.self, atIndex: next())
    }

    mutating func word<Value: RawRepresentable<String>>(_ name: String, _ value: inout Value) throws {
        guard let known = Value(rawValue: try row.decode(String.self, atIndex: next())) else { throw Unreadable() }
        value = known
    }

    mutating func word<Value: RawRepresentable<String>>(_ name: String, _ value: inout Value?) throws {
        value = try row.decode(String?.self, atIndex: next()).flatMap(Value.init)
    }

    mutating func json<Value: Codable>(_ name: String, _ value: inout Value?) throws {
        value = try StoreJSON.value(try row.decode(String?.self, atIndex: next()))
    }

    mutating func lenientJSON<Value: Codable>(_ name: String, _ value: inout Value?) throws {
        value = try? StoreJSON.value(try row.decode(String?.self, atIndex: next()))
    }

    struct Unreadable: Error {}

    private mutating func next() -> Int {
        defer { index += 1 }
        return index
    }
}

/// Values as JSON in text columns.
enum StoreJSON {
    static func text<Value: Encodable>(_ value: Value?) throws -> String? {
        guard let value else { return nil }
        return String(decoding: try encoder().encode(value), as: UTF8.self)
    }

    static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return encoder
    }

    static func value<Value: Decodable>(_ text: String?) throws -> Value? {
        guard let text else { return nil }
        return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }
}
