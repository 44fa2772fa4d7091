// SPDX-License-Identifier: MIT

import FoundationEssentials
import TransferModel

/// Messages as lines of JSON, in both directions.
enum ControlCoding {
    /// A message with its line end. JSON escapes line breaks, so there is no other.
    static func line(_ message: some Encodable) throws -> Data {
        if let message = message as? any DirectlyWritten {
            var json = JSONWriter()
            try message.write(to: &json)
            json.endLine()
            return Data(json.bytes)
        }
        var line = try json(message)
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// Without the line end.
    static func json(_ message: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // Only requests contain secrets; the service never returns one.
        encoder.userInfo[.secrets] = message is OutgoingRequest ? SecretCoding.plain : .redacted
        // A rate that is not finite must not fail its message.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try encoder.encode(message)
    }

    static func read<Message: Decodable>(_ type: Message.Type, from line: [UInt8]) throws -> Message {
        if let direct = type as? any DirectlyRead.Type,
            let message = try JSONReader.read(line, { try direct.read(from: &$0) }) as? Message
        {
            return message
        }
        return try decode(type, from: Data(line))
    }

    /// By Foundation's decoder; `json` may contain unknown members.
    static func decode<Message: Decodable>(_ type: Message.Type, from json: Data) throws -> Message {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try decoder.decode(type, from: json)
    }
}

/// The ID of a request, chosen by the client: an integer or a string (JSON-RPC 2.0, section 4).
enum MessageID: Sendable, Hashable, Codable {
    case number(Int)
    case text(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        }
    }
}

/// The members of every message.
enum MessageKey: String, CodingKey { case jsonrpc, id, method, params, result, error }

extension KeyedEncodingContainer<MessageKey> {
    mutating func encodeVersion() throws { try encode("2.0", forKey: .jsonrpc) }
}
