// SPDX-License-Identifier: MIT

import TransferModel

/// A request on its way out.
struct OutgoingRequest: Encodable {
    let id: MessageID
    let call: any QueueCall

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MessageKey.self)
        try container.encodeVersion()
        try container.encode(id, forKey: .id)
        let type = type(of: call)
        try container.encode(type.method, forKey: .method)
        if type.hasParams { try container.encode(call, forKey: .params) }
    }
}

/// A message as the server receives it. What is wrong with it becomes the error of the reply.
struct IncomingRequest: Decodable {
    /// The ID of the reply; `nil` if none can be read.
    let id: MessageID?
    /// Whether the client expects no reply (JSON-RPC 2.0, section 4.1).
    let isNotification: Bool
    let content: Result<any ControlCall, ControlError>

    init(_ id: MessageID?, isNotification: Bool = false, _ content: Result<any ControlCall, ControlError>) {
        self.id = id
        self.isNotification = isNotification
        self.content = content
    }

    static func read(_ line: [UInt8]) -> IncomingRequest {
        guard String(validating: line, as: UTF8.self) != nil else {
            return IncomingRequest(nil, .failure(ControlError(.parseError, "the message is not valid UTF-8")))
        }
        if let request = directly(line) { return request }
        do {
            return try ControlCoding.read(IncomingRequest.self, from: line)
        } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
            return IncomingRequest(
                nil,
                .failure(
                    ControlError(
                        .invalidRequest, "a message is one JSON object; batches are not spoken here")))
        } catch {
            return IncomingRequest(nil, .failure(ControlError(.parseError, "the message is not valid JSON")))
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: MessageKey.self)
        let hasID = container.contains(.id)
        let id = try? container.decode(MessageID.self, forKey: .id)
        guard (try? container.decode(String.self, forKey: .jsonrpc)) == "2.0" else {
            self.init(id, .failure(ControlError(.invalidRequest, "jsonrpc must be \"2.0\"")))
            return
        }
        guard id != nil || !hasID else {
            self.init(nil, .failure(ControlError(.invalidRequest, "id must be a whole number or a text")))
            return
        }
        guard let name = try? container.decode(String.self, forKey: .method) else {
            self.init(id, .failure(ControlError(.invalidRequest, "method must be a text")))
            return
        }
        guard let type = ControlCalls.byMethod[name] else {
            let known = ControlCalls.all.map { $0.method }.joined(separator: ", ")
            self.init(
                id, isNotification: !hasID,
                .failure(
                    ControlError(
                        .methodNotFound, "the method is not known here; known are \(known)")))
            return
        }
        do {
            self.init(id, isNotification: !hasID, .success(try Self.call(type, from: container)))
        } catch let error as DecodingError {
            self.init(id, isNotification: !hasID, .failure(ControlError(error)))
        } catch let error as TransferError {
            self.init(id, isNotification: !hasID, .failure(ControlError(error)))
        } catch {
            // The decoder's own, for a number that no type holds.
            self.init(
                id, isNotification: !hasID,
                .failure(ControlError(.invalidParams, "params hold a value that cannot be read")))
        }
    }

    /// Unknown members of the params are ignored.
    private static func call<Call: ControlCall>(
        _ type: Call.Type, from container: KeyedDecodingContainer<MessageKey>
    ) throws -> Call {
        guard let bare = Call.bare else { return try container.decode(Call.self, forKey: .params) }
        guard Call.hasParams else { return bare }
        return try container.decodeIfPresent(Call.self, forKey: .params) ?? bare
    }
}
