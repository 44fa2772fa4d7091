// SPDX-License-Identifier: MIT

import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

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
        let readsOnce = rate == nil && (isEncrypted || !connections.buffers.isForFew)
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
                let input = InputGuard()
                try pipeline.addHandler(input, position: .before(decoder))
                try pipeline.addHandler(HeadGuard(input), position: .after(decoder))
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
