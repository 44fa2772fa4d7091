// SPDX-License-Identifier: MIT

import FoundationEssentials
import TransferModel

/// Messages as lines of JSON, in both directions.
enum ControlCoding {
    /// A message with its line's end. JSON's own line breaks are escaped, so there is no other.
    /// - Parameter words: the sentences of transfers.
    static func line(_ message: some Encodable, words: TransferWords = .plain) throws -> Data {
        if let message = message as? any DirectlyWritten {
            var json = JSONWriter()
            json.words = words
            try message.write(to: &json)
            json.endLine()
            return Data(json.bytes)
        }
        var line = try json(message, words: words)
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// Without a line's end.
    static func json(_ message: some Encodable, words: TransferWords = .plain) throws -> Data {
        if let request = message as? OutgoingRequest,
            let direct = try request.directJSON({ try encode($0, isRequest: true, words) })
        {
            return Data(direct)
        }
        return try encode(message, isRequest: message is OutgoingRequest, words)
    }

    private static func encode(_ message: some Encodable, isRequest: Bool, _ words: TransferWords) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // Only requests contain secrets; the service never returns one.
        encoder.userInfo[.secrets] = isRequest ? SecretCoding.plain : .redacted
        encoder.userInfo[.words] = words
        // A rate that is no number must not cost the message it is in.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try encoder.encode(message)
    }

    static func read<Message: Decodable>(_ type: Message.Type, from line: [UInt8]) throws -> Message {
        if let direct = type as? any DirectlyRead.Type {
            let read = try JSONReader.read(line) { json -> Any in
                let message = try direct.read(from: &json)
                try json.takeEnd()
                return message
            }
            if let message = read as? Message { return message }
        }
        return try decode(type, from: Data(line))
    }

    /// Decodes with Foundation's decoder; `json` may contain unknown members.
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
