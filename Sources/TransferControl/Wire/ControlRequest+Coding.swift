// SPDX-License-Identifier: MIT

import TransferModel

/// A request to send.
struct OutgoingRequest: Encodable {
    let id: MessageID
    let request: ControlRequest

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MessageKey.self)
        try container.encodeVersion()
        try container.encode(id, forKey: .id)
        try container.encode(request.method.rawValue, forKey: .method)
        try request.encodeParams(into: &container)
    }
}

/// A message as the server receives it. Anything invalid becomes the error of the reply.
struct IncomingRequest: Decodable {
    /// The ID for the reply; `nil` if none can be read.
    let id: MessageID?
    /// Whether no reply is expected (JSON-RPC 2.0, section 4.1).
    let isNotification: Bool
    let content: Result<ControlRequest, ControlError>

    private init(_ id: MessageID?, isNotification: Bool = false, _ content: Result<ControlRequest, ControlError>) {
        self.id = id
        self.isNotification = isNotification
        self.content = content
    }

    static func read(_ line: [UInt8]) -> IncomingRequest {
        guard String(validating: line, as: UTF8.self) != nil else {
            return IncomingRequest(nil, .failure(ControlError(.parseError, "the message is not valid UTF-8")))
        }
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
        guard let method = ControlMethod(rawValue: name) else {
            let known = ControlMethod.allCases.map(\.rawValue).joined(separator: ", ")
            self.init(
                id, isNotification: !hasID,
                .failure(
                    ControlError(
                        .methodNotFound, "the method is not known here; known are \(known)")))
            return
        }
        do {
            self.init(id, isNotification: !hasID, .success(try ControlRequest(method, from: container)))
        } catch let error as DecodingError {
            self.init(id, isNotification: !hasID, .failure(ControlError(error)))
        } catch let error as TransferError {
            self.init(id, isNotification: !hasID, .failure(ControlError(error)))
        } catch {
            // The decoder's own error, for a number that no type can represent.
            self.init(
                id, isNotification: !hasID,
                .failure(ControlError(.invalidParams, "params hold a value that cannot be read")))
        }
    }
}

extension ControlRequest {
    /// Decodes the params of `method`; unknown members are ignored.
    init(_ method: ControlMethod, from container: KeyedDecodingContainer<MessageKey>) throws {
        func required<Params: Decodable>(_ type: Params.Type) throws -> Params {
            try container.decode(type, forKey: .params)
        }
        func optional<Params: Decodable>(_ type: Params.Type) throws -> Params? {
            try container.decodeIfPresent(type, forKey: .params)
        }
        switch method {
        case .hello: self = .hello(try required(ClientHello.self))
        case .add: self = .add(try required(AddParams.self))
        case .list: self = .list(try optional(QueueFilter.self) ?? QueueFilter())
        case .snapshot: self = .snapshot
        case .info: self = .info(try required(IDParams.self).id)
        case .perform: self = .perform(try required(PerformParams.self))
        case .relocate: self = .relocate(try required(RelocateParams.self))
        case .getLimits: self = .getLimits
        case .setLimits: self = .setLimits(try required(QueueLimits.self))
        case .getTimetable: self = .getTimetable
        case .setTimetable: self = .setTimetable(try required(LimitTimetable.self))
        case .subscribe:
            let params = try optional(SubscriptionParams.self)
            self = .subscribe(params?.subscription ?? 1, session: params?.session)
        case .unsubscribe: self = .unsubscribe(try optional(SubscriptionParams.self)?.subscription ?? 1)
        case .history:
            let params = try optional(HistoryParams.self)
            self = .history(
                HistoryQuery(
                    filter: params?.filter ?? QueueFilter(), before: params?.before,
                    limit: params?.limit ?? 100))
        case .clear: self = .clear(try optional(QueueFilter.self) ?? QueueFilter())
        case .sessionEvents: self = .sessionEvents(try required(SessionEventsParams.self))
        case .acknowledgeSessionEvents: self = .acknowledgeSessionEvents(try required(AcknowledgeParams.self))
        case .status: self = .status
        case .ping: self = .ping
        case .shutDown: self = .shutDown
        }
    }

    func encodeParams(into container: inout KeyedEncodingContainer<MessageKey>) throws {
        switch self {
        case .snapshot, .getLimits, .getTimetable, .status, .ping, .shutDown: break
        case .hello(let params): try container.encode(params, forKey: .params)
        case .add(let params): try container.encode(params, forKey: .params)
        case .list(let filter), .clear(let filter): try container.encode(filter, forKey: .params)
        case .info(let id): try container.encode(IDParams(id: id), forKey: .params)
        case .perform(let params): try container.encode(params, forKey: .params)
        case .relocate(let params): try container.encode(params, forKey: .params)
        case .setLimits(let limits): try container.encode(limits, forKey: .params)
        case .setTimetable(let timetable): try container.encode(timetable, forKey: .params)
        case .subscribe(let number, let session):
            try container.encode(SubscriptionParams(subscription: number, session: session), forKey: .params)
        case .unsubscribe(let number): try container.encode(SubscriptionParams(subscription: number), forKey: .params)
        case .history(let query): try container.encode(query, forKey: .params)
        case .sessionEvents(let params): try container.encode(params, forKey: .params)
        case .acknowledgeSessionEvents(let params): try container.encode(params, forKey: .params)
        }
    }
}
