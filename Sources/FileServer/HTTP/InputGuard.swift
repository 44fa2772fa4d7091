// SPDX-License-Identifier: MIT

import NIOCore
import NIOHTTP1

/// Bounds the bytes that the decoder holds; its place is before that.
///
/// The decoder passes on bodies immediately. It collects, without a limit of its own, white space before the value of a
/// field, and all bytes after a request for another protocol.
final class InputGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Bytes without a part of a message among them. Above the decoder's own limit for a head.
    static let mostUndecoded = 128 * 1024
    /// Bytes that are dropped before the connection is closed.
    static let mostDropped = 1024 * 1024

    /// Bytes received since the last part of a message, or since the end of the input.
    private var bytes = 0
    private var hasEnded = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytes += unwrapInboundIn(data).readableBytes
        guard !hasEnded else {
            if bytes > Self.mostDropped { context.close(promise: nil) }
            return
        }
        context.fireChannelRead(data)
        guard !hasEnded, bytes > Self.mostUndecoded else { return }
        end()
        context.fireErrorCaught(HTTPParserError.headerOverflow)
    }

    /// The decoder has passed on a part of a message.
    func partDecoded() {
        if !hasEnded { bytes = 0 }
    }

    /// Drops all further bytes.
    func end() {
        guard !hasEnded else { return }
        (hasEnded, bytes) = (true, 0)
    }
}
