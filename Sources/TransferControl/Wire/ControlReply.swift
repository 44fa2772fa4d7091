// SPDX-License-Identifier: MIT

import TransferModel

/// The server's description, in its first line and in the reply to `hello`.
struct ServerHello: Sendable, Hashable, Codable {
    /// ``ControlProtocol/version``
    var `protocol`: Int
    /// The program's version.
    var version: String
    var pid: Int32
    /// Maximum bytes of a request.
    var maximumMessage: Int
    /// The user's folder there: the base of relative paths for clients of other machines.
    var home: String?
}

/// An reply to a call that succeeded.
struct Reply<Value: Codable>: Codable {
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

/// An error reply.
struct ErrorReply: Encodable {
    /// `null` on the wire if the request's ID could not be read.
    var id: MessageID?
    var error: ControlError

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MessageKey.self)
        try container.encodeVersion()
        try container.encode(id, forKey: .id)
        try container.encode(error, forKey: .error)
    }
}

/// A notification of the server.
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
