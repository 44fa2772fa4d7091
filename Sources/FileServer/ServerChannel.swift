// SPDX-License-Identifier: MIT

import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import Synchronization

/// Configures connections: registration, and buffers that match the rate limit.
struct ServerChannel: ServerChildChannel {
    let base: HTTP1Channel
    let connections: OpenConnections
    let rate: Int?
    let isEncrypted: Bool

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        guard connections.add(channel) else {
            return channel.close().flatMap { channel.eventLoop.makeFailedFuture(ChannelError.alreadyClosed) }
        }
        let allocator: any RecvByteBufferAllocator
        if let rate {
            // Otherwise dozens of chunks would be buffered for a throttled handler.
            allocator = FixedSizeRecvByteBufferAllocator(capacity: min(8 * 1024, max(1024, rate / 64)))
        } else {
            allocator = SharedReceiveAllocator(connections.buffers)
        }
        let readsOnce = rate == nil && (isEncrypted || !connections.buffers.allowsSeveralReads)
        return channel.eventLoop.makeCompletedFuture {
            let options = channel.syncOptions
            try options?.setOption(ChannelOptions.recvAllocator, value: allocator)
            if readsOnce { try options?.setOption(ChannelOptions.maxMessagesPerRead, value: 1) }
            try options?.setOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
            if let rate {
                // Bytes in the kernel's buffer count as sent at the client; keep it small, or a throttled upload looks
                // complete.
                let window = min(256 * 1024, max(8 * 1024, rate / 4))
                try options?.setOption(ChannelOptions.socketOption(.so_rcvbuf), value: numericCast(window))
                try options?.setOption(ChannelOptions.socketOption(.so_sndbuf), value: numericCast(window))
            }
        }.flatMap { base.setup(channel: channel, logger: logger) }
            .flatMapThrowing { value in
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
                try pipeline.addHandler(HeadGuard(), position: .after(decoder))
                return value
            }
    }

    /// On the thread of the connection's event loop: a request changes threads only for its files.
    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopExecutor(eventLoop: value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
    }
}

/// Runs tasks on an event loop.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

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
