// SPDX-License-Identifier: MIT

import TransferModel

/// A method of the control protocol as the server handles it. The client, the server and the list of known methods
/// follow from the declaration.
protocol ControlCall: QueueCall {
    /// The call without `params`; `nil` if it needs them.
    static var bare: Self? { get }

    /// Whether the client's later calls wait for this one.
    var keepsOrder: Bool { get }

    /// Validates what a client has sent, beyond its form.
    func check() throws(TransferError)

    /// On the server. Its errors become the error of the reply. By default, the queue carries it out.
    /// - Parameter bytes: of the message.
    func carryOut(in session: ServerSession, bytes: Int) async throws -> Reply

    /// Called on the server after the reply has been sent.
    func replied(in session: ServerSession)
}

extension ControlCall {
    static var bare: Self? { nil }
    var keepsOrder: Bool { !mayTakeLong }
    func check() throws(TransferError) {}
    func replied(in session: ServerSession) {}

    func carryOut(in session: ServerSession, bytes: Int) async throws -> Reply {
        try check()
        return try await session.queue.call(self)
    }
}

/// A call without params.
package protocol PlainCall: QueueCall {
    init()
}

extension PlainCall {
    package static var hasParams: Bool { false }
}

extension ControlCall where Self: PlainCall {
    static var bare: Self? { Self() }
}

/// A call whose params are those of another value.
package protocol ValueCall: QueueCall {
    associatedtype Value: Codable & Hashable & Sendable
    var value: Value { get }
    init(_ value: Value)
}

extension ValueCall {
    package init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
    package func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
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
