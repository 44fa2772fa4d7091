// SPDX-License-Identifier: MIT

import NIOCore
import NIOHTTP1

/// Closes a connection after a request that is malformed for its version of HTTP, which later handlers do not see:
/// HTTP/1.1 without `Host` (RFC 9112, section 3.2), chunks in HTTP/1.0 (section 6.1). It throws the decoder's error,
/// which becomes 400.
final class HeadGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private var hasFailed = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasFailed else { return }
        if case .head(let head) = unwrapInboundIn(data), let error = Self.error(in: head) {
            hasFailed = true
            context.fireErrorCaught(error)
            return
        }
        context.fireChannelRead(data)
    }

    /// The error of `head`, if any.
    static func error(in head: HTTPRequestHead) -> HTTPParserError? {
        if head.version.major == 1, head.version.minor == 0 {
            return head.headers.contains(name: "Transfer-Encoding") ? .invalidVersion : nil
        }
        return head.headers.contains(name: "Host") ? nil : .invalidHeaderToken
    }
}
