// SPDX-License-Identifier: MIT

/// A method of the control protocol: its name, its params (the members of the call), its reply, and its effect on the
/// server. Client, server and the list of known methods follow from the declaration.
protocol ControlCall: Codable, Hashable, Sendable {
    associatedtype Reply: Codable & Sendable = Done

    static var method: String { get }

    /// The call without `params`; `nil` if it needs them.
    static var bare: Self? { get }

    /// Whether the call has params. If not, none are written, and those of a client are ignored.
    static var hasParams: Bool { get }

    /// Whether the call may take minutes; the client then waits that long.
    var mayTakeLong: Bool { get }

    /// Whether the client's later calls wait for this one.
    var keepsOrder: Bool { get }

    /// On the server. Its errors become the error of the reply.
    /// - Parameter bytes: of the message.
    func carryOut(in session: ServerSession, bytes: Int) async throws -> Reply

    /// Called on the server after the reply has been sent.
    func replied(in session: ServerSession)
}

extension ControlCall {
    static var bare: Self? { nil }
    static var hasParams: Bool { true }
    var mayTakeLong: Bool { false }
    var keepsOrder: Bool { !mayTakeLong }
    func replied(in session: ServerSession) {}
}

/// A call without params.
protocol PlainCall: ControlCall {
    init()
}

extension PlainCall {
    static var bare: Self? { Self() }
    static var hasParams: Bool { false }
}

/// A call whose params are those of another value.
protocol ValueCall: ControlCall {
    associatedtype Value: Codable & Hashable & Sendable
    var value: Value { get }
    init(_ value: Value)
}

extension ValueCall {
    init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

/// The known methods.
enum ControlCalls {
    /// In the order in which errors list them.
    static let all: [any ControlCall.Type] = [
        ClientHello.self, AddParams.self, ListCall.self, WindowCall.self, SnapshotCall.self, InfoCall.self,
        PerformCall.self, UndoCall.self,
        RelocateCall.self, SubscribeCall.self, UnsubscribeCall.self, HistoryCall.self, ClearCall.self,
        GetLimitsCall.self, SetLimitsCall.self, GetTimetableCall.self, SetTimetableCall.self, RatesCall.self,
        LogCall.self, SessionEventsCall.self,
        AcknowledgeCall.self, StatusCall.self, AttendCall.self, PingCall.self, ShutDownCall.self,
    ]

    static let byMethod = Dictionary(uniqueKeysWithValues: all.map { ($0.method, $0) })
}

/// The reply without content.
struct Done: Sendable, Hashable, Codable {}
