// SPDX-License-Identifier: MIT

import NIOCore
import NIOWebSocket

/// Messages by WebSocket (RFC 6455): calls and their responses in order, and notices between them.
extension RemoteService {
    private typealias Outbound = NIOAsyncChannelOutboundWriter<WebSocketFrame>

    func serve(_ channel: NIOAsyncChannel<WebSocketFrame, WebSocketFrame>) async throws {
        let (number, notices) = listeners.add()
        defer { listeners.remove(number) }
        try await channel.executeThenClose { inbound, outbound in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await notice in notices { try await outbound.write(Self.frame(notice.json)) }
                }
                group.addTask {
                    do {
                        for try await frame in inbound {
                            guard try await respond(to: frame, number, outbound) else { return }
                        }
                    } catch is NIOWebSocketFrameAggregator.Error {
                        try await outbound.write(Self.closing(.messageTooLarge))
                    }
                }
                try await group.next()
                group.cancelAll()
            }
        }
    }

    /// - Returns: whether the connection stays open.
    private func respond(to frame: WebSocketFrame, _ number: Int, _ outbound: Outbound) async throws -> Bool {
        switch frame.opcode {
        case .text, .binary:
            let reply = try await reply(to: Array(frame.unmaskedData.readableBytesView))
            if reply.isAuthorized { listeners.authorize(number) }
            try await outbound.write(Self.frame(reply.body.json))
            return true
        case .ping:
            try await outbound.write(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData))
            return true
        case .connectionClose:
            try await outbound.write(Self.closing(.normalClosure))
            return false
        default: return true
        }
    }

    private static func frame(_ json: [UInt8]) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: json))
    }

    private static func closing(_ code: WebSocketErrorCode) -> WebSocketFrame {
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        return WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
    }
}
