// SPDX-License-Identifier: MIT

import NIOCore
import NIOHTTP1

/// Closes a connection after a request that is malformed for its version of HTTP, which later handlers do not see:
/// HTTP/1.1 without `Host` (RFC 9112, section 3.2), chunks in HTTP/1.0 (section 6.1). It throws the decoder's error,
/// which becomes 400.
///
/// A request for another protocol is the last of its connection: the decoder reads no HTTP after it. It gets its
/// response by HTTP/1.1, as if it had no `Upgrade` (RFC 9110, section 7.8), and `Connection: close`.
///
/// So is a request by HTTP/1.0 (RFC 9112, section 9.3). Its client knows no interim responses, and gets none (RFC 9110,
/// section 15.2).
///
/// Brings targets in absolute form into origin form. Their host takes the place of the received `Host` (section 3.2.2).
final class HeadGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let input: InputGuard
    private var isLast = false
    /// Whether the latest request is HTTP/1.0, which has no interim responses.
    private(set) var isHTTP10 = false
    private var hasEnded = false

    init(_ input: InputGuard) { self.input = input }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasEnded else { return }
        input.partDecoded()
        switch unwrapInboundIn(data) {
        case .head(var head):
            if let error = Self.error(in: head) {
                end()
                context.fireErrorCaught(error)
                return
            }
            isHTTP10 = head.version == .http1_0
            isLast = isHTTP10 || Self.asksForAnotherProtocol(head)
            // The connection is closed after a response to this value.
            if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
            let hasChanged = Self.takeHost(fromTargetOf: &head) || isLast
            context.fireChannelRead(hasChanged ? wrapInboundOut(.head(head)) : data)
        case .body: context.fireChannelRead(data)
        case .end:
            if isLast { end() }
            context.fireChannelRead(data)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isHTTP10, case .head(let head) = unwrapOutboundIn(data), head.status.code < 200 {
            promise?.succeed(())
            return
        }
        context.write(data, promise: promise)
    }

    private func end() {
        hasEnded = true
        input.end()
    }

    /// Also if it does not ask in a valid form: the decoder's idea of that may differ.
    static func asksForAnotherProtocol(_ head: HTTPRequestHead) -> Bool {
        head.method == .CONNECT || head.headers.contains(name: "Upgrade")
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
        if head.version == .http1_0 {
            return head.headers.contains(name: "Transfer-Encoding") ? .invalidVersion : nil
        }
        return head.headers.contains(name: "Host") ? nil : .invalidHeaderToken
    }
}
