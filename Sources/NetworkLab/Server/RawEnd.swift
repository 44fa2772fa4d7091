// SPDX-License-Identifier: MIT

import Glibc
import NIOCore

/// The place in a pipeline right at the socket: an end from here passes TLS by, as that of a cable would.
///
/// Used on its channel's event loop alone.
final class RawEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// The peer sees a connection that was reset.
    func reset() {
        guard let context else { return }
        let abort = linger(l_onoff: 1, l_linger: 0)
        _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(abort)
        context.close(mode: .all, promise: nil)
    }

    /// The peer sees the end of the stream; what it sends can still be read.
    func finishSending() { context?.close(mode: .output, promise: nil) }
}
