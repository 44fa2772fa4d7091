// SPDX-License-Identifier: MIT

import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// Connections as this server wants them: known to it, and with buffers that fit its rate.
struct ServerChannel: ServerChildChannel {
    let base: HTTP1Channel
    let connections: OpenConnections
    let rate: Int?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        connections.add(channel)
        // Several dozen pieces are taken in ahead of a handler that is slow on purpose.
        let pieces = rate.map { min(8 * 1024, max(1024, $0 / 64)) } ?? 256 * 1024
        let allocator: any RecvByteBufferAllocator = rate == nil
            ? AdaptiveRecvByteBufferAllocator(minimum: 2048, initial: 16 * 1024, maximum: pieces)
            : FixedSizeRecvByteBufferAllocator(capacity: pieces)
        return channel.eventLoop.makeCompletedFuture {
            let options = channel.syncOptions
            try options?.setOption(ChannelOptions.recvAllocator, value: allocator)
            try options?.setOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
            if let rate {
                // What the kernel takes in counts as sent at the other end; little of it, or a slow upload looks done
                // at once.
                let window = min(256 * 1024, max(8 * 1024, rate / 4))
                try options?.setOption(ChannelOptions.socketOption(.so_rcvbuf), value: numericCast(window))
                try options?.setOption(ChannelOptions.socketOption(.so_sndbuf), value: numericCast(window))
            }
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

/// Every connection that stands, so that all can be ended.
final class OpenConnections: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        channels.withLock { $0[id] = channel }
        channel.closeFuture.whenComplete { _ in _ = self.channels.withLock { $0.removeValue(forKey: id) } }
    }

    func closeAll() {
        for channel in channels.withLock({ Array($0.values) }) { channel.close(promise: nil) }
    }
}
