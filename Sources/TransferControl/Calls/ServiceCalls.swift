// SPDX-License-Identifier: MIT

// The connection, its subscriptions, and the service itself.

struct ClientHello: ControlCall {
    typealias Reply = ServerHello
    static let method = "hello"
    /// ``ControlProtocol/version``
    var `protocol`: Int
    /// The program's version.
    var version: String
    var program: String?
    /// Whether this client accepts the reserved connection; absent: false.
    var reserved: Bool?

    func carryOut(in session: ServerSession, bytes: Int) async throws -> ServerHello { try session.greeted(self) }
}

struct SubscribeCall: ControlCall {
    static let method = "subscribe"
    static var bare: SubscribeCall? { SubscribeCall() }
    /// Chosen by the client; every message of the subscription has it. Absent: 1.
    var subscription: Int?
    /// Only transfers of this background session; absent: all.
    var session: String?
    /// Only these rows of a list, and sums; absent: the whole queue.
    var window: WindowRequest?

    private var number: Int { subscription ?? 1 }

    init(_ subscription: Int? = nil, session: String? = nil, window: WindowRequest? = nil) {
        self.subscription = subscription
        self.session = session
        self.window = window
    }

    func carryOut(in server: ServerSession, bytes: Int) async throws -> Done {
        if session != nil, window != nil {
            throw ControlError(.invalidParams, "a subscription has a session or a window, not both")
        }
        try server.checkSubscription(number, hasWindow: window != nil)
        return Done()
    }

    func replied(in server: ServerSession) {
        if let window { server.subscribe(number, window) } else { server.subscribe(number, session) }
    }
}

struct UnsubscribeCall: ControlCall {
    static let method = "unsubscribe"
    static var bare: UnsubscribeCall? { UnsubscribeCall() }
    /// Absent: 1.
    var subscription: Int?

    func carryOut(in session: ServerSession, bytes: Int) async throws -> Done {
        await session.unsubscribe(subscription ?? 1)
        return Done()
    }
}

struct StatusCall: ControlCall, PlainCall {
    typealias Reply = ServiceStatus
    static let method = "service.status"

    func carryOut(in session: ServerSession, bytes: Int) async throws -> ServiceStatus {
        try await session.server.status()
    }
}

/// States whether this client notifies its user of ends, or shows them: then the service does not. Until the connection
/// ends, or the next call.
struct AttendCall: ControlCall {
    static let method = "service.attend"
    var attends: Bool

    func carryOut(in session: ServerSession, bytes: Int) async throws -> Done {
        session.attend(attends)
        return Done()
    }
}

/// Asks for nothing but a reply.
struct PingCall: ControlCall, PlainCall {
    static let method = "service.ping"

    func carryOut(in session: ServerSession, bytes: Int) async throws -> Done { Done() }
}

struct ShutDownCall: ControlCall, PlainCall {
    static let method = "service.shutdown"

    func carryOut(in session: ServerSession, bytes: Int) async throws -> Done { Done() }

    func replied(in session: ServerSession) { session.server.handler.shutDownRequested() }
}
