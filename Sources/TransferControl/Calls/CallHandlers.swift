// SPDX-License-Identifier: MIT

import TransferModel

/// A queue's handlers, one for each call that it has.
package struct CallHandlers<Queue: Sendable>: Sendable {
    private struct Handler<Call: QueueCall>: Sendable {
        let body: @Sendable (Queue, Call) async throws -> Call.Reply
    }

    /// By method, each a ``Handler`` of the method's call.
    private var handlers: [String: any Sendable] = [:]

    package init() {}

    /// Replaces an earlier handler of these calls.
    package mutating func reply<Call: QueueCall>(
        to call: Call.Type, _ body: @escaping @Sendable (Queue, Call) async throws -> Call.Reply
    ) {
        handlers[Call.method] = Handler(body: body)
    }

    /// ``reply(to:_:)`` for calls whose reply has no content.
    package mutating func handle<Call: QueueCall>(
        _ call: Call.Type, _ body: @escaping @Sendable (Queue, Call) async throws -> Void
    ) where Call.Reply == Done {
        reply(to: call) { queue, call in
            try await body(queue, call)
            return Done()
        }
    }

    /// - Throws: code `usage` for a call with an ability that the queue lacks; ``ControlError`` without a handler.
    package func call<Call: QueueCall>(_ call: Call, on queue: Queue) async throws -> Call.Reply {
        guard let handler = handlers[Call.method] as? Handler<Call> else {
            if let ability = Call.ability { throw TransferError(.usage, .serviceNeeded, ability) }
            throw ControlError(.methodNotFound, "this queue has no \(Call.method)")
        }
        return try await handler.body(queue, call)
    }
}
