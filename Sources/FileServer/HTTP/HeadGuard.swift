// SPDX-License-Identifier: MIT

import NIOCore
import NIOHTTP1

/// Closes a connection after a request that is malformed for its version of HTTP, which later handlers do not see:
/// HTTP/1.1 without `Host` (RFC 9112, section 3.2), chunks in HTTP/1.0 (section 6.1). It throws the decoder's error,
/// which becomes 400.
///
/// Brings targets in absolute form into origin form. Their host takes the place of the received `Host` (section 3.2.2).
final class HeadGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private var hasFailed = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasFailed else { return }
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        if let error = Self.error(in: head) {
            hasFailed = true
            context.fireErrorCaught(error)
            return
        }
        context.fireChannelRead(Self.takeHost(fromTargetOf: &head) ? wrapInboundOut(.head(head)) : data)
    }

    /// - Returns: whether the target was in absolute form. More than one `Host` remains, which is an error later.
    private static func takeHost(fromTargetOf head: inout HTTPRequestHead) -> Bool {
        guard let (authority, origin) = RequestTarget.absoluteForm(head.uri), head.headers["Host"].count < 2 else {
            return false
        }
        head.uri = origin
        head.headers.replaceOrAdd(name: "Host", value: authority)
        return true
    }

    /// The error of `head`, if any.
    static func error(in head: HTTPRequestHead) -> HTTPParserError? {
        if head.version.major == 1, head.version.minor == 0 {
            return head.headers.contains(name: "Transfer-Encoding") ? .invalidVersion : nil
        }
        return head.headers.contains(name: "Host") ? nil : .invalidHeaderToken
    }
}
