// SPDX-License-Identifier: MIT

import NIOCore

/// One of the two sockets of a proxied connection: what it reads is written to its partner, later.
///
/// Reads no more than its direction of the link can hold, and writes no more than the partner accepts. Used on one
/// event loop, which both channels share. The channel must allow half-closure.
final class LinkEnd: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Item {
        case bytes(ByteBuffer)
        /// The end of the stream.
        case end
    }

    private let direction: LinkDirection
    private let end: RawEnd
    private var partner: LinkEnd?
    private var context: ChannelHandlerContext?
    /// In transit to the partner, in order.
    private var underway = CircularBuffer<(arrival: NIODeadline, item: Item)>()
    private var bytesUnderway = 0
    private var timer: Scheduled<Void>?
    /// A pending read request.
    private var isReadHeld = false
    private var hasReadAll = false
    /// The end of the stream has reached the partner.
    private var hasHandedOverAll = false

    /// - Parameter direction: the one that leads away from this end.
    init(_ direction: LinkDirection, end: RawEnd) { (self.direction, self.end) = (direction, end) }

    /// Connects two ends and starts the flow.
    static func join(_ one: LinkEnd, _ other: LinkEnd) {
        (one.partner, other.partner) = (other, one)
        for end in [one, other] {
            // A client that ended its stream early has been read to the end already.
            end.awaitNext()
            end.continueReading()
        }
    }

    /// Resets both sockets.
    func resetBoth() {
        let partner = partner
        reset()
        partner?.reset()
    }

    private func reset() {
        forget()
        end.reset()
    }

    private func forget() {
        timer?.cancel()
        (timer, partner) = (nil, nil)
        underway.removeAll()
        bytesUnderway = 0
    }

    // MARK: From the socket

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func read(context: ChannelHandlerContext) {
        isReadHeld = true
        continueReading()
    }

    private func continueReading() {
        guard isReadHeld, partner != nil, bytesUnderway < direction.capacity, let context else { return }
        isReadHeld = false
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        while buffer.readableBytes > 0,
            let piece = buffer.readSlice(length: min(buffer.readableBytes, direction.pieceBytes))
        {
            bytesUnderway += piece.readableBytes
            underway.append((direction.arrival(of: piece.readableBytes), .bytes(piece)))
        }
        awaitNext()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { readAll() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        context.fireChannelInactive()
        guard let partner else { return }
        // After its own end of stream, a socket reports the peer's end by closing; before, the connection was lost.
        if partner.hasHandedOverAll { readAll() } else { resetBoth() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { resetBoth() }

    private func readAll() {
        guard !hasReadAll else { return }
        hasReadAll = true
        underway.append((direction.arrival(of: 0), .end))
        awaitNext()
    }

    // MARK: To the partner

    private func awaitNext() {
        guard timer == nil, partner != nil, let first = underway.first else { return }
        timer = direction.loop.assumeIsolated().scheduleTask(deadline: first.arrival) {
            self.timer = nil
            self.handOver()
        }
    }

    /// Writes arrived data to the partner as far as it accepts it; it requests more itself.
    private func handOver() {
        guard let partner, let target = partner.context else { return }
        let now = direction.loop.now
        var hasWritten = false
        while let first = underway.first, first.arrival <= now, target.channel.isWritable {
            underway.removeFirst()
            switch first.item {
            case .bytes(let buffer):
                bytesUnderway -= buffer.readableBytes
                target.write(partner.wrapOutboundOut(buffer), promise: nil)
                hasWritten = true
            case .end:
                target.flush()
                hasHandedOverAll = true
                partner.end.finishSending()
            }
        }
        if hasWritten { target.flush() }
        guard !(hasHandedOverAll && partner.hasHandedOverAll) else {
            partner.forget()
            return forget()
        }
        continueReading()
        if target.channel.isWritable { awaitNext() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, let partner, partner.timer == nil { partner.handOver() }
        context.fireChannelWritabilityChanged()
    }
}
