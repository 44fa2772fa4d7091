// SPDX-License-Identifier: MIT

import Synchronization

/// The open connections, and among them the WebSockets that are notified of changes: those that have sent the secret.
final class NoticeListeners: Sendable {
    private struct State {
        var connections = 0
        var last = 0
        var streams: [Int: AsyncStream<RPCValue>.Continuation] = [:]
        var authorized: Set<Int> = []
    }

    /// A connection that reads slowly loses the oldest notices.
    private static let mostUnread = 1000
    private static let mostConnections = 128

    private let state = Mutex(State())

    /// - Returns: whether it is one of not too many; then ``closed()`` follows.
    func opened() -> Bool {
        state.withLock { state in
            guard state.connections < Self.mostConnections else { return false }
            state.connections += 1
            return true
        }
    }

    func closed() { state.withLock { $0.connections -= 1 } }

    func add() -> (number: Int, notices: AsyncStream<RPCValue>) {
        let (stream, continuation) = AsyncStream<RPCValue>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.mostUnread))
        let number = state.withLock { state in
            state.last += 1
            state.streams[state.last] = continuation
            return state.last
        }
        return (number, stream)
    }

    func authorize(_ number: Int) {
        state.withLock { state in _ = state.authorized.insert(number) }
    }

    func remove(_ number: Int) {
        state.withLock { state in
            state.streams[number] = nil
            state.authorized.remove(number)
        }
    }

    func post(_ notices: [RemoteIndex.Notice]) {
        guard !notices.isEmpty else { return }
        let streams = state.withLock { state in state.authorized.compactMap { state.streams[$0] } }
        for notice in notices {
            let gid = RPCValue.object([.init("gid", .string(notice.gid.text))])
            let value = RPCValue.object([
                .init("jsonrpc", .string("2.0")), .init("method", .string(notice.kind.rawValue)),
                .init("params", .array([gid])),
            ])
            for stream in streams { stream.yield(value) }
        }
    }
}
