// SPDX-License-Identifier: MIT

import NIOCore
import NIOHTTP1

/// Requests by HTTP/1.1: `POST`, and `OPTIONS` of browsers. `GET`, with which aria2 serves scripts of other pages
/// (JSONP), is refused.
extension RemoteService {
    private typealias Outbound = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    func serve(_ channel: NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>) async throws {
        try await channel.executeThenClose { inbound, outbound in
            var head: HTTPRequestHead?
            var body = ByteBuffer()
            for try await part in inbound {
                switch part {
                case .head(let new):
                    (head, body) = (new, ByteBuffer())
                    if let refusal = refusal(of: new) { return try await refuse(new, refusal, outbound) }
                case .body(let bytes):
                    guard let head else { return }
                    guard body.readableBytes + bytes.readableBytes <= Self.mostBytes else {
                        return try await refuse(head, Self.tooLarge, outbound)
                    }
                    body.writeImmutableBuffer(bytes)
                case .end:
                    guard let head, try await respond(head, Array(body.readableBytesView), outbound) else { return }
                    body = ByteBuffer()
                }
            }
        }
    }

    private static let tooLarge = RequestGate.Refusal(
        status: .payloadTooLarge, text: "a message has at most \(mostBytes) bytes")

    private func refusal(of head: HTTPRequestHead) -> RequestGate.Refusal? {
        do throws(RequestGate.Refusal) { try gate.check(head) } catch { return error }
        guard head.method == .POST || head.method == .OPTIONS else {
            return .init(status: .methodNotAllowed, text: "use POST, or a WebSocket")
        }
        let length = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
        return length > Self.mostBytes ? Self.tooLarge : nil
    }

    /// - Returns: whether the connection stays open.
    private func respond(_ head: HTTPRequestHead, _ body: [UInt8], _ outbound: Outbound) async throws -> Bool {
        var isLast = !head.isKeepAlive
        if head.method == .OPTIONS {
            try await write(.ok, [], [:], head, isLast: isLast, outbound)
        } else {
            let reply = try await reply(to: body)
            let status = HTTPResponseStatus(statusCode: reply.httpStatus)
            // As aria2: what follows a failure on the same connection may have been lost.
            isLast = isLast || status != .ok
            let type: HTTPHeaders = ["Content-Type": "application/json-rpc"]
            try await write(status, reply.body.json, type, head, isLast: isLast, outbound)
        }
        return !isLast
    }

    /// The rest of the request is not read.
    private func refuse(
        _ head: HTTPRequestHead, _ refusal: RequestGate.Refusal, _ outbound: Outbound
    ) async throws {
        var headers: HTTPHeaders = ["Content-Type": "text/plain; charset=utf-8"]
        if refusal.status == .methodNotAllowed { headers.add(name: "Allow", value: "POST, OPTIONS") }
        try await write(refusal.status, Array("\(refusal.text)\n".utf8), headers, head, isLast: true, outbound)
    }

    private func write(
        _ status: HTTPResponseStatus, _ body: [UInt8], _ headers: HTTPHeaders, _ request: HTTPRequestHead,
        isLast: Bool, _ outbound: Outbound
    ) async throws {
        var headers = headers
        headers.add(contentsOf: gate.sharing(request))
        headers.add(name: "Cache-Control", value: "no-store")
        headers.add(name: "Content-Length", value: "\(body.count)")
        if isLast { headers.add(name: "Connection", value: "close") }
        try await outbound.write(
            contentsOf: [
                .head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)),
                .body(.byteBuffer(ByteBuffer(bytes: body))), .end(nil),
            ])
    }
}
