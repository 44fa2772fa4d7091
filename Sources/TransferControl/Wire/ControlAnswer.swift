// SPDX-License-Identifier: MIT

import TransferModel

/// What the server says of itself, in its first line and in answer to `hello`.
struct ServerHello: Sendable, Hashable, Codable {
    /// ``ControlProtocol/version``
    var `protocol`: Int
    /// Of the program.
    var version: String
    var pid: Int32
    /// Bytes of one request, at most.
    var maximumMessage: Int
}

/// An answer that went well.
struct Answer<Value: Codable>: Codable {
    var id: MessageID
    var result: Value

    init(id: MessageID, result: Value) {
        self.id = id
        self.result = result
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: MessageKey.self)
        id = try container.decode(MessageID.self, forKey: .id)
        result = try container.decode(Value.self, forKey: .result)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MessageKey.self)
        try container.encodeVersion()
        try container.encode(id, forKey: .id)
        try container.encode(result, forKey: .result)
    }
}

/// An answer that is an error.
struct ErrorAnswer: Encodable {
    /// `null` on the wire where the request's could not be read.
    var id: MessageID?
    var error: ControlError

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MessageKey.self)
        try container.encodeVersion()
        try container.encode(id, forKey: .id)
        try container.encode(error, forKey: .error)
    }
}

/// Something the server tells without being asked.
struct Notice<Params: Encodable>: Encodable {
    var method: String
    var params: Params

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MessageKey.self)
        try container.encodeVersion()
        try container.encode(method, forKey: .method)
        try container.encode(params, forKey: .params)
    }
}
