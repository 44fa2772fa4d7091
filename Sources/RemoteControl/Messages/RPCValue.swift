// SPDX-License-Identifier: MIT

import TransferControl

/// A JSON value of a request or a response.
enum RPCValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([RPCValue])
    /// In the order of the text. Of two members with the same name the first counts.
    case object([Member])

    struct Member: Sendable, Hashable {
        var name: String
        var value: RPCValue

        init(_ name: String, _ value: RPCValue) { (self.name, self.value) = (name, value) }
    }

    /// aria2's way to write a number.
    static func text(_ number: some BinaryInteger) -> RPCValue { .string(String(number)) }

    subscript(name: String) -> RPCValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    var string: String? { if case .string(let text) = self { text } else { nil } }
    var array: [RPCValue]? { if case .array(let values) = self { values } else { nil } }
    /// `nil` for what is no whole number.
    var integer: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }
}

extension RPCValue {
    /// More levels are refused: reading and writing recurse.
    static let maximumDepth = 32

    /// - Returns: `nil` for what is not JSON (RFC 8259), not UTF-8, or too deep.
    init?(json bytes: [UInt8]) {
        guard String(validating: bytes, as: UTF8.self) != nil,
            let value = try? JSONReader.read(
                bytes,
                { reader in
                    let value = try RPCValue(&reader, depth: 0)
                    try reader.takeEnd()
                    return value
                })
        else { return nil }
        self = value
    }

    private init(_ reader: inout JSONReader, depth: Int) throws {
        guard depth < Self.maximumDepth else { throw JSONReader.Problem() }
        switch try reader.peek() {
        case UInt8(ascii: "{"):
            var members: [Member] = []
            try Self.elements(&reader, "{", "}") { reader in
                let name = try reader.string()
                try reader.take(":")
                members.append(Member(name, try RPCValue(&reader, depth: depth + 1)))
            }
            self = .object(members)
        case UInt8(ascii: "["):
            var values: [RPCValue] = []
            try Self.elements(&reader, "[", "]") { values.append(try RPCValue(&$0, depth: depth + 1)) }
            self = .array(values)
        case UInt8(ascii: "\""): self = .string(try reader.string())
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool(try reader.bool())
        case UInt8(ascii: "n"):
            guard try reader.takesNull() else { throw JSONReader.Problem() }
            self = .null
        default: self = .number(try reader.double())
        }
    }

    private static func elements(
        _ reader: inout JSONReader, _ open: Unicode.Scalar, _ close: Unicode.Scalar,
        _ element: (inout JSONReader) throws -> Void
    ) throws {
        try reader.take(open)
        guard try !reader.takes(close) else { return }
        repeat { try element(&reader) } while try reader.takes(",")
        try reader.take(close)
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.write(json: "null".utf8)
        case .bool(let value): writer.write(value)
        case .number(let number): writer.write(number)
        case .string(let text): writer.write(text)
        case .array(let values):
            writer.beginArray()
            for value in values {
                writer.element()
                value.write(to: &writer)
            }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            for member in members {
                writer.key(text: member.name)
                member.value.write(to: &writer)
            }
            writer.endObject()
        }
    }
}
