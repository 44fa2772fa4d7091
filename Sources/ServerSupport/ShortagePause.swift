// SPDX-License-Identifier: MIT

import Glibc
package import NIOCore

/// Accepts nothing for a second when descriptors or memory have run out. The connection stays pending, so that NIO
/// would attempt it again without a pause.
///
/// A handler of a listening channel, before the one that accepts.
package final class ShortagePause: ChannelInboundHandler, Sendable {
    package typealias InboundIn = any Channel

    package init() {}

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) {
            let channel = context.channel
            _ = channel.setOption(.autoRead, value: false)
            channel.eventLoop.scheduleTask(in: .seconds(1)) { _ = channel.setOption(.autoRead, value: true) }
        }
        context.fireErrorCaught(error)
    }
}
