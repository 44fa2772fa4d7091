// SPDX-License-Identifier: MIT

import Crypto
import NIOCore
import NIOHTTP1
import TransferModel

/// Runs the ``LabScript`` of each request of a connection. Used on its channel's event loop only.
///
/// Reads only when a step needs bytes; writes respect back pressure.
final class LabConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private let number: Int
    private let service: LabService
    private let end: RawEnd
    /// One request per connection.
    private let closesEach: Bool
    private var context: ChannelHandlerContext?
    /// Parts received beyond the current need; at most one read's worth.
    private var pending = CircularBuffer<HTTPServerRequestPart>()
    private var script: LabScript?
    /// Remaining steps; empty: waits for the next head.
    private var steps: ArraySlice<LabStep> = []
    private var content = LabContent.text([])
    private var received: Int64 = 0
    private var hasWholeBody = false
    private var digest = SHA256()
    private var pacing = Pacing()
    /// Of a wait, or of a rate.
    private var timer: Scheduled<Void>?
    private var idleTimer: Scheduled<Void>?
    /// `advance` is running and must not be re-entered.
    private var isAdvancing = false

    init(number: Int, service: LabService, end: RawEnd, closesEach: Bool) {
        (self.number, self.service, self.end, self.closesEach) = (number, service, end, closesEach)
    }

    // MARK: Events of the channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { begin() }
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    func channelActive(context: ChannelHandlerContext) { begin() }

    func channelInactive(context: ChannelHandlerContext) {
        if !steps.isEmpty { service.log(number, "the client has gone") }
        stop()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        pending.append(unwrapInboundIn(data))
        noteProgress()
    }

    func channelReadComplete(context: ChannelHandlerContext) { advance() }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        noteProgress()
        advance()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A decoding error gets a response unless one is in progress.
        guard let error = error as? HTTPParserError, steps.isEmpty else {
            context.close(promise: nil)
            return
        }
        let status = error == .headerOverflow ? "431 Request Header Fields Too Large" : "400 Bad Request"
        service.log(number, "what came is not HTTP: \(status)")
        let script = LabScript(request: LabRequest(method: .other), behaviour: LabBehaviour())
        self.script = script
        steps = script.say(status)[...]
        advance()
    }

    private func begin() {
        service.log(number, "connected")
        noteProgress()
        advance()
    }

    private func stop() {
        timer?.cancel()
        idleTimer?.cancel()
        (timer, idleTimer, context) = (nil, nil, nil)
        pending.removeAll()
        steps = []
    }

    // MARK: Steps

    private func advance() {
        guard !isAdvancing else { return }
        isAdvancing = true
        defer { isAdvancing = false }
        while let context, executeNext(context) {}
    }

    /// - Returns: whether to continue immediately.
    private func executeNext(_ context: ChannelHandlerContext) -> Bool {
        guard let step = steps.first else { return takeHead(context) }
        switch step {
        case .wait(let seconds): return pause(seconds, context) { $0.steps = $0.steps.dropFirst() }
        case .send(let bytes):
            steps = steps.dropFirst()
            context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes)), promise: nil)
        case .sendBody(let range, let rate): return sendBody(range, rate, context)
        case .receive(let limit, let rate): return receive(limit, rate, context)
        case .answer: steps = responseSteps()[...]
        case .stall: return discard(context)
        case .stopReading: return false
        case .close: return finish(context)
        case .reset:
            service.log(number, "reset")
            steps = []
            end.reset()
        case .next: steps = []
        }
        return true
    }

    /// Waits once, and continues when `done` is called.
    private func pause(
        _ seconds: Double, _ context: ChannelHandlerContext,
        _ done: @escaping (LabConnection) -> Void = { _ in }
    ) -> Bool {
        guard timer == nil else { return false }
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(Int64(seconds * 1e9))) {
            self.timer = nil
            self.noteProgress()
            done(self)
            self.advance()
        }
        return false
    }

    private func takeHead(_ context: ChannelHandlerContext) -> Bool {
        guard let part = pending.popFirst() else { return read(context) }
        guard case .head(let head) = part else { return true }
        var request = LabRequest(head)
        if closesEach { request.keepsAlive = false }
        (received, hasWholeBody, digest, pacing) = (0, false, SHA256(), Pacing())
        service.log(number, "\(head.method) \(head.uri.prefix(500))")
        switch service.behaviour(for: request) {
        case .success(let behaviour):
            let script = LabScript(request: request, behaviour: behaviour)
            self.script = script
            steps = script.opening[...]
        case .failure(let error):
            let script = LabScript(request: request, behaviour: LabBehaviour())
            self.script = script
            steps = script.say("400 Bad Request", text: error.message)[...]
        }
        return true
    }

    private func responseSteps() -> [LabStep] {
        guard let script else { return [.close] }
        content =
            switch script.request.method {
            case .upload: .text(receipt())
            case _ where script.request.path == "/" && script.request.query == nil: .text(service.indexPage())
            default: .lines(size: script.behaviour.size, version: script.behaviour.version)
            }
        return script.answer(content)
    }

    private func receipt() -> [UInt8] {
        let hex = digest.finalize().map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
        service.log(number, "took in \(received) bytes")
        return Array("received \(received) bytes\nsha256 \(hex)\n".utf8)
    }

    /// Asks for more. TLS may have it ready and hand it over before this returns.
    private func read(_ context: ChannelHandlerContext) -> Bool {
        context.read()
        return !pending.isEmpty
    }

    // MARK: Bodies

    private func sendBody(_ range: Range<Int64>, _ rate: Int?, _ context: ChannelHandlerContext) -> Bool {
        guard !range.isEmpty else {
            steps = steps.dropFirst()
            return true
        }
        guard context.channel.isWritable else { return false }
        let now = Self.now(context)
        if let delay = pacing.delay(at: now) { return pause(delay, context) }
        let count = min(Int64(range.count), Int64(Pacing.piece(rate: rate)))
        let piece = range.lowerBound..<(range.lowerBound + count)
        pacing.moved(Int(count), rate: rate, at: now)
        steps[steps.startIndex] = .sendBody(piece.upperBound..<range.upperBound, rate: rate)
        let buffer = context.channel.allocator.buffer(bytes: content.bytes(in: piece))
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
        return true
    }

    private func receive(_ limit: Int64?, _ rate: Int?, _ context: ChannelHandlerContext) -> Bool {
        if hasWholeBody || limit.map({ received >= $0 }) ?? false {
            steps = steps.dropFirst()
            return true
        }
        let now = Self.now(context)
        if let delay = pacing.delay(at: now) { return pause(delay, context) }
        guard let part = pending.popFirst() else {
            if let rate, rate != pacing.allocated { allocate(rate, context) }
            return read(context)
        }
        switch part {
        case .head: break
        case .body(let buffer):
            received += Int64(buffer.readableBytes)
            buffer.withUnsafeReadableBytes { digest.update(bufferPointer: $0) }
            pacing.moved(buffer.readableBytes, rate: rate, at: now)
        case .end: hasWholeBody = true
        }
        return true
    }

    /// Small reads, or a slow reception would come in a few large steps.
    private func allocate(_ rate: Int, _ context: ChannelHandlerContext) {
        pacing.allocated = rate
        let allocator = FixedSizeRecvByteBufferAllocator(capacity: Pacing.piece(rate: rate))
        try? context.channel.syncOptions?.setOption(.recvAllocator, value: allocator)
    }

    /// Reads and discards.
    private func discard(_ context: ChannelHandlerContext) -> Bool {
        pending.removeAll()
        return read(context)
    }

    /// Ends the stream and reads the rest, so that the client can read the response first.
    private func finish(_ context: ChannelHandlerContext) -> Bool {
        service.log(number, "closed")
        steps = [.stall]
        end.finishSending()
        let closing = context.channel
        _ = context.eventLoop.scheduleTask(in: .seconds(2)) { closing.close(promise: nil) }
        return true
    }

    // MARK: Time

    private static func now(_ context: ChannelHandlerContext) -> Double {
        Double(context.eventLoop.now.uptimeNanoseconds) / 1e9
    }

    /// Closes connections that are idle unintentionally.
    private func noteProgress() {
        idleTimer?.cancel()
        guard let context else { return }
        idleTimer = context.eventLoop.assumeIsolated().scheduleTask(in: service.idleTime) {
            if self.timer != nil { return }
            self.service.log(self.number, "idle for too long")
            self.context?.close(promise: nil)
        }
    }
}

/// When the next bytes may move. No I/O.
struct Pacing: Sendable, Hashable {
    private var opening = 0.0
    /// The rate for which reads were made small.
    var allocated: Int?

    /// Chunk size: a tenth of a second's worth.
    static func piece(rate: Int?) -> Int { rate.map { max(1, min($0 / 10, 65_536)) } ?? 65_536 }

    /// Seconds to wait; `nil`: none.
    func delay(at now: Double) -> Double? { opening > now ? opening - now : nil }

    mutating func moved(_ bytes: Int, rate: Int?, at now: Double) {
        guard let rate else { return }
        // Compensates for late timers.
        opening = (now - opening < 0.1 ? opening : now) + Double(bytes) / Double(rate)
    }
}
