// SPDX-License-Identifier: MIT

import TransferModel

/// The error of a response, with aria2's codes.
struct RPCFailure: Error, Sendable, Hashable {
    var code: Int
    var message: String
    /// Answered late, so that secrets cannot be tried quickly.
    var isUnauthorized = false

    init(code: Int = 1, _ message: String, isUnauthorized: Bool = false) {
        (self.code, self.message, self.isUnauthorized) = (code, message, isUnauthorized)
    }

    static let parse = RPCFailure(code: -32700, "Parse error.")
    static let invalidRequest = RPCFailure(code: -32600, "Invalid Request.")
    static let invalidParams = RPCFailure(code: -32602, "Invalid params.")
    static let unauthorized = RPCFailure("Unauthorized", isUnauthorized: true)
    static let noBitTorrent = RPCFailure("fileq has no BitTorrent")

    /// Errors of the queue.
    init(_ error: any Error) {
        switch error {
        case let failure as RPCFailure: self = failure
        case let failure as TransferError: self.init(failure.message)
        default: self.init("the queue could not carry it out")
        }
    }

    /// aria2's status for a response over HTTP. Clients read errors only from responses that are none of 2xx.
    var httpStatus: Int { code == 1 || code == -32600 ? 400 : 500 }

    var value: RPCValue {
        .object([.init("code", .number(Double(code))), .init("message", .string(message))])
    }
}

/// One call of a client.
struct RPCRequest: Sendable, Hashable {
    var method: String
    var params: [RPCValue]
}

/// A message of a client.
enum RPCMessage: Sendable, Hashable {
    case single(RPCCall)
    case batch([RPCCall])

    /// Calls of one batch or one `system.multicall`.
    static let maximumCalls = 1000

    /// - Throws: what is answered in place of any response.
    init(_ bytes: [UInt8]) throws(RPCFailure) {
        guard let value = RPCValue(json: bytes) else { throw .parse }
        switch value {
        case .object: self = .single(RPCCall(value))
        case .array(let values):
            guard !values.isEmpty else { throw .invalidRequest }
            guard values.count <= Self.maximumCalls else { throw Self.tooMany }
            self = .batch(values.map(RPCCall.init))
        // aria2 reads no other values.
        default: throw .parse
        }
    }

    static let tooMany = RPCFailure(code: -32600, "a message has at most \(maximumCalls) calls")
}

/// A call as received: what is wrong with it is its response.
struct RPCCall: Sendable, Hashable {
    var id: RPCValue
    var content: Result<RPCRequest, RPCFailure>

    /// As aria2, it does not check `jsonrpc`, which some clients leave out.
    init(_ value: RPCValue) {
        id = value["id"] ?? .null
        switch (value["id"], value["method"], value["params"] ?? .array([])) {
        case (nil, _, _): content = .failure(.invalidRequest)
        case (_, .string(let method)?, .array(let params)):
            content = .success(RPCRequest(method: method, params: params))
        case (_, .string?, _): content = .failure(.invalidParams)
        default: content = .failure(.invalidRequest)
        }
    }
}

/// The parameters of a call, without its token.
struct RPCParams: Sendable {
    let values: [RPCValue]

    init(_ values: [RPCValue]) { self.values = values }

    func optional<Value>(_ index: Int, _ read: (RPCValue) -> Value?) throws(RPCFailure) -> Value? {
        guard index < values.count else { return nil }
        guard let value = read(values[index]) else { throw RPCFailure("The parameter at \(index) has wrong type.") }
        return value
    }

    func required<Value>(_ index: Int, _ read: (RPCValue) -> Value?) throws(RPCFailure) -> Value {
        guard let value = try optional(index, read) else {
            throw RPCFailure("The parameter at \(index) is required but missing.")
        }
        return value
    }

    func strings(_ index: Int) throws(RPCFailure) -> [String]? {
        try optional(index) { $0.array?.compactMap(\.string) }
    }

    /// The options of a call; empty without any.
    func options(_ index: Int) throws(RPCFailure) -> RemoteOptions {
        try optional(index, RemoteOptions.init) ?? RemoteOptions()
    }
}
