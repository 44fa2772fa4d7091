// SPDX-License-Identifier: MIT

import Glibc
import NIOCore

/// Next to the socket in the pipeline: an end from here bypasses TLS, like that of a cable.
///
/// Used on its channel's event loop only.
final class RawEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Resets the connection.
    func reset() {
        guard let context else { return }
        let abort = linger(l_onoff: 1, l_linger: 0)
        _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(abort)
        context.close(mode: .all, promise: nil)
    }

    /// Ends the stream; the peer's data can still be read.
    func finishSending() { context?.close(mode: .output, promise: nil) }
}
