// SPDX-License-Identifier: MIT

import FoundationEssentials
@testable import TransferControl
@testable import TransferModel

extension FuzzTarget {
    /// The control protocol, at both ends.
    static let messages = [FuzzTarget("requests", requests), FuzzTarget("replies", replies), FuzzTarget("json", json)]

    /// What the service reads. The direct reader must mean what Foundation's coders mean.
    private static func requests(_ bytes: Bytes) throws {
        var framer = LineFramer(maximum: 1 << 16)
        for output in framer.receive(bytes) {
            guard case .line(let line) = output else { continue }
            try request(line)
        }
        try promise(framer.heldBytes <= 1 << 16, "\(framer.heldBytes) bytes of one line")
    }

    private static func request(_ line: [UInt8]) throws {
        let read = IncomingRequest.read(line)
        if case .success(let call) = read.content { try callKeeps(call) }
        // Short messages are padded, so that the direct reader takes them.
        guard String(validating: line, as: UTF8.self) != nil else { return }
        let long = line + Array(repeating: UInt8(ascii: " "), count: max(0, 1025 - line.count))
        guard let direct = IncomingRequest.directly(long) else { return }
        let coded = try ControlCoding.read(IncomingRequest.self, from: line)
        guard case .success(let left) = direct.content, case .success(let right) = coded.content else {
            throw Violation(description: "only the direct reader takes it")
        }
        try promise(direct.id == coded.id, "another ID")
        let (one, two) = (left as? AddParams, right as? AddParams)
        try promise(one != nil && one == two, "another addition")
    }

    /// What was read and is written again is the same call.
    private static func callKeeps(_ call: any ControlCall) throws {
        let written = try ControlCoding.json(OutgoingRequest(id: .number(1), call: call))
        try promise(!written.contains(10), "a message of two lines")
        guard case .success(let again) = IncomingRequest.read(Array(written)).content else {
            throw Violation(description: "what was written is not read: \(String(decoding: written, as: UTF8.self))")
        }
        try promise(
            AnyHashable(again) == AnyHashable(call), "the call changes: \(String(decoding: written, as: UTF8.self))")
    }

    /// What a client reads.
    private static func replies(_ bytes: Bytes) throws {
        for line in bytes.split(separator: 10).prefix(16) {
            guard case .update(let update) = try? ServerMessage.read(Array(line)) else { continue }
            let written = Array(try ControlCoding.line(update).dropLast())
            try promise(!written.contains(10), "an update of two lines")
            let again = try ControlCoding.read(WireUpdate.self, from: written)
            try promise(again.subscription == update.subscription, "another subscription")
        }
    }

    /// A text must be read as Foundation reads it. Its input is valid UTF-8; half of a surrogate pair, which Foundation
    /// refuses, becomes U+FFFD.
    private static func json(_ bytes: Bytes) throws {
        guard String(validating: bytes, as: UTF8.self) != nil else { return }
        let found = try? JSONReader.read(bytes.array) { json in
            let text = try json.string()
            guard (try? json.peek()) == nil else { throw JSONReader.Problem() }
            return text
        }
        guard let found, !found.unicodeScalars.contains("\u{fffd}") else { return }
        let known = try? JSONDecoder().decode(String.self, from: Data(bytes))
        try promise(known == found, "a text is read as \(found.debugDescription), not \(known.debugDescription)")
    }
}
