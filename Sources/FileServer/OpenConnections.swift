// SPDX-License-Identifier: MIT

import NIOCore
import Synchronization

/// All open connections, to close them at shutdown and to make room.
final class OpenConnections: Sendable {
    private struct State {
        var table: ConnectionTable<ObjectIdentifier>
        var channels: [ObjectIdentifier: any Channel] = [:]
    }

    let buffers = ReceiveBuffers()
    private let state: Mutex<State>

    init(limits: FileServerConfiguration.Limits) {
        state = Mutex(
            State(table: ConnectionTable(limit: limits.connections, limitPerAddress: limits.connectionsPerAddress)))
    }

    /// Closes another connection if the table is full. On the channel's event loop.
    /// - Returns: `false` if this one must be closed.
    func add(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let (isAdmitted, replaced) = state.withLock { state -> (Bool, (any Channel)?) in
            defer { buffers.adapt(to: state.channels.count) }
            switch state.table.open(id, from: channel.remoteAddress?.ipAddress ?? "") {
            case .refused: return (false, nil)
            case .admitted:
                state.channels[id] = channel
                return (true, nil)
            case .replaces(let other):
                state.channels[id] = channel
                return (true, state.channels.removeValue(forKey: other))
            }
        }
        replaced?.close(promise: nil)
        guard isAdmitted else { return false }
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { state in
                state.table.close(id)
                state.channels[id] = nil
                self.buffers.adapt(to: state.channels.count)
            }
        }
        return true
    }

    /// Whether a request is in progress.
    func setBusy(_ channel: any Channel, _ isBusy: Bool) {
        state.withLock { $0.table.setBusy(ObjectIdentifier(channel), isBusy) }
    }

    func closeAll() {
        for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
    }
}
