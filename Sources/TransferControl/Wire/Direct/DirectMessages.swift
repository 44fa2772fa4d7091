// SPDX-License-Identifier: MIT

import TransferModel

extension Reply: DirectlyWritten where Value: DirectlyWritten {
    func write(to json: inout JSONWriter) throws {
        json.beginMessage()
        json.key("id")
        try id.write(to: &json)
        json.key("result")
        try result.write(to: &json)
        json.endObject()
    }
}

extension Reply: DirectlyRead where Value: DirectlyRead {
    static func read(from json: inout JSONReader) throws -> Reply {
        var (id, result): (MessageID?, Value?)
        try json.take("{")
        repeat {
            switch try json.messageKey() {
            case .id: id = try MessageID.read(from: &json)
            case .result: result = try Value.read(from: &json)
            default: _ = try json.value()
            }
        } while try json.takes(",")
        try json.take("}")
        guard let id, let result else { throw JSONReader.Problem() }
        return Reply(id: id, result: result)
    }
}

extension Notice: DirectlyWritten where Params: DirectlyWritten {
    func write(to json: inout JSONWriter) throws {
        json.beginMessage()
        json.key("method")
        json.write(method)
        json.key("params")
        try params.write(to: &json)
        json.endObject()
    }
}

extension MessageID: DirectlyCoded {
    func write(to json: inout JSONWriter) throws {
        switch self {
        case .number(let number): json.write(number)
        case .text(let text): json.write(text)
        }
    }

    static func read(from json: inout JSONReader) throws -> MessageID {
        try json.peek() == UInt8(ascii: "\"") ? .text(try json.string()) : .number(try json.integer(Int.self))
    }
}

extension WireUpdate: DirectlyWritten {
    func write(to json: inout JSONWriter) throws {
        json.beginObject()
        json.key("subscription")
        json.write(subscription)
        switch content {
        case .update(.snapshot(let snapshot)):
            json.key("snapshot")
            try snapshot.write(to: &json)
        case .update(.events(let events)):
            json.key("events")
            try events.write(to: &json)
        case .update(.order(let order)):
            json.key("order")
            try order.write(to: &json)
        case .update(.removed(let ids)):
            json.key("removed")
            try ids.write(to: &json)
        case .update(.limits(let limits)):
            json.key("limits")
            try limits.write(to: &json)
        case .window(let window):
            json.key("window")
            try window.write(to: &json)
        case .ended:
            json.key("ended")
            json.write(true)
        }
        json.endObject()
    }
}

extension WireUpdate: DirectlyRead {
    /// - Throws: also for an unknown kind of update.
    static func read(from json: inout JSONReader) throws -> WireUpdate {
        var (subscription, content): (Int?, Content?)
        try json.take("{")
        repeat {
            switch String(decoding: try json.key(), as: UTF8.self) {
            case "subscription": subscription = try json.integer(Int.self)
            case "snapshot": content = .update(.snapshot(try QueueSnapshot.read(from: &json)))
            case "events": content = .update(.events(try [TransferEvent].read(from: &json)))
            case "order": content = .update(.order(try [TransferID].read(from: &json)))
            case "removed": content = .update(.removed(try [TransferID].read(from: &json)))
            case "limits": content = .update(.limits(try QueueLimits.read(from: &json)))
            case "window": content = .window(try WindowUpdate.read(from: &json))
            case "ended":
                _ = try json.bool()
                content = .ended
            default: _ = try json.value()
            }
        } while try json.takes(",")
        try json.take("}")
        guard let subscription, let content else { throw JSONReader.Problem() }
        return WireUpdate(subscription: subscription, content)
    }
}

extension JSONWriter {
    fileprivate mutating func beginMessage() {
        beginObject()
        key("jsonrpc")
        write("2.0")
    }
}

extension JSONReader {
    /// The name of a message's member; `nil` for an unknown one.
    fileprivate mutating func messageKey() throws -> MessageKey? {
        MessageKey(rawValue: String(decoding: try key(), as: UTF8.self))
    }
}

extension ServerMessage {
    /// Classifies `line` without decoding a reply's result: the caller does that.
    static func read(_ line: [UInt8]) throws -> ServerMessage {
        let known = try? JSONReader.read(line) { json -> ServerMessage? in
            var id: MessageID?
            var isUpdate = false
            try json.take("{")
            repeat {
                switch try json.messageKey() {
                case .id: id = try MessageID.read(from: &json)
                case .method: isUpdate = try json.string() == ControlNotice.update
                case .params where isUpdate: return .update(try WireUpdate.read(from: &json))
                case .result where id != nil: return id.map { .answer($0) }
                case .error: return nil
                default: _ = try json.value()
                }
            } while try json.takes(",")
            return nil
        }
        if let known = known ?? nil { return known }
        return try ControlCoding.read(ServerMessage.self, from: line)
    }
}
